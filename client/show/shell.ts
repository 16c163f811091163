const PLACEHOLDER = /(\$ASSAY_(?:LIMITED_|EXPIRED_)?TOKEN)\b/;

/** Quotes a literal word for a POSIX shell. */
export function shellQuote(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Quotes a word for a POSIX shell in which only the variables of tokens are expanded. */
export function shellQuoteExpanding(text: string): string {
  const parts = text.split(PLACEHOLDER);
  if (parts.length === 1) return shellQuote(text);
  if (parts.every((part, index) => index % 2 === 1 || /^[\w\s@%+=:,./?&-]*$/.test(part))) return `"${text}"`;
  return parts.map((part, index) => (index % 2 === 1 ? `"${part}"` : part === '' ? '' : shellQuote(part))).join('');
}

/** Replaces `text` (letters, digits, dashes; in any case) in a line of quoted words by a variable. */
export function expandInWords(line: string, text: string, variable: string): string {
  const wanted = text.toLowerCase();
  const lower = line.toLowerCase();
  let result = '';
  let quote = '';
  for (let at = 0; at < line.length; at += 1) {
    if (lower.startsWith(wanted, at)) {
      result += quote === "'" ? `'"$${variable}"'` : quote === '"' ? `\${${variable}}` : `"$${variable}"`;
      at += wanted.length - 1;
      continue;
    }
    const char = line[at] ?? '';
    if (char === '\\' && quote !== "'") {
      result += char + (line[at + 1] ?? '');
      at += 1;
      continue;
    }
    if (quote === '' ? char === "'" || char === '"' : char === quote) quote = quote === '' ? char : '';
    result += char;
  }
  return result;
}
