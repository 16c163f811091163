/** Turns an external text into one line of at most `maxLength` characters, without control characters. */
export function oneLine(text: string, maxLength: number): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, maxLength);
}
