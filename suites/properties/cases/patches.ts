import type { Json, JsonObject } from '../../../spec/index.ts';
import { escapeToken, isObject } from '../../../spec/index.ts';
import { NAME } from '../attempts/stage.ts';
import type { Case } from '../hunt/case.ts';
import { COUNTS, KEYS, LENGTHS, TEXTS } from './values.ts';
import { failingPatches } from '../../../domain/builtin/bodies/failing-patches.ts';
import { AGENT_ID } from '../../../domain/builtin/knowledge.ts';

/** Odd texts that one patch brings. */
const EACH = 3;

/** The job that patches are for, before each of them. */
export const JOB: JsonObject = {
  name: NAME,
  description: 'as created',
  prompt: 'as asked',
  aiAgentId: AGENT_ID,
  enabled: false,
  enableCronSchedule: false,
  allowedSkills: ['assay-one', 'assay-two', 'assay-three'],
  metadata: { 'assay-kept': 'kept', 'assay/slash': 'slash', 'assay~tilde': 'tilde', 'assay~1both': 'both' },
};

/** A job whose list and map are empty. */
export const EMPTY_JOB: JsonObject = { ...JOB, allowedSkills: [], metadata: {} };

/** The same without what a deployment may not know. */
export const BARE_JOB: JsonObject = { ...JOB, allowedSkills: [] };

const MEMBER = /^\/(name|description|prompt|cronSchedule|metadata(\/[^/]+)?|allowedSkills(\/(-|\d+))?)$/;

/** True for a patch that names only members which jobs have. */
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

/** Patches that RFC 6902 lets through, one of each sort. */
const FITTING: readonly (readonly JsonObject[])[] = [
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

/** Patches of a job whose list and map are empty. */
const FITTING_EMPTY: readonly (readonly JsonObject[])[] = [
  [step('add', '/metadata/first', { value: 'x' })],
  [step('add', '/allowedSkills/-', { value: 'assay-first' })],
  [step('add', '/allowedSkills/0', { value: 'assay-first' })],
  [put('/metadata', { only: 'one' })],
];

/** Patches that change nothing and may be refused; where they are applied, nothing may change. */
const IDLE: readonly (readonly JsonObject[])[] = [
  [{ ...put('/description', 'as created'), assayUnknown: 1 }],
  [step('move', '/description', { from: '/description' })],
  [step('copy', '/description', { from: '/description' })],
  [step('move', '/metadata/assay-kept', { from: '/metadata/assay-kept' })],
  [step('move', '/allowedSkills/1', { from: '/allowedSkills/1' })],
];

/** Patches of the document as a whole, and an operation in capitals: whatever becomes of them, they bring no server error. */
const WHOLE: readonly (readonly JsonObject[])[] = [
  [put('', {})],
  [step('add', '', { value: { name: NAME } })],
  [step('remove', '')],
  [step('test', '', { value: {} })],
  [step('copy', '/metadata/all', { from: '' })],
  [step('move', '', { from: '/metadata' })],
  [step('REPLACE', '/description', { value: 'patched' })],
];

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

/** Patches that must fail, as cases. */
export function* failingCases(): Iterable<Case> {
  for (const [form, { label, patch }] of failingPatches(NAME).entries()) yield caseOf(patch, form, { label });
}

/** Patches as cases: one of each sort, then many operations, then made-up ones. Where they fit, they are to be applied. */
export function* patchCases(more: Iterable<Case>): Iterable<Case> {
  let form = 0;
  for (const patch of FITTING) yield caseOf(patch, form++, { served: true });
  for (const patch of FITTING_EMPTY) yield caseOf(patch, form++, { served: true, after: 'empty' });
  for (const patch of [...IDLE, ...WHOLE]) yield caseOf(patch, form++);
  for (const count of COUNTS.slice(3, 14))
    yield caseOf(
      Array.from({ length: count }, (_, index) => put('/description', `change ${index}`)),
      form++,
    );
  yield* more;
}

/** Patches that bring odd texts, some of them as keys, several at a time, and texts of all lengths. */
export function* oddPatchCases(): Iterable<Case> {
  let form = 0;
  const keys = [...new Set([...KEYS, ...TEXTS])].filter(
    (key) => !['__proto__', 'prototype', 'constructor'].includes(key),
  );
  for (let index = 0; index < Math.max(TEXTS.length, keys.length); index += EACH) {
    const added = keys
      .slice(index, index + EACH)
      .map((key) => step('add', `/metadata/${escapeToken(key)}`, { value: 'x' }));
    if (added.length > 0) yield caseOf(added, form++);
    const [first, second, third] = TEXTS.slice(index, index + EACH);
    if (first !== undefined)
      yield caseOf(
        [
          put('/description', first),
          ...(second === undefined ? [] : [put('/prompt', second)]),
          ...(third === undefined ? [] : [step('add', '/metadata/odd', { value: third })]),
        ],
        form++,
      );
    if (index < LENGTHS.length)
      yield caseOf(
        [
          put('/description', 'a'.repeat(LENGTHS[index] ?? 1)),
          put('/prompt', 'a'.repeat(LENGTHS[index + 1] ?? 1)),
          step('add', '/metadata/odd', { value: 'a'.repeat(LENGTHS[index + 2] ?? 1) }),
        ],
        form++,
      );
  }
}
