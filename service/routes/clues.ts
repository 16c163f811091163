import { hash } from 'node:crypto';
import { ok } from '../http/answer.ts';
import { badRequest } from '../http/refusal.ts';
import { writeJson } from '../json/exact.ts';
import { clueFacts } from '../model/clue.ts';
import { isFields } from '../model/shape.ts';
import type { Fields } from '../model/shape.ts';
import { mappingFor } from '../world/mappings.ts';
import type { Mapping } from '../world/mappings.ts';
import { ORGANIZATION } from '../world/organization.ts';
import type { World } from '../world/world.ts';
import { inForm } from './define.ts';

export const clueOperations = inForm('/api/v1', 'any', {
  'POST /clue': (call) => {
    const save = call.query.boolean('save') ?? true;
    return ok(receive(call.world, call.body, call.raw ?? Buffer.alloc(0), save));
  },
});

export const rawOperations = inForm('/api', 'any', {
  'POST /admin/entity/ProcessClue': (call) => {
    if (!isFields(call.body)) throw badRequest('The body is not a JSON object.');
    const mapping = mappingFor(call.body);
    if (mapping === undefined) return ok({ converted: 0, clues: [] });
    const clue = toClue(mapping, call.body);
    return ok({ converted: 1, clues: [receive(call.world, clue, Buffer.from(writeJson(clue)), true)] });
  },
});

/** The entity id is computed from the origin code: the same clue is the same entity. */
function receive(world: World, body: unknown, raw: Buffer, save: boolean) {
  const { vocabularyKeys, ...entity } = clueFacts(body);
  if (save) {
    world.clues.set(entity, raw);
    for (const key of vocabularyKeys) world.vocabulary.learn(key);
  }
  return { entityId: entityId(entity.origin), originEntityCode: entity.origin, saved: save };
}

function entityId(origin: string): string {
  const hex = hash('md5', origin);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function toClue(mapping: Mapping, data: Fields) {
  const origin = `${mapping.entityType}#${mapping.source}:${String(data[mapping.idField])}`;
  const known = Object.entries(mapping.fields).filter(
    ([field]) => Object.hasOwn(data, field) && !isFields(data[field]),
  );
  const properties = Object.fromEntries(known.map(([field, key]) => [key, String(data[field])]));
  const common = { 'attribute-origin': origin, 'attribute-appVersion': '1.0.0.0' };
  const entityData = {
    ...common,
    'attribute-source': mapping.source,
    entityType: mapping.entityType,
    codes: [origin],
    properties: { 'attribute-type': '/Metadata/KeyValue', ...properties },
  };
  const clueDetails = { data: { ...common, 'attribute-inputSource': mapping.source, entityData } };
  return { clue: { 'attribute-organization': ORGANIZATION, ...common, clueDetails } };
}
