import { isObject, pointerTo } from '../../../spec/index.ts';
import type { Json } from '../../../spec/index.ts';

/** A value that did not come back as it was sent. */
export interface Stray {
  readonly pointer: string;
  readonly sent: Json;
  readonly read: Json | undefined;
}

/** Members (by {@link tailOf}) that the deployment does not give back as they were sent, or fills by itself, learned from plain values. */
export type Silent = ReadonlySet<string>;

/** Where what was read is not what was sent. What the deployment adds is its own affair; null, absent and empty lists are one. */
export function* strays(sent: Json, read: Json | undefined, silent: Silent, pointer = ''): Iterable<Stray> {
  if (silent.has(tailOf(pointer))) return;
  if (isNothing(sent)) {
    if (pointer !== '') yield* unasked(sent, read, silent, pointer);
    return;
  }
  if (Array.isArray(sent)) {
    const found = Array.isArray(read) && read.length === sent.length ? (read as readonly Json[]) : undefined;
    if (found === undefined) yield { pointer, sent, read };
    else
      for (const [index, item] of (sent as readonly Json[]).entries()) {
        if (item !== found[index]) yield* strays(item, found[index], silent, pointerTo(pointer, index));
      }
  } else if (isObject(sent)) {
    if (!isObject(read)) yield { pointer, sent, read };
    else
      for (const [key, value] of Object.entries(sent)) {
        const found = memberOf(read, key);
        if (value !== found) yield* strays(value, found, silent, pointerTo(pointer, key));
      }
  } else if (!same(sent, read, pointer)) yield { pointer, sent, read };
}

/**
 * What is there where nothing was sent: in an object, member by member, since the deployment may fill some by itself. Within a list or
 * another object, which are new as a whole, whatever an empty object holds is such.
 */
function* unasked(sent: Json, read: Json | undefined, silent: Silent, pointer: string): Iterable<Stray> {
  if (isDefault(read) || (isObject(sent) && isObject(read) && pointer.lastIndexOf('/') > 0)) return;
  if (!isObject(read)) yield { pointer, sent, read };
  else
    for (const [key, value] of Object.entries(read))
      if (!isDefault(value) && !silent.has(tailOf(pointerTo(pointer, key))))
        yield { pointer: pointerTo(pointer, key), sent, read: value };
}

/** What stands for nothing where a kind of value has to: a default, and objects and lists of them. */
function isDefault(value: Json | undefined): boolean {
  if (isNothing(value) || value === '' || value === false || value === 0 || value === NIL) return true;
  return typeof value === 'object' && Object.values(value ?? {}).every((each: Json) => isDefault(each));
}

/** Null, absent, an empty list or an empty object: nothing is there. */
function isNothing(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function memberOf(object: Readonly<Record<string, Json>>, key: string): Json | undefined {
  if (Object.hasOwn(object, key)) return object[key];
  const alike = Object.keys(object).filter((each) => each.toLowerCase() === key.toLowerCase());
  return alike.length === 1 && alike[0] !== undefined && isMember(key) ? object[alike[0]] : undefined;
}

/** Members of models may be spelt in another case; keys of maps are the sender's own. */
function isMember(key: string): boolean {
  return /^[a-z]+([A-Z][a-z]+)*$/.test(key);
}

/** Members that are times by their name: these may be written otherwise, a text that looks like one may not. */
const TIMED = /(?:At|Date|Time|Utc|On)$/;
const TIME = /^\d{4}-\d\d-\d\dT/;
const NIL = '00000000-0000-0000-0000-000000000000';

/** Members that hold whatever a user writes: what looks like an id is none. */
const FREE = /(?:^\/metadata\/|\/(?:name|description|instructions|prompt)$)/;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function same(sent: Json, read: Json | undefined, pointer: string): boolean {
  if (sent === read) return true;
  if (typeof sent !== 'string' || typeof read !== 'string') return false;
  if (/\p{Surrogate}/u.test(sent)) return true;
  if (UUID.test(sent) && !FREE.test(pointer)) return sent.toLowerCase() === read.toLowerCase();
  return TIMED.test(pointer) && TIME.test(sent) && TIME.test(read) && Date.parse(sent) === Date.parse(read);
}

/** The last names of a pointer without positions: what tells a member wherever it is nested. */
export function tailOf(pointer: string): string {
  return pointer
    .split('/')
    .filter((each) => each !== '' && !/^\d+$/.test(each))
    .slice(-2)
    .join('/');
}

/** The member of the body that a stray stands under, for a cause. */
export function topName(pointer: string): string {
  return pointer.split('/')[1] ?? 'body';
}
