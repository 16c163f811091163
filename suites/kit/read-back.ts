import type { Json, JsonObject } from '../../spec/index.ts';
import { isObject, pointerTo, pointerTokens } from '../../spec/index.ts';
import type { MemberRules } from '../../domain/index.ts';
import { isUuid } from '../../domain/items.ts';
import type { Formats } from './formats.ts';
import { isRespelled } from './respelled.ts';
import { sameValue } from './same-value.ts';

/** A value that is not read back as it was sent. */
export interface Mismatch {
  readonly pointer: string;
  readonly sent: Json;
  readonly read: Json | undefined;
}

/** Members, by {@link lastNames}, that the service does not return as they were sent, or fills by itself. */
export type NotReturned = ReadonlySet<string>;

/**
 * Compares what was sent with what is read back. Members that the service adds are ignored; null, absent, an empty list
 * and an empty object are equal, and other values are compared by what they mean ({@link sameValue}).
 */
export function mismatches(
  sent: Json,
  read: Json | undefined,
  notReturned: NotReturned,
  formats: Formats,
  pointer = '',
): Iterable<Mismatch> {
  const isExempt = (at: string): boolean => notReturned.has(lastNames(at));
  return compare(sent, read, { isExempt, comparesNull: true, formats }, pointer);
}

/**
 * The first mismatch, if possible one that is more than another spelling, as a member and texts for a violation, for a service of which nothing was learned: members that
 * it sets itself, members that it does not return, and what it returns where null was sent are not compared.
 */
export function firstMismatch(
  sent: JsonObject,
  read: JsonObject,
  rules: MemberRules,
  formats: Formats,
): MemberMismatch | undefined {
  const isExempt = (pointer: string, value: Json | undefined): boolean => {
    const [top = '', ...rest] = pointerTokens(pointer);
    if (rules.maps.has(top) && rest.length > 0) return false;
    const name = rest.at(-1) ?? top;
    const isOptional = rest.length > 0 || !rules.alwaysReturned.has(top);
    return rules.setByService.has(name.toLowerCase()) || (value === undefined && isOptional);
  };
  let respelled: MemberMismatch | undefined;
  for (const [name, value] of Object.entries(sent)) {
    const found = memberOf(read, name);
    for (const each of compare(value, found, { isExempt, comparesNull: false, formats }, pointerTo('', name))) {
      const mismatch = { name, expected: asText(value), received: asText(found) };
      if (!isRespelled(each.sent, each.read)) return { ...mismatch, isRespelled: false };
      respelled ??= { ...mismatch, isRespelled: true };
    }
  }
  return respelled;
}

/** A member that is not as it was sent. */
interface MemberMismatch {
  readonly name: string;
  readonly expected: string;
  readonly received: string;
  /** {@link isRespelled}. */
  readonly isRespelled: boolean;
}

interface Rules {
  /** True for a member that is not compared. */
  readonly isExempt: (pointer: string, read: Json | undefined) => boolean;
  /** True where null that was sent must be read back as nothing. */
  readonly comparesNull: boolean;
  readonly formats: Formats;
}

function* compare(sent: Json, read: Json | undefined, rules: Rules, pointer: string): Iterable<Mismatch> {
  if (pointer !== '' && rules.isExempt(pointer, read)) return;
  if (isNothing(sent)) {
    if (pointer !== '' && (rules.comparesNull || Array.isArray(sent))) yield* unrequested(sent, read, rules, pointer);
  } else if (Array.isArray(sent)) {
    const found = Array.isArray(read) && read.length === sent.length ? (read as readonly Json[]) : undefined;
    if (found === undefined) yield { pointer, sent, read };
    else
      for (const [index, item] of (sent as readonly Json[]).entries())
        if (item !== found[index]) yield* compare(item, found[index], rules, pointerTo(pointer, index));
  } else if (isObject(sent)) {
    if (!isObject(read) || (!rules.comparesNull && isNothing(read) && !isDefault(sent))) yield { pointer, sent, read };
    else
      for (const [key, value] of Object.entries(sent)) {
        const found = memberOf(read, key);
        if (found === undefined && UNSENDABLE.test(key)) continue;
        if (value !== found) yield* compare(value, found, rules, pointerTo(pointer, key));
      }
  } else if (!isEqual(sent, read, rules.formats(pointer))) yield { pointer, sent, read };
}

/**
 * What is returned where nothing was sent: in an object, member by member, since the service may fill some by itself.
 * Within a list or another object, which are new as a whole, an empty object may be filled with anything.
 */
function* unrequested(sent: Json, read: Json | undefined, rules: Rules, pointer: string): Iterable<Mismatch> {
  if (isDefault(read) || (isObject(sent) && isObject(read) && pointer.lastIndexOf('/') > 0)) return;
  if (!isObject(read)) yield { pointer, sent, read };
  else
    for (const [key, value] of Object.entries(read)) {
      const at = pointerTo(pointer, key);
      if (!isDefault(value) && !rules.isExempt(at, value)) yield { pointer: at, sent, read: value };
    }
}

const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** True for the value that a type has when nothing was set, and for objects and lists of such values. */
function isDefault(value: Json | undefined): boolean {
  if (isNothing(value) || value === '' || value === false || value === 0 || value === NIL_UUID) return true;
  return typeof value === 'object' && Object.values(value ?? {}).every((each: Json) => isDefault(each));
}

function isNothing(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/**
 * Names of members may be returned in another case; keys of maps, which are the sender's own, with a small first letter only,
 * as the framework writes them unless told otherwise.
 */
function memberOf(object: JsonObject, key: string): Json | undefined {
  if (Object.hasOwn(object, key)) return object[key];
  const camelCased = key.charAt(0).toLowerCase() + key.slice(1);
  if (Object.hasOwn(object, camelCased)) return object[camelCased];
  const alike = Object.keys(object).filter((each) => each.toLowerCase() === key.toLowerCase());
  return alike.length === 1 && alike[0] !== undefined && MEMBER_NAME.test(key) ? object[alike[0]] : undefined;
}

const MEMBER_NAME = /^[a-z]+([A-Z][a-z]+)*$/;

/** A lone surrogate cannot be sent in UTF-8. */
const UNSENDABLE = /\p{Surrogate}/u;

function isEqual(sent: Json, read: Json | undefined, format: string | undefined): boolean {
  const isLost = typeof sent === 'string' && typeof read === 'string' && UNSENDABLE.test(sent);
  // The id of nothing asks for a new one.
  const isAssigned = sent === NIL_UUID && isUuid(read);
  return isLost || isAssigned || sameValue(sent, read, format);
}

/** The last two names of a pointer, without positions: they identify a member wherever it is nested. */
export function lastNames(pointer: string): string {
  return pointer
    .split('/')
    .filter((each) => each !== '' && !/^\d+$/.test(each))
    .slice(-2)
    .join('/');
}

/** The member of the body that a pointer leads into. */
export function topMember(pointer: string): string {
  return pointer.split('/')[1] ?? 'body';
}

/** A value in a message, cut. */
export function asText(value: Json | undefined): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 200);
}
