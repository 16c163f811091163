import { isObject } from '../../spec/index.ts';
import type { Json, JsonObject } from '../../spec/index.ts';

/** Members that name an item. */
export const NAME_MEMBERS = ['name', 'title', 'displayName', 'description'];

/** Members whose texts mean something to the service. */
export const REFERENCE = /(?:id|key|code|type|kind|status|state|token|secret|password|language|locale|currency)$/i;

/** Members that hold the members of an item, besides the only one of a body. */
export const WRAPPERS = ['data', 'attributes'];

/** A plain e-mail address, and its domain. */
const EMAIL = /^[\w.+-]{1,40}@([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/i;

/** Tells whether the description allows a body. */
type IsValid = (body: Json) => boolean;

/**
 * Sets the name of a body, or else another text that the schema leaves open, so that the item can be found again. E-mail addresses, which
 * services often keep unique, get the name too. `isValid`: undefined where the description has no schema. `mayAddOther`: a member `name`
 * may be added that the description does not have.
 */
export function namedBody(json: Json, name: string, isValid?: IsValid, mayAddOther = true): Json {
  if (!isObject(json)) return json;
  const unique = withOwnAddresses(json, name, isValid ?? (() => true));
  const named = withName(unique, name, isValid ?? (() => true));
  if (named !== undefined) return named;
  const added = { ...unique, name };
  const isOther = [1, []].every((value) => isValid?.({ ...unique, name: value }));
  return isValid?.(added) === true && (mayAddOther || !isOther) ? added : unique;
}

/** The members with the name in one of their texts, or in one of a wrapper; undefined where none can have it. */
function withName(json: JsonObject, name: string, isValid: IsValid): JsonObject | undefined {
  const texts = Object.entries(json).filter(
    (each): each is [string, string] => typeof each[1] === 'string' && !REFERENCE.test(each[0]),
  );
  const isName = ([key]: readonly [string, string]): boolean => NAME_MEMBERS.includes(key);
  const inOrder = [...texts.filter(isName).toSorted(byName), ...texts.filter((each) => !isName(each))];
  for (const [key, text] of inOrder) {
    const renamed = textsWith(name, text).map((each) => ({ ...json, [key]: each }));
    const found = renamed.find(isValid);
    if (found !== undefined) return found;
  }
  for (const [key, inner] of wrappedIn(json)) {
    const named = withName(inner, name, (part) => isValid({ ...json, [key]: part }));
    if (named !== undefined) return { ...json, [key]: named };
  }
  return undefined;
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return NAME_MEMBERS.indexOf(a) - NAME_MEMBERS.indexOf(b);
}

/** The objects within a body that have the members of the item itself. */
function wrappedIn(json: JsonObject): readonly (readonly [string, JsonObject])[] {
  const members = Object.entries(json);
  return members.filter(
    (each): each is [string, JsonObject] =>
      isObject(each[1]) && (members.length === 1 || WRAPPERS.includes(each[0].toLowerCase())),
  );
}

/** Members that services often keep unique. */
const UNIQUE = /^(?:slug|sku|user_?name|login|handle)$/i;

/** Every plain e-mail address with the name before its `@`, and every user name or slug, where `isValid` accepts the body. */
export function withOwnAddresses(json: JsonObject, name: string, isValid: IsValid): JsonObject {
  let unique = json;
  for (const [key, value] of Object.entries(json)) {
    const domain = typeof value === 'string' ? EMAIL.exec(value)?.[1] : undefined;
    const own = domain === undefined ? name : `${name}@${domain}`;
    const isUnique = domain !== undefined || (typeof value === 'string' && UNIQUE.test(key));
    const changed = isUnique ? { ...unique, [key]: own } : unique;
    if (isValid(changed)) unique = changed;
  }
  for (const [key, inner] of wrappedIn(unique)) {
    const outer = unique;
    unique = { ...outer, [key]: withOwnAddresses(inner, name, (part) => isValid({ ...outer, [key]: part })) };
  }
  return unique;
}

/** Texts of the same kind as this one that have the name, the best first: a URI has it in its path, a host name as its first label. */
function textsWith(name: string, text: string): readonly string[] {
  const domain = EMAIL.exec(text)?.[1];
  if (domain !== undefined) return [`${name}@${domain}`];
  if (/^[a-z][a-z\d+.-]*:\S+$/i.test(text) && URL.canParse(text))
    return [...(/^https?:/i.test(text) ? [inPath(new URL(text), name)] : []), `https://example.org/${name}`];
  const parent = /^[a-z\d-]+((?:\.[a-z\d-]+)+)$/i.exec(text)?.[1];
  return parent === undefined ? [name] : [`${name}${parent}`, name];
}

function inPath(url: URL, name: string): string {
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${name}`;
  return url.href;
}
