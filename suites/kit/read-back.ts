import type { Json, JsonObject } from '../../spec/index.ts';
import { isObject, pointerTo, pointerTokens } from '../../spec/index.ts';
import type { MemberRules } from '../../domain/index.ts';
import { NIL_UUID } from '../../domain/builtin/bodies/identifiers.ts';
import { isUuid } from '../../domain/items.ts';
import { asTexts } from './as-texts.ts';
import type { Formats } from './formats.ts';
import { isRespelled } from './respelled.ts';
import { sameValue } from './same-value.ts';

/** A value that is not read back as it was sent. */
export interface Mismatch {
  readonly pointer: string;
  readonly sent: Json;
  readonly read: Json | undefined;
}

/** Members, by {@link lastNames}, that the service does not return as they were sent, or that it sets itself. */
export type NotReturned = ReadonlySet<string>;

/**
 * Compares a value that was sent with the one that is read back. Members that the service adds are ignored. Null, an absent member, an
 * empty list and an empty object are equal; other values are compared by {@link sameValue}.
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
 * The first mismatch, for a service of which it is not known what it returns: members that it sets itself, members that it does not
 * return, and members that were sent as null are not compared. A mismatch that nothing but a defect explains comes first.
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
    const name = (rest.at(-1) ?? top).toLowerCase();
    const isOptional = rest.length > 0 || !rules.alwaysReturned.has(top);
    const isSet = rules.setByService.has(name) || (rest.length === 0 && rules.setElsewhere?.has(name) === true);
    return isSet || (value === undefined && isOptional);
  };
  let uncertain: MemberMismatch | undefined;
  for (const [name, value] of Object.entries(sent)) {
    const found = memberOf(read, name);
    for (const each of compare(value, found, { isExempt, comparesNull: false, formats }, pointerTo('', name))) {
      const [expected, received] = asTexts(value, found);
      const mismatch = { name, expected, received, isRespelled: isRespelled(each.sent, each.read) };
      const last = pointerTokens(each.pointer).at(-1) ?? '';
      if (!mismatch.isRespelled && rules.setElsewhere?.has(last.toLowerCase()) !== true) return mismatch;
      uncertain ??= { ...mismatch, grade: 'inferred' };
    }
  }
  return uncertain;
}

/** A member that differs from what was sent, with texts for a violation. */
export interface MemberMismatch {
  readonly name: string;
  readonly expected: string;
  readonly received: string;
  /** {@link isRespelled}. */
  readonly isRespelled: boolean;
  /** Set where it is only a warning: the document states neither that texts are stored unchanged, nor who sets such a member. */
  readonly grade?: 'inferred';
}

interface Rules {
  /** True for a member that is not compared. */
  readonly isExempt: (pointer: string, read: Json | undefined) => boolean;
  /** True where a member that was sent as null must be read back as null or absent. */
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
  } else if (!isEqual(sent, read, rules.formats(pointer)) && !isNewId(pointer, read)) yield { pointer, sent, read };
}

/**
 * Mismatches of a value that is returned where null or an empty value was sent. An object is compared member by member, since the
 * service may set some itself. An empty object within a list or another object may be filled with anything.
 */
function* unrequested(sent: Json, read: Json | undefined, rules: Rules, pointer: string): Iterable<Mismatch> {
  if (isDefault(read) || (isObject(sent) && isObject(read) && pointer.lastIndexOf('/') > 0)) return;
  if (!isObject(read)) yield { pointer, sent, read };
  else
    for (const [key, value] of Object.entries(read)) {
      const at = pointerTo(pointer, key);
      if (!isDefault(value) && !rules.isExempt(at, value) && !isNewId(at, value))
        yield { pointer: at, sent, read: value };
    }
}

/** True for the uuid of a part of an item: which ids these get is not documented, and storing them anew gives them new ones. */
function isNewId(pointer: string, read: Json | undefined): boolean {
  return /^\/.+\/id$/i.test(pointer) && typeof read === 'string' && isUuid(read);
}

/** True for the value that a type has when nothing was set, and for objects and lists of such values. */
function isDefault(value: Json | undefined): boolean {
  if (isNothing(value) || value === '' || value === false || value === 0 || value === NIL_UUID) return true;
  return typeof value === 'object' && Object.values(value ?? {}).every((each: Json) => isDefault(each));
}

function isNothing(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** A key in camel case as the framework writes it: the capitals at its beginning, up to the last before a small letter, become small. */
export function camelCased(key: string): string {
  const capitals = /^\p{Lu}+(?!\p{Ll})|^\p{Lu}/u.exec(key)?.[0] ?? '';
  return capitals.toLowerCase() + key.slice(capitals.length);
}

/** Member names may be returned in another case. Keys of maps, which the client chooses, may be in camel case or composed (NFC) only. */
function memberOf(object: JsonObject, key: string): Json | undefined {
  const written = [key, camelCased(key), key.normalize('NFC')].find((each) => Object.hasOwn(object, each));
  if (written !== undefined) return object[written];
  const alike = Object.keys(object).filter((each) => each.toLowerCase() === key.toLowerCase());
  return alike.length === 1 && alike[0] !== undefined && MEMBER_NAME.test(key) ? object[alike[0]] : undefined;
}

const MEMBER_NAME = /^[a-z]+([A-Z][a-z]+)*$/;

/** A lone surrogate cannot be sent in UTF-8. */
const UNSENDABLE = /\p{Surrogate}/u;

function isEqual(sent: Json, read: Json | undefined, format: string | undefined): boolean {
  const isLost = typeof sent === 'string' && typeof read === 'string' && UNSENDABLE.test(sent);
  // A nil uuid requests a new id.
  const isAssigned = sent === NIL_UUID && isUuid(read);
  return isLost || isAssigned || sameValue(sent, read, format);
}

/** The last two names of a pointer, without list positions: they identify a member at any level of nesting. */
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
