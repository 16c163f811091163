/** Width of the terminal; of other output what COLUMNS says; undefined if neither is known. */
export function screenColumns(
  { columns }: Pick<NodeJS.WriteStream, 'columns'> = process.stdout,
  { COLUMNS = '' }: NodeJS.ProcessEnv = process.env,
): number | undefined {
  return columns ?? (/^[1-9]\d{0,4}$/u.test(COLUMNS) ? Number(COLUMNS) : undefined);
}

/** Prints lines on standard output. */
export function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Prints a value as JSON on standard output. */
export function printJson(value: unknown): void {
  print([JSON.stringify(value, null, 2)]);
}
