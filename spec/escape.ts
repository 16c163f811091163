/** A text for a regular expression that matches it literally. */
export function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** An expression for a whole name, regardless of case; `*` in the pattern is a wildcard. */
export function globExpression(pattern: string): RegExp {
  return new RegExp(`^${pattern.split('*').map(escapeRegExp).join('.*')}$`, 'is');
}

/** Control, format (bidi, zero width), surrogate, line and paragraph separator: reports show them as escapes. */
export const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Each UTF-16 unit of a text as an escape of JSON and JavaScript: `\u001b` for the character ESC. */
export function unicodeEscapes(text: string): string {
  return text.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A word in single quotes for a POSIX shell. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
