/** Prints lines on standard output. */
export function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Prints a value as JSON on standard output. */
export function printJson(value: unknown): void {
  print([JSON.stringify(value, null, 2)]);
}
