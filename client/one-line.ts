/** A text of somebody else as one line without control characters, and no longer than `most` characters. */
export function oneLine(text: string, most: number): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, most);
}
