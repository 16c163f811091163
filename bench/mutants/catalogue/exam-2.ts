import { isDeepStrictEqual } from 'node:util';
import { asList, asObject, asks, at, parsed, withBody } from '../kit.ts';
import type { JsonMap } from '../kit.ts';
import type { Call, Mutant } from '../types.ts';
import {
  define,
  exam,
  has,
  keyOf,
  malformedUuid,
  operations,
  sameButForCase,
  stringAt,
  tripsOver,
} from './exam-kit.ts';
import { FIVE, needsOf, POLICY, READ_JOB, SET, str, stumbles, trips, where } from './fresh-kit.ts';
import { itself } from './parts.ts';

const PATCH = 'PATCH /aijob/{id}';
const MEANT = 'PATCH takes an array of JSON Patch operations (section 4), which RFC 6902 defines';
const CLUE = ['POST /clue'] as const;
const RAW = ['POST /admin/entity/ProcessClue'] as const;

/** Applies other operations than were sent, by what the job holds. */
function applies(mutant: string, change: (all: readonly JsonMap[], job: JsonMap) => readonly JsonMap[]): Mutant {
  return define(
    mutant,
    MEANT,
    [PATCH, ...READ_JOB],
    at(
      where([PATCH], (_, call) => Array.isArray(call.json)),
      async (call, next, context) => {
        const after = change(operations(call), asObject(parsed(await context.ask('GET', itself(call)))));
        return next(isDeepStrictEqual(after, call.json) ? undefined : withBody(after));
      },
    ),
    ['reversible'],
  );
}

const PATCHES: readonly Mutant[] = [
  applies('patch-slash-of-key-stays-escaped', (all) =>
    all.map((one) =>
      /^\/metadata\/.*~1/.test(str(one['path'])) ? { ...one, path: str(one['path']).replaceAll('~1', '~01') } : one,
    ),
  ),
  applies('patch-add-of-known-key-ignored', (all, job) =>
    all.filter((one) => !(one['op'] === 'add' && has(job['metadata'], keyOf(one)))),
  ),
  applies('patch-copy-takes-the-source', (all) =>
    all.map((one) => (one['op'] === 'copy' && keyOf(one) !== '' ? { ...one, op: 'move' } : one)),
  ),
  applies('patch-test-ignores-case', (all, job) =>
    all.filter((one) => !(one['op'] === 'test' && sameButForCase(str(one['value']), stringAt(job, one)))),
  ),
  stumbles('patch-without-value-500', [PATCH], (_, call) =>
    operations(call).some((one) => ['add', 'replace', 'test'].includes(str(one['op'])) && !('value' in one)),
  ),
  tripsOver('patch-move-onto-known-key-500', FIVE, PATCH, (call, old) =>
    operations(call).some(
      (one) => one['op'] === 'move' && one['from'] !== one['path'] && has(old['metadata'], keyOf(one)),
    ),
  ),
];

const entityOf = (body: JsonMap): JsonMap =>
  asObject(asObject(asObject(asObject(body['clue'])['clueDetails'])['data'])['entityData']);
const bag = (body: JsonMap): readonly (readonly [string, unknown])[] =>
  Object.entries(asObject(entityOf(body)['properties'])).filter(([key]) => key !== 'attribute-type');
const direct = (body: JsonMap): readonly string[] =>
  Object.keys(entityOf(body)).filter((key) => key.startsWith('prop') && key !== 'properties');

const CLUES: readonly Mutant[] = [
  trips(
    'clue-codes-empty-500',
    CLUE,
    (body) => Array.isArray(entityOf(body)['codes']) && asList(entityOf(body)['codes']).length === 0,
  ),
  trips('clue-value-beyond-2000-500', CLUE, (body) => bag(body).some(([, value]) => str(value).length > 2000)),
  trips('clue-properties-in-both-places-500', CLUE, (body) => direct(body).length > 0 && bag(body).length > 0),
  trips('clue-value-with-markup-500', CLUE, (body) => bag(body).some(([, value]) => /[<&]/.test(str(value)))),
  stumbles(
    'clue-codes-no-list-of-strings-500',
    CLUE,
    (body) =>
      entityOf(body)['codes'] !== undefined &&
      !(
        Array.isArray(entityOf(body)['codes']) &&
        asList(entityOf(body)['codes']).every((code) => typeof code === 'string')
      ),
  ),
];

const depth = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;
const alike = (names: readonly string[]): boolean =>
  new Set(names.map((name) => name.toLowerCase())).size < names.length;

const RAWS: readonly Mutant[] = [
  trips('raw-deeper-than-8-500', RAW, (body) => depth(body) > 8),
  trips('raw-names-alike-500', RAW, (body) => alike(Object.keys(body))),
];

const entriesOf = (call: Call): readonly JsonMap[] => asList(call.json).map(asObject);

const ORDERS: readonly Mutant[] = [
  trips('order-entry-without-name-500', [SET], (_, call) =>
    entriesOf(call).some((entry) => !('name' in entry) || entry['name'] === null),
  ),
  define(
    'order-beyond-8-entries-ignored',
    'the order is set as a whole by an ordered array (section 3)',
    [SET, `GET ${POLICY}/byprocessingorder`],
    asks(
      where([SET], (_, call) => entriesOf(call).length > 8),
      (call) => withBody(entriesOf(call).slice(0, 8)),
    ),
    needsOf([SET]),
  ),
];

const TRIALS: readonly Mutant[] = [
  trips('preview-prompt-empty-500', ['POST /aijob/{id}/preview'], (body) => body['prompt'] === ''),
  stumbles('dry-run-malformed-uuid-500', ['POST /aijob/{id}/dry-run'], malformedUuid),
];

export const EXAM_2: readonly Mutant[] = [...PATCHES, ...CLUES, ...RAWS, ...ORDERS, ...TRIALS].map(exam);
