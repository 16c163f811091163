/** Width of the terminal; of other output what COLUMNS says; undefined if neither is known. */
export function screenColumns(
  { columns }: Pick<NodeJS.WriteStream, 'columns'> = process.stdout,
  { COLUMNS = '' }: NodeJS.ProcessEnv = process.env,
): number | undefined {
  return columns ?? (/^[1-9]\d{0,4}$/u.test(COLUMNS) ? Number(COLUMNS) : undefined);
}

/** Breaks the lines of a text at blanks, the rest indented by two: for standard error, without the packages that `wrap` of the reports loads. */
export function wrapLines(text: string, columns = screenColumns(process.stderr) ?? Number.POSITIVE_INFINITY): string {
  return text
    .split('\n')
    .map((line) => (line.length > columns ? wrapLine(line, columns) : line))
    .join('\n');
}

function wrapLine(line: string, columns: number): string {
  const lead = ' '.repeat(line.length - line.trimStart().length);
  const room = Math.max(20, columns - lead.length - 2);
  const parts = line.trim().match(new RegExp(`(?:\\S{${room},}|.{1,${room}})(?= |$)`, 'gu')) ?? [];
  return `${lead}${parts.map((part) => part.trim()).join(`\n${lead}  `)}`;
}

export function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

export function printJson(value: unknown): void {
  print([JSON.stringify(value, null, 2)]);
}
