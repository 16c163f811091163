import { isUtf8 } from 'node:buffer';
import { exactNumber } from './exact.ts';

/** Only long numbers and large exponents can lose precision in a double. */
const SUSPICIOUS = /\d{16}|\d[eE]\+?\d{2}/;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Parses JSON; keeps numbers that a double cannot represent (see `exact.ts`). Throws SyntaxError for invalid JSON or UTF-8. */
export function readJson(raw: Buffer): unknown {
  if (!isUtf8(raw)) throw new SyntaxError('The body is not UTF-8.');
  const text = raw.toString('utf8');
  const trimmed = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const value: unknown = JSON.parse(trimmed);
  return SUSPICIOUS.test(trimmed) ? JSON.parse(keepNumbers(trimmed)) : value;
}

/** Replaces numbers that would lose precision by marked strings. */
function keepNumbers(text: string): string {
  const parts: string[] = [];
  let from = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      const digits = numberAt(text, at);
      if (losesPrecision(digits)) {
        parts.push(text.slice(from, at), JSON.stringify(exactNumber(digits)));
        from = at + digits.length;
      }
      at += digits.length;
    } else at++;
  }
  parts.push(text.slice(from));
  return parts.join('');
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1;
  return at + 1;
}

function numberAt(text: string, at: number): string {
  NUMBER.lastIndex = at;
  return NUMBER.exec(text)?.[0] ?? '-';
}

function losesPrecision(digits: string): boolean {
  const value = Number(digits);
  if (!Number.isFinite(value)) return true;
  return /^-?\d+$/.test(digits) && !Number.isSafeInteger(value) && String(value) !== digits;
}
