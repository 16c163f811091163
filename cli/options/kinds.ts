import { bareToken, isTokenText } from '../../client/credentials/issued.ts';
import { EFFECTS } from '../../spec/contract.ts';
import type { Effect } from '../../spec/contract.ts';
import { didYouMean } from '../../spec/nearest.ts';

/** A parsed input: its value, or what is wrong with it and a hint. */
export type Parsed<T> = { readonly value: T } | { readonly message: string; readonly hint: string };

/** Parses the texts of an option, which every source (flag, environment, file) hands over. */
export interface OptionKind<T> {
  /** Shown after the flag in the help; undefined for a switch. */
  readonly placeholder?: string;
  /** The text of a flag without a value; left out: the value is required. */
  readonly bare?: string;
  /** For a duration: the unit of a number without one. */
  readonly unit?: 'ms' | 's';
  /** The words that it takes, for completion. */
  readonly known?: readonly string[];
  readonly parse: (texts: readonly string[]) => Parsed<T>;
}

export const last = (texts: readonly string[]): string => texts.at(-1) ?? '';

const items = (texts: readonly string[]): string[] =>
  texts
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '');

const EMPTY = { message: 'is empty', hint: 'give it a value or omit it' } as const;

/** The items of a list, which may be an empty list but not an empty text: `--only "$UNSET"` is a mistake. */
function filled<T>(value: readonly T[], given: readonly string[]): Parsed<readonly T[]> {
  return value.length === 0 && given.length > 0 ? EMPTY : { value };
}

export function text(placeholder: string): OptionKind<string> {
  return { placeholder, parse: (texts) => (last(texts) === '' ? EMPTY : { value: last(texts) }) };
}

/** On or off; in the environment and in a file also `true` and `false`. */
export const flag: OptionKind<boolean> = {
  parse: (texts) => {
    const word = last(texts).toLowerCase();
    if (['', 'true', '1', 'yes', 'on'].includes(word)) return { value: true };
    if (['false', '0', 'no', 'off'].includes(word)) return { value: false };
    return { message: 'is not a boolean', hint: 'use true or false' };
  },
};

/** A token as it stands after `Bearer `; quotes and a pasted `Bearer` are removed. The value appears in no message. */
export const token: OptionKind<string> = {
  placeholder: 'token',
  parse: (given) => {
    const value = bareToken(last(given));
    if (value === '') return { message: 'is empty', hint: 'set it, or omit it' };
    if (!isTokenText(value))
      return {
        message: 'contains white space or characters that are not allowed in a header',
        hint: "copy the whole token again; a key with a prefix is given as --credential 'NAME: PREFIX KEY'",
      };
    return { value };
  },
};

/** A URL of HTTP, without a slash at its end; the hints tell what it is of, and where its secrets go. */
export const httpUrl = (hint: string, secretsHint: string): OptionKind<string> => ({
  placeholder: 'url',
  parse: (texts) => {
    if (/^(?:localhost|[\w.-]+\.[\w-]+|\[[0-9a-f:]+\])(?::\d+)?(?:\/.*)?$/iu.test(last(texts)))
      return { message: 'has no scheme', hint: `write http://${last(texts)} or https://${last(texts)}` };
    if (!URL.canParse(last(texts))) return { message: 'is not a URL', hint };
    const url = new URL(last(texts));
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      return { message: `has the unsupported scheme ${url.protocol}`, hint: 'use http: or https:' };
    if (url.username !== '' || url.password !== '')
      return { message: 'contains a user name or password', hint: secretsHint };
    if (url.search !== '' || url.hash !== '') return { message: 'contains a query or fragment', hint };
    return { value: url.href.replace(/\/+$/u, '') };
  },
});

export const baseUrl = httpUrl(
  'give the part of the URL before /api/…, for example https://data.example.com',
  'remove it; use --token for the token',
);

const BROKERS = ['redis:', 'rediss:', 'postgres:', 'postgresql:'];

