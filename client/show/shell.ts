const PLACEHOLDER = /(\$ASSAY_(?:LIMITED_|EXPIRED_)?TOKEN)\b/;

/** One word for a POSIX shell, taken literally. */
export function shellQuote(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** One word for a POSIX shell in which the names of tokens, and nothing else, are expanded. */
export function shellQuoteExpanding(text: string): string {
  const parts = text.split(PLACEHOLDER);
  if (parts.length === 1) return shellQuote(text);
  if (parts.every((part, index) => index % 2 === 1 || /^[\w\s@%+=:,./?&-]*$/.test(part))) return `"${text}"`;
  return parts.map((part, index) => (index % 2 === 1 ? `"${part}"` : part === '' ? '' : shellQuote(part))).join('');
}
