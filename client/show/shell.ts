import { escapeRegExp, shellQuoted } from '../../spec/escape.ts';
import { isShortId, shortIdInUrl } from '../../spec/short-id.ts';

/** Texts in lower case to replace with shell variables, and the names of these. */
export type ShellVariables = ReadonlyMap<string, string>;

const NONE: ShellVariables = new Map();

/** A uuid in capitals, which a deployment may treat otherwise than the same in lower case. */
const IN_CAPITALS = /^(?=.*[A-F])[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}$/;

function quoteLiteral(text: string): string {
  if (text === '' || /^[\w@%+=:,./-]+$/.test(text)) return text;
  return shellQuoted(text);
}

/** Quotes one word for a POSIX shell, literally except for the texts to replace, which match in any case, short ids in URLs only. */
export function shellQuote(text: string, variables: ShellVariables = NONE): string {
  const keys = [...variables.keys()].map((key) => (isShortId(key) ? shortIdInUrl(key) : escapeRegExp(key)));
  const parts = keys.length === 0 ? [text] : text.split(new RegExp(`(${keys.join('|')})(?!\\w)`, 'i'));
  const valueOf = (part: string): string => {
    const name = variables.get(part.toLowerCase()) ?? '';
    return IN_CAPITALS.test(part) ? `$(echo "$${name}" | tr a-f A-F)` : `$${name}`;
  };
  const needsNoQuote = (part: string, index: number): boolean => index % 2 === 1 || /^[\w\s@%+=:,./?&-]*$/.test(part);
  const endsName = (part: string, index: number): boolean => index % 2 === 1 || index === 0 || !/^\w/.test(part);
  if (parts.length > 1 && parts.every(needsNoQuote) && parts.every(endsName))
    return `"${parts.map((part, index) => (index % 2 === 1 ? valueOf(part) : part)).join('')}"`;
  return parts.map((part, index) => (index % 2 === 1 ? `"${valueOf(part)}"` : quoteLiteral(part))).join('') || "''";
}