/** Where the broker of a fleet is; `local`: on this machine, started by the run. */
export const fleetUrl: OptionKind<string> = {
  placeholder: 'url|local',
  parse: (texts) => {
    const word = last(texts);
    if (word === 'local') return { value: word };
    const hint = 'use redis://HOST:PORT, rediss://USER@HOST:PORT, postgres://USER@HOST/DATABASE or local';
    if (!URL.canParse(word)) return { message: 'is not a URL', hint };
    const url = new URL(word);
    if (!BROKERS.includes(url.protocol)) return { message: `has the unsupported scheme ${url.protocol}`, hint };
    if (url.password !== '') return { message: 'contains a password', hint: 'remove it, and set ASSAY_FLEET_PASSWORD' };
    return { value: word };
  },
};

/** Shares by name, for example `eu=70,us=30`. */
export const zones: OptionKind<Readonly<Record<string, number>>> = {
  placeholder: 'shares',
  parse: (texts) => {
    const pairs = items(texts).map((item) => /^([a-z0-9-]{1,40})=(\d+(?:\.\d+)?)$/u.exec(item));
    const shares = pairs.flatMap((match) => (match === null ? [] : [[match[1] ?? '', Number(match[2])] as const]));
    if (shares.length === 0 || shares.length < pairs.length || shares.some(([, share]) => share <= 0))
      return { message: 'is not a list of zones and shares', hint: 'use NAME=SHARE, for example eu=70,us=30' };
    return { value: Object.fromEntries(shares) };
  },
};

interface Bounds {
  readonly min: number;
  readonly max: number;
}

function bounded(value: number, bounds: Bounds): Parsed<number> {
  if (value >= bounds.min && value <= bounds.max) return { value };
  return { message: 'is out of range', hint: `use ${bounds.min} to ${bounds.max}` };
}

function numeric(bounds: Bounds, noun: string, isValid: (word: string) => boolean): OptionKind<number> {
  return {
    placeholder: 'n',
    parse: (texts) =>
      isValid(last(texts))
        ? bounded(Number(last(texts)), bounds)
        : { message: `is not ${noun}`, hint: `use ${bounds.min} to ${bounds.max}` },
  };
}

export const integer = (bounds: Bounds): OptionKind<number> =>
  numeric(bounds, 'an integer', (word) => /^[+-]?\d+$/u.test(word));

export const decimal = (bounds: Bounds): OptionKind<number> =>
  numeric(bounds, 'a number', (word) => word.trim() !== '' && !Number.isNaN(Number(word)));

/** A share in percent, with its sign: a number alone could also be a count. */
export const percent: OptionKind<number> = {
  placeholder: 'percent',
  parse: (texts) => {
    const word = last(texts).trim();
    const match = /^(\d+(?:\.\d+)?)%$/u.exec(word);
    if (match !== null) return bounded(Number(match[1]), { min: 0, max: 100 });
    const share = Number(word) > 0 && Number(word) <= 1 && word.includes('.') ? Number(word) * 100 : Number(word);
    const isNumber = word !== '' && share >= 0 && share <= 100;
    return isNumber
      ? { message: 'has no percent sign', hint: `write ${share}%` }
      : { message: 'is not a percentage', hint: 'use 0% to 100%, for example 80%' };
  },
};

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A duration in the largest unit that needs no fraction, as it is written on the command line. */
function inWords(ms: number): string {
  const [name, size] = Object.entries(UNITS).findLast(([, each]) => ms % each === 0 && ms > 0) ?? ['ms', 1];
  return `${ms / size}${name}`;
}

/** A duration in milliseconds: `250`, `250ms`, `30s`, `5m` or `1h`. A number without a unit counts in `unit`. */
export function duration(bounds: Bounds, unit: 'ms' | 's'): OptionKind<number> {
  return {
    placeholder: unit === 'ms' ? 'ms' : 'time',
    unit,
    parse: (texts) => {
      const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/u.exec(last(texts).trim());
      if (!match) return { message: 'is not a duration', hint: 'use a number with ms, s, m or h, for example 30s' };
      const value = Number(match[1]) * (UNITS[match[2] ?? unit] ?? 1);
      if (value >= bounds.min && value <= bounds.max) return { value };
      const isBare = match[2] === undefined && value > 0;
      const bare = isBare ? `; ${match[1]} without a unit is ${match[1]}${unit}` : '';
      return { message: 'is out of range', hint: `use ${inWords(bounds.min)} to ${inWords(bounds.max)}${bare}` };
    },
  };
}

