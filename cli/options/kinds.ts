import { EFFECTS } from '../../spec/contract.ts';
import type { Effect } from '../../spec/contract.ts';
import { didYouMean } from '../nearest.ts';

/** What became of an input: its value, or what is wrong with it and how to mend it. */
export type Parsed<T> = { readonly value: T } | { readonly wrong: string; readonly mend: string };

/** How the text of an option becomes a value. Every source (flag, environment, file) hands over texts. */
export interface Kind<T> {
  /** Shown in the help after the flag; none for a switch. */
  readonly placeholder?: string;
  /** True where the flag may be given more than once. */
  readonly repeats?: boolean;
  readonly parse: (texts: readonly string[]) => Parsed<T>;
}

const last = (texts: readonly string[]): string => texts.at(-1) ?? '';

const items = (texts: readonly string[]): string[] =>
  texts
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '');

export function text(placeholder: string): Kind<string> {
  return {
    placeholder,
    parse: (texts) =>
      last(texts) === '' ? { wrong: 'is empty', mend: 'give it a value or leave it out' } : { value: last(texts) },
  };
}

/** On or off; in the environment and in a file also `true` and `false`. */
export const flag: Kind<boolean> = {
  parse: (texts) => {
    const word = last(texts).toLowerCase();
    if (['', 'true', '1', 'yes', 'on'].includes(word)) return { value: true };
    if (['false', '0', 'no', 'off'].includes(word)) return { value: false };
    return { wrong: 'is neither true nor false', mend: 'use true or false' };
  },
};

