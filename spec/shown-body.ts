const MARK = /… \((\d+) bytes in total\)$/u;

/** The beginning of a body, with the length of the whole. */
export function cutBody(beginning: string, bytes: number): string {
  return `${beginning}… (${bytes} bytes in total)`;
}

/** A body as it is shown: its text, and the length of the whole in bytes where the text is only its beginning. */
export function shownBody(body: string): { readonly text: string; readonly bytes?: number } {
  const [mark, bytes] = MARK.exec(body) ?? [];
  return mark === undefined ? { text: body } : { text: body.slice(0, -mark.length), bytes: Number(bytes) };
}
