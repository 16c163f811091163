type Headers = Readonly<Record<string, string>>;

/** Header lines, each with its line end. A later header replaces an earlier one of the same name, in any case. */
export function headerLines(...headers: readonly Headers[]): string {
  const lines = new Map<string, string>();
  for (const each of headers)
    for (const [name, value] of Object.entries(each)) lines.set(name.toLowerCase(), `${name}: ${value}\r\n`);
  return [...lines.values()].join('');
}

/** Header lines with further headers, which replace those of the same name. */
export function withHeaders(lines: string, headers: Headers = {}): string {
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  if (names.size === 0) return lines;
  const others = lines.replaceAll(/([^:\r\n]+):[^\r\n]*\r\n/g, (line, name: string) =>
    names.has(name.toLowerCase()) ? '' : line,
  );
  return others + headerLines(headers);
}

/** True if a request line and headers contain only characters that HTTP allows in them, and no empty line. */
export function isValidHead(head: string): boolean {
  return !/[^\x20-\x7e\r\n]|\r\n\r\n/.test(head);
}
