import type { Operation } from 'fast-json-patch';
import { emptyFilter, sampleDataSource } from '../../../domain/builtin/bodies/samples.ts';
import type { Json, JsonObject } from '../../../spec/index.ts';

/** Pointer to the list that patches of lists change. */
export const SKILLS = '/allowedSkills';

/** Stands for a skill of the deployment that the job does not have yet. */
export const NEW_SKILL = 'a new skill';

/** Stands for the skills of the job in reverse order. */
export const REVERSED_SKILLS = 'the skills in reverse order';

const FILTER = { ...emptyFilter(), condition: 'OR', rules: [emptyFilter()] };

/** A data source with members that hold objects and lists. */
export const ADDED_SOURCE: JsonObject = sampleDataSource({
  name: 'added',
  filterRule: FILTER,
  vocabularyKeys: ['assay.one'],
});

/** Patches that a job of the test allows, each for one rule of RFC 6902. */
export const APPLICABLE_PATCHES: Readonly<Record<string, readonly Operation[]>> = {
  'replace a text': [{ op: 'replace', path: '/description', value: 'patched' }],
  'add over an existing member': [{ op: 'add', path: '/prompt', value: 'added over' }],
  'remove a text': [{ op: 'remove', path: '/description' }],
  'a test that holds, then a replacement': [
    { op: 'test', path: '/description', value: 'as created' },
    { op: 'replace', path: '/description', value: 'tested' },
  ],
  'several operations in their order': [
    { op: 'replace', path: '/description', value: 'first' },
    { op: 'replace', path: '/description', value: 'second' },
    { op: 'replace', path: '/prompt', value: 'third' },
  ],
  'many operations': [
    ...Array.from({ length: 12 }, (_, at) => ({ op: 'replace', path: '/description', value: `step ${at}` }) as const),
    { op: 'replace', path: '/prompt', value: 'the last one' },
  ],
  copy: [{ op: 'copy', from: '/description', path: '/prompt' }],
  move: [{ op: 'move', from: '/description', path: '/prompt' }],
  'append to an array': [{ op: 'add', path: '/allowedSkills/-', value: NEW_SKILL }],
  'append to an array at its length': [{ op: 'add', path: '/allowedSkills/2', value: NEW_SKILL }],
  'append an object to an array': [{ op: 'add', path: '/dataSources/-', value: ADDED_SOURCE }],
  'change the second of two objects': [
    { op: 'add', path: '/dataSources/-', value: ADDED_SOURCE },
    { op: 'remove', path: '/dataSources/1/vocabularyKeys/0' },
    { op: 'replace', path: '/dataSources/1/name', value: 'renamed' },
  ],
  'copy a list, then append to the copy': [
    { op: 'add', path: '/dataSources/-', value: ADDED_SOURCE },
    { op: 'copy', from: '/dataSources/1/vocabularyKeys', path: '/dataSources/0/vocabularyKeys' },
    { op: 'add', path: '/dataSources/0/vocabularyKeys/-', value: 'assay.two' },
  ],
  'insert into an array': [{ op: 'add', path: '/allowedSkills/0', value: NEW_SKILL }],
  'remove from an array': [{ op: 'remove', path: '/allowedSkills/0' }],
  'append to an array, then remove two items': [
    { op: 'add', path: '/allowedSkills/-', value: NEW_SKILL },
    { op: 'remove', path: '/allowedSkills/0' },
    { op: 'remove', path: '/allowedSkills/1' },
  ],
  'replace in an array': [{ op: 'replace', path: '/allowedSkills/1', value: NEW_SKILL }],
  'move within an array': [{ op: 'move', from: '/allowedSkills/0', path: '/allowedSkills/1' }],
  'move to the end of an array': [{ op: 'move', from: '/allowedSkills/0', path: '/allowedSkills/-' }],
  'replace a nested member': [{ op: 'replace', path: '/dataSources/0/name', value: 'patched source' }],
  'add to a map': [{ op: 'add', path: '/metadata/assay-new', value: 'new' }],
  'replace in a map': [{ op: 'replace', path: '/metadata/assay-kept', value: 'changed' }],
  'remove from a map': [{ op: 'remove', path: '/metadata/assay-kept' }],
  'copy in a map, then remove': [
    { op: 'copy', from: '/metadata/assay-kept', path: '/metadata/assay-new' },
    { op: 'remove', path: '/metadata/assay-kept' },
  ],
  'remove from a map, then add again': [
    { op: 'remove', path: '/metadata/assay-kept' },
    { op: 'add', path: '/metadata/assay-kept', value: 'again' },
  ],
  'an escaped slash': [{ op: 'replace', path: '/metadata/assay~1slash', value: 'slashed' }],
  'an escaped tilde': [{ op: 'replace', path: '/metadata/assay~0tilde', value: 'tilded' }],
  'an escaped tilde before a digit': [{ op: 'add', path: '/metadata/assay~01digit', value: 'digit' }],
  'replace by null': [{ op: 'replace', path: '/description', value: null }],
  'no operations': [],
};

