import type { Json, JsonObject } from '../../../spec/index.ts';

/** A JSON Patch that must fail as a whole (RFC 6902). */
export interface FailingPatch {
  readonly label: string;
  readonly patch: Json;
}

const CHANGE: JsonObject = { op: 'replace', path: '/description', value: 'Changed by a patch that fails' };

function fails(label: string, step: JsonObject): FailingPatch[] {
  return [
    { label, patch: [step] },
    { label: `${label}, after a change`, patch: [CHANGE, step] },
  ];
}

/** Sets a value and tests for one that only a lax comparison takes as equal. */
function nearly(label: string, path: string, set: Json, test: Json): FailingPatch {
  return {
    label,
    patch: [
      { op: 'replace', path, value: set },
      { op: 'test', path, value: test },
    ],
  };
}

/** Patches that fail for every job. Those with a change before the failure show whether it is rolled back. */
export function failingPatches(name: string): FailingPatch[] {
  return [
    ...fails('a test that fails', { op: 'test', path: '/name', value: `${name} and more` }),
    ...fails('a test in upper case', { op: 'test', path: '/description', value: 'AS CREATED' }),
    ...fails('a test of another type', { op: 'test', path: '/name', value: 1 }),
    ...fails('a test of a missing member', { op: 'test', path: '/assayMissing', value: 1 }),
    ...fails('removing a missing member', { op: 'remove', path: '/assayMissing' }),
    ...fails('replacing a missing member', { op: 'replace', path: '/assayMissing', value: 1 }),
    ...fails('adding under a missing member', { op: 'add', path: '/assayMissing/inner', value: 1 }),
    ...fails('copying a missing member', { op: 'copy', from: '/assayMissing', path: '/description' }),
    ...fails('moving a missing member', { op: 'move', from: '/assayMissing', path: '/description' }),
    ...fails('an index past the end', { op: 'add', path: '/allowedSkills/9999', value: 'x' }),
    ...fails('removing past the end', { op: 'remove', path: '/allowedSkills/9999' }),
    ...fails('replacing past the end', { op: 'replace', path: '/allowedSkills/9999', value: 'x' }),
    ...fails('a negative index', { op: 'remove', path: '/allowedSkills/-1' }),
    ...fails('an index that is not a number', { op: 'remove', path: '/allowedSkills/x' }),
    nearly('a test that differs in case', '/description', 'Assay', 'assay'),
    nearly('a test that differs in white space', '/description', 'as say', 'as say '),
    nearly('a test of the first part only', '/description', 'assay', 'ass'),
    nearly('a test of a number for a string', '/description', '1', 1),
    nearly(
      'a test of items in another order',
      '/allowedSkills',
      ['assay-one', 'assay-two'],
      ['assay-two', 'assay-one'],
    ),
    nearly('a test of fewer items', '/allowedSkills', ['assay-one', 'assay-two'], ['assay-one']),
    nearly('a test of fewer members', '/metadata', { a: 'x', b: 'y' }, { a: 'x' }),
    ...fails('an unknown operation', { op: 'assay', path: '/name', value: 'x' }),
    ...fails('a path without a slash', { op: 'replace', path: 'name', value: 'x' }),
    ...fails('no path', { op: 'replace', value: 'x' }),
  ];
}
