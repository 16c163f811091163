import { isObject } from '../../../spec/index.ts';
import type { Json, JsonObject } from '../../../spec/index.ts';
import { ORGANIZATION_ID } from './identifiers.ts';

export const ENTITY_PATH: readonly string[] = ['clue', 'clueDetails', 'data', 'entityData'];

const ORIGIN = /^\/[\p{L}\p{N}/]+#[\p{L}\p{N}_.-]+:[^\p{C}]+$/u;
const VERSION = /^\d{1,5}(\.\d{1,5}){1,3}$/;
const TYPE = /^\/[\p{L}\p{N}]+(\/[\p{L}\p{N}]+)*$/u;
const KEY = /^(property-)?[A-Za-z][\w-]*(\.[A-Za-z0-9][\w-]*)+$/;
const ENTRY = /^prop(erty)?-?[A-Za-z][\w-]*(\.[A-Za-z0-9][\w-]*)+$/;
/** Besides what no text holds, control characters: a deployment may refuse them. */
const UNUSUAL = /[\p{Cs}\p{Cn}\p{Co}\p{Cc}]/u;

/** The document states no limit of the length of texts: longer ones may be refused. */
const LONGEST_TEXT = 2000;

/**
 * True for a clue that must be accepted, whatever its values: it has every documented field in its documented form, and the same
 * origin on all levels. The document does not say whether a clue may have several origins or name another organization.
 */
export function isPlainClue(value: Json | undefined): boolean {
  const clue = isObject(value) && Object.keys(value).length === 1 ? value['clue'] : undefined;
  if (!isObject(clue) || !isObject(clue['clueDetails'])) return false;
  const { data } = clue['clueDetails'];
  if (!isObject(data) || !isObject(data['entityData'])) return false;
  const entity = data['entityData'];
  if (!hasOnly(clue, CLUE) || !hasOnly(clue['clueDetails'], DETAILS) || !hasOnly(data, DATA)) return false;
  const levels = [clue, data, entity];
  if (!levels.every((each) => fits(ORIGIN, each['attribute-origin']) && fits(VERSION, each['attribute-appVersion'])))
    return false;
  if (new Set(levels.map((each) => each['attribute-origin'])).size > 1) return false;
  return (
    clue['attribute-organization'] === ORGANIZATION_ID &&
    isText(data['attribute-inputSource']) &&
    isText(entity['attribute-source']) &&
    isPlainEntity(entity)
  );
}

/** The documented members of each level; the document does not say whether others are allowed. */
const CLUE: ReadonlySet<string> = new Set([
  'attribute-organization',
  'attribute-origin',
  'attribute-appVersion',
  'clueDetails',
]);
const DETAILS: ReadonlySet<string> = new Set(['data']);
const DATA: ReadonlySet<string> = new Set([
  'attribute-origin',
  'attribute-appVersion',
  'attribute-inputSource',
  'entityData',
]);
const ENTITY: ReadonlySet<string> = new Set([
  'attribute-origin',
  'attribute-appVersion',
  'attribute-source',
  'entityType',
  'codes',
  'properties',
]);

function hasOnly(value: JsonObject, names: ReadonlySet<string>): boolean {
  return Object.keys(value).every((key) => names.has(key));
}

function isPlainEntity(entity: JsonObject): boolean {
  const { entityType, codes, properties } = entity;
  if (!fits(TYPE, entityType) || !Array.isArray(codes) || !isObject(properties)) return false;
  if (!codes.every((code: Json) => fits(ORIGIN, code)) || properties['attribute-type'] !== '/Metadata/KeyValue')
    return false;
  const bag = Object.entries(properties).filter(([key]) => key !== 'attribute-type');
  const direct = Object.entries(entity).filter(([key]) => key.startsWith('prop') && key !== 'properties');
  if (!hasOnly(Object.fromEntries(Object.entries(entity).filter(([key]) => !ENTRY.test(key))), ENTITY)) return false;
  return (
    bag.every(([key, value]) => KEY.test(key) && isText(value)) &&
    direct.every(([key, value]) => ENTRY.test(key) && isText(value))
  );
}

function fits(pattern: RegExp, value: Json | undefined): boolean {
  return typeof value === 'string' && value.length <= LONGEST_TEXT && !UNUSUAL.test(value) && pattern.test(value);
}

function isText(value: Json | undefined): boolean {
  return typeof value === 'string' && value.length <= LONGEST_TEXT && !isUnusual(value);
}

function isUnusual(text: string): boolean {
  return UNUSUAL.test(text.replaceAll(/[\t\n\r]/g, ''));
}

/** True for raw data that no parser or database has a reason to refuse: any object that is not nested too deeply. */
export function isPlainRaw(value: Json | undefined): boolean {
  return isObject(value) && isPlainPart(value, 25);
}

function isPlainPart(value: Json, depth: number): boolean {
  if (depth === 0) return false;
  if (typeof value === 'string') return isText(value);
  if (typeof value === 'number') return Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value as JsonObject).every(
    ([key, member]) => !isUnusual(key) && key.length <= 200 && isPlainPart(member, depth - 1),
  );
}