/** Periods of a ramp, each `TIME:TARGET`, as repeated flags or separated by commas. */
export const stages: OptionKind<readonly { readonly durationMs: number; readonly target: number }[] | undefined> = {
  placeholder: 'time:target',
  parse: (given) => {
    const parsed = items(given).map((item) => {
      const [time = '', target = ''] = item.split(':');
      const durationMs = duration({ min: 0, max: 86_400_000 }, 's').parse([time]);
      const isRate = /^\d+(\.\d+)?$/u.test(target);
      return isRate && 'value' in durationMs ? { durationMs: durationMs.value, target: Number(target) } : undefined;
    });
    const good = parsed.flatMap((stage) => stage ?? []);
    return good.length === parsed.length
      ? { value: good.length === 0 ? undefined : good }
      : { message: 'is not a stage', hint: 'use TIME:TARGET, for example 30s:200' };
  },
};

function unknown(words: readonly string[], known: readonly string[], noun: string): Parsed<never> | undefined {
  const strange = words.filter((word) => !known.includes(word));
  if (strange.length === 0) return undefined;
  const near = strange.map((word) => didYouMean(word, known)).filter((hint) => hint !== '');
  const all = known.join(', ');
  const hint = near.length === 0 ? `use ${all}` : `${near.join(' ')} Known values: ${all}`;
  return { message: `has an unknown ${noun}: ${strange.join(', ')}`, hint };
}

export function choice<const T extends string>(known: readonly T[], noun: string): OptionKind<T> {
  const among = new Map<string, T>(known.map((word) => [word, word]));
  return {
    placeholder: known.length < 4 ? known.join('|') : 'name',
    known,
    parse: (texts) => {
      const word = last(texts);
      const value = among.get(word);
      if (value !== undefined) return { value };
      const use = `use ${known.slice(0, -1).join(', ')} or ${known.at(-1)}`;
      const near = word === '' ? '' : didYouMean(word, known);
      return {
        message: word === '' ? 'is empty' : `is not a known ${noun}`,
        hint: near === '' ? use : `${near} (${use})`,
      };
    },
  };
}

/** Patterns, separated by commas or as repeated flags. Full names of tests may contain commas. */
export const patterns: OptionKind<readonly string[]> = {
  placeholder: 'pattern',
  parse: (given) =>
    filled(
      given.flatMap((text) => (text.includes(' > ') ? [text] : items([text]))),
      given,
    ),
};

export function choices<const T extends string>(known: readonly T[], noun: string): OptionKind<readonly T[]> {
  return {
    placeholder: 'list',
    known,
    parse: (given) => {
      const named = items(given);
      const value = known.filter((word) => named.includes(word));
      return unknown(named, known, noun) ?? filled(value, given);
    },
  };
}

/** Words that are checked later, for example names of faults. */
export function words(placeholder: string): OptionKind<readonly string[]> {
  return { placeholder, parse: (given) => filled(items(given), given) };
}

/** Whole texts, as repeated flags; commas do not separate. */
export function texts(placeholder: string): OptionKind<readonly string[]> {
  return { placeholder, parse: (given) => filled(given.filter(Boolean), given) };
}

/** Effects that a run may have; `all` means every one. */
export const effects: OptionKind<readonly Effect[]> = {
  placeholder: 'list',
  known: [...EFFECTS, 'all'],
  parse: (given) => {
    const named = items(given);
    if (named.length === 0) return { message: 'is empty', hint: `use ${EFFECTS.join(', ')} or all` };
    if (named.includes('all')) return { value: EFFECTS };
    const value = EFFECTS.filter((effect) => named.includes(effect));
    return unknown(named, [...EFFECTS, 'all'], 'effect') ?? { value };
  },
};

/** This machine's part of a run. */
export interface Shard {
  readonly index: number;
  readonly total: number;
}

export const shard: OptionKind<Shard> = {
  placeholder: 'i/n',
  parse: (given) => {
    const [, index = 0, total = 0] = (/^(\d+)\/(\d+)$/u.exec(last(given)) ?? []).map(Number);
    return index >= 1 && index <= total && total <= 1000
      ? { value: { index, total } }
      : { message: 'is not a shard', hint: 'use I/N with 1 ≤ I ≤ N, for example 2/4' };
  },
};
