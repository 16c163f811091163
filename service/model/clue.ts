import { badRequest } from '../http/refusal.ts';
import type { EntityName } from '../world/clues.ts';
import { isFields, isString, isUuid } from './shape.ts';
import type { Fields } from './shape.ts';

/** What the service needs to know of a clue. */
export interface ClueFacts extends EntityName {
  readonly vocabularyKeys: readonly string[];
}

const ORIGIN_CODE = /^\/[^#]+#[^:]+:./s;
const TEXTS = ['attribute-origin', 'attribute-appVersion', 'attribute-inputSource', 'attribute-source', 'entityType'];
const PREFIX = /^prop(?:erty)?[-_.:]?/;
const NOTHING: Fields = {};

/** @throws Refusal 400 for what is no clue. */
export function clueFacts(body: unknown): ClueFacts {
  const clue = member(isFields(body) ? body : NOTHING, 'clue');
  if (clue === undefined) throw badRequest('The body holds no clue.', { clue: ['Is required.'] });
  const organization = clue['attribute-organization'];
  if (organization !== undefined && !isUuid(organization)) throw wrong('attribute-organization', 'a uuid');
  checkTexts(clue);
  const data = member(member(clue, 'clueDetails') ?? NOTHING, 'data') ?? NOTHING;
  checkTexts(data);
  const entity = member(data, 'entityData') ?? NOTHING;
  checkTexts(entity);
  checkCodes(entity['codes']);
  const properties = member(entity, 'properties') ?? NOTHING;
  const origin = clue['attribute-origin'] ?? data['attribute-origin'] ?? entity['attribute-origin'];
  if (typeof origin !== 'string' || !ORIGIN_CODE.test(origin)) throw wrong('attribute-origin', 'an origin code');
  const keys = vocabularyKeys(properties, entity);
  const name = nameOf(properties, entity) ?? origin;
  return { origin, name, entityType: entityTypeOf(entity, origin), vocabularyKeys: keys };
}

function wrong(name: string, what: string) {
  return badRequest('The clue is not valid.', { [name]: [`Must be ${what}.`] });
}

function member(parent: Fields, name: string): Fields | undefined {
  const value = parent[name];
  if (value === undefined) return undefined;
  if (!isFields(value)) throw wrong(name, 'an object');
  return value;
}

function checkTexts(part: Fields): void {
  for (const name of TEXTS) {
    const value = part[name];
    if (value !== undefined && typeof value !== 'string') throw wrong(name, 'a string');
  }
}

function checkCodes(codes: unknown): void {
  if (codes === undefined) return;
  if (!Array.isArray(codes) || !codes.every((code) => typeof code === 'string'))
    throw wrong('codes', 'an array of strings');
}

function vocabularyKeys(properties: Fields, entity: Fields): string[] {
  const keys: string[] = [];
  for (const key of Object.keys(properties)) {
    if (!isString(properties[key])) throw wrong(key, 'a string');
    if (key !== 'attribute-type') keys.push(key.replace(/^property-/, ''));
  }
  for (const key of Object.keys(entity)) {
    if (key.startsWith('prop') && key !== 'properties') keys.push(key.replace(PREFIX, ''));
  }
  return keys;
}

function entityTypeOf(entity: Fields, origin: string): string {
  const given = entity['entityType'];
  return typeof given === 'string' ? given : origin.slice(0, origin.indexOf('#'));
}

function nameOf(properties: Fields, entity: Fields): string | undefined {
  for (const part of [entity, properties]) {
    for (const key of Object.keys(part)) {
      const value = part[key];
      if ((key === 'name' || key.endsWith('.name')) && typeof value === 'string' && value !== '') return value;
    }
  }
  return undefined;
}
