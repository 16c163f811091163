/** What keeps a text from being JSON, and where; line and column start at 1. */
export interface JsonMistake {
  readonly what: string;
  readonly line: number;
  readonly column: number;
}

/** The first mistake in a text; undefined for JSON. It quotes no more than a character, as the text may contain secrets. */
export async function jsonMistake(text: string): Promise<JsonMistake | undefined> {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    // Unlike those of JSON.parse, its errors always have a position.
    const { parse } = await import('lossless-json');
    const [, what = 'cannot be parsed', offset] = /^(.*) at position (\d+)/su.exec(messageFrom(parse, text)) ?? [];
    const before = text.slice(0, Number(offset ?? 0)).split('\n');
    return { what: what.replace('\n', String.raw`\n`), line: before.length, column: (before.at(-1) ?? '').length + 1 };
  }
}

function messageFrom(parse: (text: string) => unknown, text: string): string {
  try {
    parse(text);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}
