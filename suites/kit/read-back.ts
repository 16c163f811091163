import type { Json, JsonObject } from '../../spec/index.ts';
import { isObject } from '../../spec/index.ts';

/** A member that did not come back as it was sent. */
export interface Missing {
  /** Where, as a JSON pointer without its slash for members of the root. */
  readonly name: string;
  readonly expected: string;
  readonly received: string;
}

/** Members that a deployment sets itself, whatever is sent. */
const SET_BY_SERVICE = new Set([
  'id',
  'organizationid',
  'createdat',
  'createdby',
  'modifiedat',
  'modifiedby',
  'isactive',
  'order',
  'requiresattention',
]);

/**
 * Compares what was sent with what is read back. A member that the answer does not have is not compared: the document does
 * not say which ones a model shows, but for the ones that every model has, `name` and `description`. Null equals absent.
 */
export function missingFrom(sent: JsonObject, read: JsonObject): Missing | undefined {
  for (const [key, value] of Object.entries(sent)) {
    if (SET_BY_SERVICE.has(key.toLowerCase())) continue;
    const found = memberOf(read, key);
    if (found === undefined && !ALWAYS_SHOWN.has(key)) continue;
    if (!agrees(value, found, FREE_MAPS.has(key))) return { name: key, expected: shown(value), received: shown(found) };
  }
  return undefined;
}

const ALWAYS_SHOWN = new Set(['name']);

/** Maps whose keys are the caller's own: where the map is shown, each key of it is. */
const FREE_MAPS = new Set(['metadata']);

function memberOf(object: JsonObject, key: string): Json | undefined {
  return object[key] ?? object[Object.keys(object).find((each) => each.toLowerCase() === key.toLowerCase()) ?? key];
}

/** True where everything that was sent is there; what the deployment adds, also in place of null, is its own affair, and an empty list is none. */
function agrees(sent: Json, read: Json | undefined, whole = false): boolean {
  if (sent === null || (isNothing(read) && Array.isArray(sent) && sent.length === 0)) return true;
  if (read === undefined) return false;
  if (Array.isArray(sent))
    return (
      Array.isArray(read) &&
      sent.length === read.length &&
      sent.every((each: Json, at) => agrees(each, (read as readonly Json[])[at]))
    );
  if (isObject(sent))
    return (
      isObject(read) &&
      Object.entries(sent).every(
        ([key, value]) =>
          (!whole && (SET_BY_SERVICE.has(key.toLowerCase()) || memberOf(read, key) === undefined)) ||
          agrees(value, memberOf(read, key)),
      )
    );
  if (typeof sent === 'string' && typeof read === 'string' && sent.length === 36)
    return sent.toLowerCase() === read.toLowerCase();
  return sent === read;
}

function isNothing(value: Json | undefined): boolean {
  return value === null || value === undefined;
}

function shown(value: Json | undefined): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 200);
}
