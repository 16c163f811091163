import type { Json, JsonObject } from '../../../spec/index.ts';
import { escapeToken, isObject, scalarText } from '../../../spec/index.ts';
import { NAME } from '../attempts/slot.ts';
import type { Case } from '../case.ts';
import { COUNTS, KEYS, LENGTHS, TEXTS } from './values.ts';
import { failingPatches } from '../../../domain/builtin/bodies/failing-patches.ts';
import { AGENT_ID } from '../../../domain/builtin/bodies/identifiers.ts';

/** Number of unusual texts in one patch. */
const EACH = 3;

const METADATA: JsonObject = {
  'assay-kept': 'kept',
  'assay/slash': 'slash',
  'assay~tilde': 'tilde',
  'assay~1both': 'both',
};

/** The job before each patch. */
export const JOB: JsonObject = {
  name: NAME,
  description: 'as created',
  prompt: 'as asked',
  aiAgentId: AGENT_ID,
  enabled: false,
  enableCronSchedule: false,
  allowedSkills: ['assay-one', 'assay-two', 'assay-three'],
  metadata: METADATA,
};

/** A job whose list and map are empty. */
export const EMPTY_JOB: JsonObject = { ...JOB, allowedSkills: [], metadata: {} };

/** The job without skills, because a deployment may not know them. */
export const BARE_JOB: JsonObject = { ...JOB, allowedSkills: [] };

const MEMBER = /^\/(name|description|prompt|cronSchedule|metadata(\/[^/]+)?|allowedSkills(\/(-|\d+))?)$/;

/** True for a patch that names only known members of jobs. */
export function isSensible(patch: Json | undefined): boolean {
  return (
    Array.isArray(patch) &&
    patch.every(
      (each: Json) =>
        isObject(each) &&
        [each['path'], each['from'] ?? '/name'].every((pointer) => typeof pointer === 'string' && MEMBER.test(pointer)),
    )
  );
}

const step = (op: string, path: string, more: JsonObject = {}): JsonObject => ({ op, path, ...more });
const put = (path: string, value: Json): JsonObject => step('replace', path, { value });

