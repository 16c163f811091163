import { escapeToken } from '../spec/index.ts';

interface Level {
  readonly pointer: string;
  readonly isArray: boolean;
  index: number;
  key: string;
}

const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[[\]{},:]|true|false|null/gs;

function here(level: Level | undefined): string {
  if (!level) return '';
  return `${level.pointer}/${level.isArray ? level.index : escapeToken(level.key)}`;
}

function keyOf(token: string): string {
  const key: unknown = JSON.parse(token);
  return String(key);
}

/**
 * The numbers of a JSON text as they are written, by JSON pointer (RFC 6901): what JSON.parse rounds beyond 2^53 can
 * be compared exactly. The text has to be JSON; where a key is repeated, the last one counts.
 */
export function exactNumbers(json: string | Uint8Array): ReadonlyMap<string, string> {
  const text = typeof json === 'string' ? json : new TextDecoder().decode(json);
  const numbers = new Map<string, string>();
  const levels: Level[] = [];
  let level: Level | undefined;
  let expectsKey = false;
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '[' || token === '{') {
      level = { pointer: here(level), isArray: token === '[', index: 0, key: '' };
      levels.push(level);
      expectsKey = token === '{';
    } else if (token === ']' || token === '}') {
      levels.pop();
      level = levels.at(-1);
    } else if (token === ',') {
      if (level) level.index += 1;
      expectsKey = level?.isArray === false;
    } else if (token === ':') expectsKey = false;
    else if (token.startsWith('"')) {
      if (expectsKey && level) level.key = keyOf(token);
    } else if (/^[-\d]/.test(token)) numbers.set(here(level), token);
  }
  return numbers;
}