export interface FailingOperation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: Json;
}

const CHANGE: FailingOperation = { op: 'replace', path: '/description', value: 'half' };

/** Patches that cannot be applied; each must be refused with 400 or 409 and change nothing. */
export const FAILING_PATCHES: Readonly<Record<string, readonly FailingOperation[]>> = {
  'a test that fails': [{ op: 'test', path: '/description', value: 'something else' }],
  'a change, then a test that fails': [CHANGE, { op: 'test', path: '/prompt', value: 'something else' }],
  'a change, one in a map and one in an array, then a test that fails': [
    CHANGE,
    { op: 'replace', path: '/metadata/assay-kept', value: 'half too' },
    { op: 'remove', path: '/allowedSkills/0' },
    { op: 'test', path: '/description', value: 'something else' },
  ],
  'a change, then a test in other letters': [CHANGE, { op: 'test', path: '/prompt', value: 'AS ASKED' }],
  'a change, then removing a missing member': [CHANGE, { op: 'remove', path: '/metadata/assay-not-there' }],
  'a change, then replacing a missing member': [
    CHANGE,
    { op: 'replace', path: '/metadata/assay-not-there', value: 'new' },
  ],
  'a change, then a test of a map that fails': [
    CHANGE,
    { op: 'test', path: '/metadata', value: { 'assay-kept': 'something else' } },
  ],
  'a change, then a test in a map that fails': [
    CHANGE,
    { op: 'test', path: '/metadata/assay-kept', value: 'something else' },
  ],
  'a change, then a test in an object of an array that fails': [
    CHANGE,
    { op: 'test', path: '/dataSources/0/name', value: 'something else' },
  ],
  'a change, then a test of a part of a map': [CHANGE, { op: 'test', path: '/metadata', value: {} }],
  'tests that hold, a test that fails, then a change': [
    { op: 'test', path: '/description', value: 'as created' },
    { op: 'test', path: '/metadata/assay-kept', value: 'kept' },
    { op: 'test', path: '/prompt', value: 'something else' },
    CHANGE,
  ],
  'a change, then a test for null': [CHANGE, { op: 'test', path: '/name', value: null }],
  'a change, then a test of an array in another order': [CHANGE, { op: 'test', path: SKILLS, value: REVERSED_SKILLS }],
  'an unknown operation': [{ ...CHANGE, op: 'assay' }],
  'a change, then a path outside an array': [CHANGE, { op: 'add', path: '/allowedSkills/99', value: 'far' }],
  'a change, then copying a missing member': [
    CHANGE,
    { op: 'copy', from: '/metadata/assay-not-there', path: '/prompt' },
  ],
  'a change, then moving a map into itself': [CHANGE, { op: 'move', from: '/metadata', path: '/metadata/assay-inner' }],
};
