import { escapeCharacter } from './visible.ts';

const ILLEGAL = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Characters that XML 1.0 can't hold, as readable `\u0000`. */
function legal(text: string): string {
  return text.replace(ILLEGAL, escapeCharacter);
}

/** Element content: also `]]>` is safe. */
export function xmlText(text: string): string {
  return legal(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;');
}

/** Attributes from pairs; undefined leaves one out. */
export function xmlAttributes(values: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) =>
        ` ${name}="${xmlText(String(value)).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')}"`,
    )
    .join('');
}