/** A token as it stands after `Bearer `; what sticks to a pasted one (quotes, `Bearer`) is taken off. The value never shows in a problem. */
export const token: Kind<string> = {
  placeholder: 'token',
  parse: (given) => {
    const value = last(given)
      .trim()
      .replace(/^(["'])(.*)\1$/su, '$2')
      .replace(/^bearer\s+/iu, '');
    if (value === '') return { wrong: 'is empty', mend: 'set it, or leave it out altogether' };
    if (!/^[\x21-\x7e]+$/u.test(value))
      return { wrong: 'holds white space or characters that no header carries', mend: 'copy it again, in one piece' };
    return { value };
  },
};

/** What comes before `/api/…`, without a slash at its end. */
export const baseUrl: Kind<string> = {
  placeholder: 'url',
  parse: (texts) => {
    const mend = 'give what comes before /api/…, for example https://data.example.com';
    if (/^(?:localhost|[\w.-]+\.[\w-]+|\[[0-9a-f:]+\])(?::\d+)?(?:\/.*)?$/iu.test(last(texts)))
      return { wrong: 'has no scheme', mend: `write http://${last(texts)} or https://${last(texts)}` };
    if (!URL.canParse(last(texts))) return { wrong: 'is no URL', mend };
    const url = new URL(last(texts));
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      return { wrong: `has the scheme ${url.protocol}`, mend: 'use http: or https:' };
    if (url.username !== '' || url.password !== '')
      return { wrong: 'carries a user name or a password', mend: 'leave them out; tokens go into --token' };
    if (url.search !== '' || url.hash !== '') return { wrong: 'has a query or a fragment', mend };
    return { value: url.href.replace(/\/+$/u, '') };
  },
};

interface Bounds {
  readonly min: number;
  readonly max: number;
}

function bounded(value: number, bounds: Bounds): Parsed<number> {
  if (value >= bounds.min && value <= bounds.max) return { value };
  return { wrong: 'is out of range', mend: `use ${bounds.min} to ${bounds.max}` };
}

export function integer(bounds: Bounds): Kind<number> {
  return {
    placeholder: 'n',
    parse: (texts) => {
      const word = last(texts);
      if (!/^[+-]?\d+$/u.test(word)) return { wrong: 'is no whole number', mend: `use ${bounds.min} to ${bounds.max}` };
      return bounded(Number(word), bounds);
    },
  };
}

export function decimal(bounds: Bounds): Kind<number> {
  return {
    placeholder: 'n',
    parse: (texts) => {
      const value = Number(last(texts));
      return last(texts).trim() === '' || Number.isNaN(value)
        ? { wrong: 'is no number', mend: `use ${bounds.min} to ${bounds.max}` }
        : bounded(value, bounds);
    },
  };
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A time in milliseconds; `250`, `250ms`, `30s`, `5m` and `1h` are understood. A bare number counts in `unit`. */
export function duration(bounds: Bounds, unit: 'ms' | 's'): Kind<number> {
  return {
    placeholder: unit === 'ms' ? 'ms' : 'time',
    parse: (texts) => {
      const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/u.exec(last(texts).trim());
      if (!match) return { wrong: 'is no time', mend: 'use a number with ms, s, m or h, for example 30s' };
      return bounded(Number(match[1]) * (UNITS[match[2] ?? unit] ?? 1), bounds);
    },
  };
}

function unknown(words: readonly string[], known: readonly string[], noun: string): Parsed<never> | undefined {
  const wrong = words.filter((word) => !known.includes(word));
  if (wrong.length === 0) return undefined;
  return {
    wrong: `names no ${noun}: ${wrong.join(', ')}`,
    mend: `${wrong
      .map((word) => didYouMean(word, known))
      .filter(Boolean)
      .join(' ')} Known: ${known.join(', ')}.`.trim(),
  };
}

/** One of some words. */
export function choice<const T extends string>(known: readonly T[], noun: string): Kind<T> {
  const among = new Map<string, T>(known.map((word) => [word, word]));
  return {
    placeholder: known.length < 4 ? known.join('|') : 'name',
    parse: (texts) => {
      const value = among.get(last(texts));
      return value === undefined ? (unknown([last(texts)], known, noun) ?? { wrong: 'is empty', mend: '' }) : { value };
    },
  };
}

/** Patterns with commas between, or the flag repeated. The full name of a test, as a finding's replay gives it, may hold commas of its own. */
export const patterns: Kind<readonly string[]> = {
  placeholder: 'pattern',
  repeats: true,
  parse: (given) => ({ value: given.flatMap((text) => (text.includes(' > ') ? [text] : items([text]))) }),
};

/** Words out of a set that is known only later, for example the formats of reports. */
export function words(placeholder: string): Kind<readonly string[]> {
  return { placeholder, repeats: true, parse: (texts) => ({ value: items(texts) }) };
}

/** Whole texts, commas and all, the flag repeated. */
export function texts(placeholder: string): Kind<readonly string[]> {
  return { placeholder, repeats: true, parse: (values) => ({ value: values.filter((value) => value !== '') }) };
}

/** Effects that a run may have; `all` is every one of them. */
export const effects: Kind<readonly Effect[]> = {
  placeholder: 'list',
  repeats: true,
  parse: (given) => {
    const named = items(given);
    if (named.length === 0) return { wrong: 'names no effect', mend: `use some of ${EFFECTS.join(', ')}, or all` };
    if (named.includes('all')) return { value: EFFECTS };
    return (
      unknown(named, [...EFFECTS, 'all'], 'effect') ?? { value: EFFECTS.filter((effect) => named.includes(effect)) }
    );
  },
};

/** This machine's share. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly total: number;
}

export const shard: Kind<Shard> = {
  placeholder: 'i/n',
  parse: (given) => {
    const mend = 'use I/N with 1 ≤ I ≤ N, for example 2/4';
    const match = /^(\d+)\/(\d+)$/u.exec(last(given));
    if (!match) return { wrong: 'is no share', mend };
    const [index, total] = [Number(match[1]), Number(match[2])];
    return index >= 1 && index <= total && total <= 1000 ? { value: { index, total } } : { wrong: 'is no share', mend };
  },
};

/** A queue of a known capacity, as the embedded service can put before itself. */
export interface KnownCapacity {
  readonly servers: number;
  readonly serviceMs: number;
  readonly distribution?: 'exponential';
}

export const knownCapacity: Kind<KnownCapacity> = {
  placeholder: 'servers:ms',
  parse: (given) => {
    const match = /^(\d+):(\d+(?:\.\d+)?)(:exponential)?$/u.exec(last(given));
    const [servers, serviceMs] = [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)];
    if (servers < 1 || servers > 10_000 || serviceMs <= 0)
      return { wrong: 'is no capacity', mend: 'use SERVERS:MS, such as 4:10, or SERVERS:MS:exponential' };
    return {
      value: { servers, serviceMs, ...(match?.[3] === undefined ? {} : { distribution: 'exponential' as const }) },
    };
  },
};