/** Patches that can be applied, one of each kind. */
const APPLICABLE: readonly (readonly JsonObject[])[] = [
  [],
  [put('/description', 'patched')],
  [step('add', '/description', { value: 'added' })],
  [step('remove', '/description')],
  [put('/prompt', null)],
  [put('/prompt', '')],
  [step('add', '/metadata/new', { value: 'x' })],
  [put('/metadata/assay-kept', 'x')],
  [step('remove', '/metadata/assay-kept')],
  [step('add', '/metadata/assay-kept', { value: 'over' })],
  [step('test', '/description', { value: 'as created' })],
  [step('test', '/metadata/assay~1slash', { value: 'slash' })],
  [step('test', '/metadata/assay~0tilde', { value: 'tilde' })],
  [put('/metadata/assay~1slash', 'x')],
  [put('/metadata/assay~0tilde', 'x')],
  [put('/metadata/assay~01both', 'x')],
  [step('remove', '/metadata/assay~1slash')],
  [step('remove', '/metadata/assay~0tilde')],
  [step('add', '/metadata/a~1b~0c', { value: 'x' })],
  [step('move', '/prompt', { from: '/description' })],
  [step('copy', '/prompt', { from: '/description' })],
  [step('move', '/metadata/moved', { from: '/metadata/assay-kept' })],
  [step('move', '/metadata/assay-kept', { from: '/metadata/assay~1slash' })],
  [step('copy', '/metadata/assay-kept', { from: '/metadata/assay~1slash' })],
  [step('copy', '/metadata/copied', { from: '/metadata/assay~1slash' })],
  [step('move', '/metadata/m', { from: '/metadata/assay~0tilde' })],
  [step('add', '/allowedSkills/-', { value: 'assay-last' })],
  [step('add', '/allowedSkills/0', { value: 'assay-first' })],
  [step('add', '/allowedSkills/1', { value: 'assay-middle' })],
  [step('add', '/allowedSkills/3', { value: 'assay-end' })],
  [step('remove', '/allowedSkills/0')],
  [step('remove', '/allowedSkills/2')],
  [put('/allowedSkills/1', 'assay-other')],
  [step('move', '/allowedSkills/0', { from: '/allowedSkills/2' })],
  [step('copy', '/allowedSkills/-', { from: '/allowedSkills/0' })],
  [put('/allowedSkills', [])],
  [put('/allowedSkills', ['assay-one'])],
  [put('/metadata', {})],
  [put('/metadata', { only: 'one' })],
  [put('/metadata', { a: '1', b: '2' }), step('test', '/metadata', { value: { b: '2', a: '1' } })],
  [step('test', '/allowedSkills', { value: ['assay-one', 'assay-two', 'assay-three'] })],
  [step('test', '/metadata', { value: Object.fromEntries(Object.entries(METADATA).toReversed()) })],
  [step('test', '/enabled', { value: false })],
  [put('/enabled', false)],
  [put('/description', 'one'), put('/description', 'two')],
  [put('/description', 'one'), step('test', '/description', { value: 'one' }), put('/description', 'two')],
  [step('remove', '/description'), step('add', '/description', { value: 'again' })],
  [
    step('add', '/metadata/a', { value: '1' }),
    step('copy', '/metadata/b', { from: '/metadata/a' }),
    step('remove', '/metadata/a'),
  ],
  [step('remove', '/allowedSkills/0'), step('remove', '/allowedSkills/0')],
  [step('add', '/allowedSkills/0', { value: 'assay-x' }), step('remove', '/allowedSkills/1')],
  [
    put('/name', NAME),
    put('/description', 'a'),
    put('/prompt', 'b'),
    step('add', '/metadata/c', { value: 'c' }),
    step('add', '/allowedSkills/-', { value: 'assay-d' }),
  ],
];

/** Patches after which a job may run. */
const ENABLING: readonly (readonly JsonObject[])[] = [
  [put('/cronSchedule', '0 3 * * *'), put('/enableCronSchedule', true)],
  [put('/enabled', true)],
];

/** Patches of a job whose list and map are empty. */
const APPLICABLE_TO_EMPTY: readonly (readonly JsonObject[])[] = [
  [step('add', '/metadata/first', { value: 'x' })],
  [step('add', '/allowedSkills/-', { value: 'assay-first' })],
  [step('add', '/allowedSkills/0', { value: 'assay-first' })],
  [put('/metadata', { only: 'one' })],
];

/** Patches of a map with an empty key, which a pointer with a slash at its end names (RFC 6901, section 5); they may be refused. */
const EMPTY_KEY: readonly (readonly JsonObject[])[] = ['add', 'replace', 'test', 'remove', 'copy', 'move'].map((op) => [
  put('/metadata', { '': 'x', a: 'y' }),
  op === 'copy' || op === 'move'
    ? step(op, '/metadata/moved', { from: '/metadata/' })
    : step(op, '/metadata/', op === 'remove' ? {} : { value: op === 'test' ? 'x' : 'of the empty key' }),
]);

/** Patches without effect, which may be refused. */
const WITHOUT_EFFECT: readonly (readonly JsonObject[])[] = [
  [{ ...put('/description', 'as created'), assayUnknown: 1 }],
  [step('move', '/description', { from: '/description' })],
  [step('copy', '/description', { from: '/description' })],
  [step('move', '/metadata/assay-kept', { from: '/metadata/assay-kept' })],
  [step('move', '/allowedSkills/1', { from: '/allowedSkills/1' })],
];

