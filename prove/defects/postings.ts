import type { Defect } from '../defect.ts';
import { at } from '../proxy/handler.ts';
import { asList, asObject } from '../proxy/json.ts';
import type { JsonMap } from '../proxy/json.ts';
import { problem } from '../proxy/reply.ts';
import { valuesIn } from '../operators/values.ts';
import { clueParts } from './items.ts';
import { fails, defect, str, where } from './kit.ts';

const CLUE = ['POST /clue'] as const;
const RAW = ['POST /admin/entity/ProcessClue'] as const;
const entityOf = (body: JsonMap): JsonMap => clueParts(body)[2];
const inEachPart = (body: JsonMap, name: string): readonly string[] => clueParts(body).map((part) => str(part[name]));
const origins = (body: JsonMap): readonly string[] => inEachPart(body, 'attribute-origin');
const versions = (body: JsonMap): readonly string[] => inEachPart(body, 'attribute-appVersion');
const codes = (body: JsonMap): readonly string[] => asList(entityOf(body)['codes']).map(str);
/** Properties of the property bag, as pairs of key and value. */
const bag = (body: JsonMap): readonly (readonly [string, unknown])[] =>
  Object.entries(asObject(entityOf(body)['properties']))
    .filter(([key]) => key !== 'attribute-type')
    .map(([key, value]) => [key.replace(/^property-/, ''), value] as const);
/** Keys of properties directly under the entity. */
const direct = (body: JsonMap): readonly string[] =>
  Object.keys(entityOf(body)).filter((key) => key.startsWith('prop') && key !== 'properties');

const refusesClue = (name: string, breaks: string, test: (body: JsonMap) => boolean): Defect =>
  defect(name, breaks, CLUE, ['clue-accepted', 'valid-request-served']).by(
    at(where(CLUE, test)).handles(() => problem(400)),
  );

const CLUES: readonly Defect[] = [
  fails('clue-id-with-separator-500', CLUE, (body) =>
    origins(body).some((origin) => origin.includes('#') && /[:#]/.test(origin.slice(origin.indexOf(':') + 1))),
  ),
  fails('clue-origins-differ-500', CLUE, (body) => new Set(origins(body).filter((origin) => origin !== '')).size > 1),
  fails('clue-version-part-over-65535-500', CLUE, (body) =>
    versions(body).some((version) => version.split('.').some((part) => Number(part) > 65_535)),
  ),
  refusesClue('clue-version-of-five-parts-400', 'an application version is dotted numeric (section 2)', (body) =>
    versions(body).some((version) => /^\d+(?:\.\d+){4,}$/.test(version)),
  ),
  refusesClue('clue-source-with-hyphen-400', 'origin codes: /<EntityType>#<source>:<id> (section 2)', (body) =>
    origins(body).some((origin) => /#[^:]*-/.test(origin)),
  ),
  fails(
    'clue-codes-without-own-500',
    CLUE,
    (body) => codes(body).length > 0 && !codes(body).includes(str(entityOf(body)['attribute-origin'])),
  ),
  fails('clue-key-not-a-word-500', CLUE, (body) => bag(body).some(([key]) => /[-+@$/~]|\.\d|^\d/.test(key))),
  fails('clue-properties-in-both-places-500', CLUE, (body) => direct(body).length > 0 && bag(body).length > 0),
];

/** Most bytes of a message of many queues. */
const MOST_BYTES = 262_144;

const kindOf = (item: unknown): string => (item === null ? 'null' : Array.isArray(item) ? 'list' : typeof item);

export const POSTINGS: readonly Defect[] = [
  ...CLUES,
  fails('postings-over-256-kb-500', [...CLUE, ...RAW], (_, call) => call.body.length > MOST_BYTES),
  fails('raw-mixed-list-500', RAW, (body) =>
    Object.values(body)
      .flatMap(valuesIn)
      .some((value) => new Set(asList(value).map(kindOf)).size > 1),
  ),
];
