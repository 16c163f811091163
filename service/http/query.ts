import { badRequest } from './refusal.ts';

const INT32 = 2 ** 31;
const INT64 = 2n ** 63n;

/** The query of a request. Names are case-insensitive; every reader rejects invalid values with 400. */
export class Query {
  readonly #entries: readonly (readonly [string, string])[];

  constructor(entries: readonly (readonly [string, string])[]) {
    this.#entries = entries;
  }

  static parse(text: string): Query {
    return text === '' ? EMPTY : new Query([...new URLSearchParams(text)]);
  }

  /** The last value of a parameter; an empty one counts as absent. */
  text(name: string): string | undefined {
    const value = this.#given(name);
    return value === '' ? undefined : value;
  }

  #given(name: string): string | undefined {
    return this.#entries.findLast(([key]) => same(key, name))?.[1];
  }

  /** Every value of a repeated parameter. */
  list(name: string): readonly string[] {
    return this.#entries.filter(([key]) => same(key, name) || same(key, `${name}[]`)).map(([, value]) => value);
  }

  boolean(name: string): boolean | undefined {
    const value = this.#given(name);
    if (value === undefined) return undefined;
    if (/^\s*true\s*$/i.test(value)) return true;
    if (/^\s*false\s*$/i.test(value)) return false;
    throw unreadable(name, value);
  }

  /** An int32 not below `least`. */
  int32(name: string, fallback: number, least: number): number {
    const value = this.#given(name);
    if (value === undefined) return fallback;
    const number = /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= -INT32 && number < INT32)) throw unreadable(name, value);
    if (number < least)
      throw badRequest(`'${name}' must be at least ${least}.`, { [name]: [`Must be at least ${least}.`] });
    return number;
  }

  int64(name: string, fallback: bigint): bigint {
    const value = this.#given(name);
    if (value === undefined) return fallback;
    if (!/^\s*[+-]?\d{1,40}\s*$/.test(value)) throw unreadable(name, value);
    const number = BigInt(value.trim().replace(/^\+/, ''));
    if (number < -INT64 || number >= INT64) throw unreadable(name, value);
    return number;
  }

  /** An enumeration's value by its number or by its name. */
  choice(name: string, names: readonly string[]): number {
    const value = this.#given(name);
    if (value === undefined) return 0;
    const byName = names.findIndex((candidate) => same(candidate, value));
    if (byName >= 0) return byName;
    if (/^\d+$/.test(value) && Number(value) < names.length) return Number(value);
    throw unreadable(name, value);
  }

  /** The pairs of a `deepObject` parameter: `name[key]=value`. */
  deepObject(name: string): ReadonlyMap<string, string> {
    const prefix = `${name.toLowerCase()}[`;
    const pairs = this.#entries.filter(([key]) => key.toLowerCase().startsWith(prefix) && key.endsWith(']'));
    const nested = pairs.find(([key]) => key.includes(']['));
    if (nested !== undefined) throw unreadable(name, nested[0]);
    const keys = pairs.map(([key]) => key);
    const repeated = keys.find((key, index) => keys.indexOf(key) < index);
    if (repeated !== undefined) throw unreadable(name, repeated);
    return new Map(pairs.map(([key, value]) => [key.slice(prefix.length, -1), value]));
  }
}

const EMPTY = new Query([]);

function same(left: string, right: string): boolean {
  return left === right || left.toLowerCase() === right.toLowerCase();
}

function unreadable(name: string, value: string) {
  return badRequest(`'${name}' is not valid.`, { [name]: [`The value '${value.slice(0, 100)}' is not valid.`] });
}
