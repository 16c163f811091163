import { TOKEN_KEYS, TOKEN_NAMES } from './tokens.ts';
import type { Tokens } from './tokens.ts';

/** Replaces tokens by the names of their variables, however they are spelt. */
export interface Redactor {
  text(text: string): string;
  /** The same bytes where there is nothing to hide. */
  bytes(bytes: Uint8Array): Uint8Array;
}

const SHORTEST = 6;

function hexEscape(prefix: string, token: string, width: number): string {
  return token.replace(/[^\w.~-]/g, (char) => prefix + char.charCodeAt(0).toString(16).toUpperCase().padStart(width, '0'));
}

function spellings(token: string): string[] {
  const html = token.replace(/[^\w.~-]/g, (char) => `&#x${char.charCodeAt(0).toString(16).toUpperCase()};`);
  const decimal = token.replace(/[^\w.~-]/g, (char) => `&#${char.charCodeAt(0)};`);
  const named = token.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  const escapes = [hexEscape('%', token, 2), encodeURI(token), hexEscape('\\u', token, 4), html];
  const lower = escapes.map((text) => text.replace(/(%|\\u|&#x)[0-9A-F]+/g, (escape) => escape.toLowerCase()));
  const json = JSON.stringify(token).slice(1, -1);
  const base64 = [token, `Bearer ${token}`].map((text) => Buffer.from(text).toString('base64').replace(/=+$/, ''));
  return [token, token.toLowerCase(), token.toUpperCase(), json, json.replaceAll('/', '\\/'), ...escapes, ...lower, decimal, named, ...base64];
}

function table(tokens: Tokens): Map<string, string> {
  const named = TOKEN_KEYS.flatMap((name) => {
    const token = tokens[name];
    const shown = `$${TOKEN_NAMES[name].variable}`;
    if (token === undefined) return [];
    if (token.length < SHORTEST) return [[`Bearer ${token}`, `Bearer ${shown}`] as const];
    return spellings(token).map((spelling) => [spelling, shown] as const);
  });
  return new Map(named.sort((a, b) => b[0].length - a[0].length));
}

/** A redactor for these tokens. Tokens of fewer than six characters are replaced after `Bearer ` only. */
export function createRedactor(tokens: Tokens): Redactor {
  const names = table(tokens);
  if (names.size === 0) return { text: (text) => text, bytes: (bytes) => bytes };
  const escaped = [...names.keys()].map((secret) => secret.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  const pattern = new RegExp(escaped.join('|'), 'g');
  const secrets = [...names.keys()].map((secret) => Buffer.from(secret));
  const text = (value: string) => value.replace(pattern, (secret) => names.get(secret) ?? '');
  const bytes = (value: Uint8Array) => {
    const buffer = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    if (!secrets.some((secret) => buffer.includes(secret))) return value;
    return Buffer.from(text(buffer.toString('latin1')), 'latin1');
  };
  return { text, bytes };
}