/** Patches whose result is not documented; they must not cause a server error. Those that most likely do come first. */
const WHOLE: readonly (readonly JsonObject[])[] = [
  [step('remove', '')],
  [put('', {})],
  [step('move', '', { from: '/metadata' })],
  [step('move', '/metadata/inner', { from: '/metadata' })],
  [put('/allowedSkills', null), step('add', '/allowedSkills/-', { value: 'assay-last' })],
  [step('remove', '/allowedSkills/99999999999999999999')],
  [step('add', '/', { value: 'of the empty key' })],
  [step('add', '', { value: { name: NAME } })],
  [step('test', '', { value: {} })],
  [step('copy', '/metadata/all', { from: '' })],
  [step('copy', '/metadata/inner', { from: '/metadata' })],
  [step('REPLACE', '/description', { value: 'patched' })],
];

/** Number of patches of {@link WHOLE} before those that cannot be applied. */
const FIRST = 7;

function caseOf(patch: Json, form: number, more: Pick<Case, 'served' | 'label' | 'after'> = {}): Case {
  return {
    form,
    request: {
      path: {},
      query: {},
      headers: {},
      body: {
        type: (form + Math.floor(form / 3)) % 3 === 2 ? 'application/json-patch+json' : 'application/json',
        value: patch,
      },
    },
    ...more,
  };
}

/** Patches that cannot be applied, and those that may be refused. */
export function* failingCases(): Iterable<Case> {
  let form = 0;
  for (const patch of WHOLE.slice(0, FIRST)) yield caseOf(patch, form++);
  for (const { label, patch } of failingPatches(NAME)) yield caseOf(patch, form++, { label });
  for (const patch of [...WITHOUT_EFFECT, ...WHOLE.slice(FIRST)]) yield caseOf(patch, form++);
}

/** Patches that can be applied, one of each kind, then patches of many operations. `mayRun`: whether they may enable a job, too. */
export function* patchCases(mayRun: boolean): Iterable<Case> {
  let form = 0;
  for (const patch of [...APPLICABLE, ...(mayRun ? ENABLING : [])]) yield caseOf(patch, form++, { served: true });
  for (const patch of APPLICABLE_TO_EMPTY) yield caseOf(patch, form++, { served: true, after: 'empty' });
  for (const count of COUNTS.slice(3, 14))
    yield caseOf(
      Array.from({ length: count }, (_, index) => put('/description', `change ${index}`)),
      form++,
    );
}

/** Patches with unusual texts and keys, several at a time, and with texts of all lengths. */
export function* unusualPatchCases(): Iterable<Case> {
  const keys = KEYS.filter((key) => !['__proto__', 'prototype', 'constructor'].includes(key));
  let form = 0;
  for (const patch of EMPTY_KEY) yield caseOf(patch, form++);
  for (let index = 0; index < Math.max(TEXTS.length, keys.length); index += EACH) {
    const added = keys.slice(index, index + EACH);
    if (added.length > 0) {
      yield caseOf(
        added.map((key) => step('add', `/metadata/${escapeToken(key)}`, { value: 'x' })),
        form++,
      );
      yield caseOf([step('add', '/metadata', { value: Object.fromEntries(added.map((key) => [key, 'x'])) })], form++);
    }
    const lengths = LENGTHS.slice(index, index + EACH);
    for (const texts of [TEXTS.slice(index, index + EACH), lengths.map((length) => 'a'.repeat(length))])
      if (texts.length > 0) yield caseOf(withTexts(texts), form++);
  }
}

function withTexts([description, prompt, entry]: readonly string[]): Json {
  return [
    ...(description === undefined ? [] : [put('/description', description)]),
    ...(prompt === undefined ? [] : [put('/prompt', prompt)]),
    ...(entry === undefined ? [] : [step('add', '/metadata/unusual', { value: entry })]),
  ];
}

/** The names of the operations of a patch; for a patch that must fail, only that of the last operation. */
export function patchOperations({ request, label }: Case): readonly string[] {
  const steps = request.body?.value;
  if (!Array.isArray(steps)) return ['not-a-patch'];
  const relevant: readonly Json[] = label === undefined ? steps : steps.slice(-1);
  if (relevant.length === 0) return ['empty'];
  return [...new Set(relevant.map((each) => (isObject(each) ? scalarText(each['op']) : 'not-an-operation')))].sort();
}
