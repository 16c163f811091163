import type { Json, JsonObject } from '../../../spec/index.ts';

/** A JSON Patch that must fail as a whole (RFC 6902). */
export interface FailingPatch {
  readonly label: string;
  readonly patch: Json;
}

/** A valid operation before the one that fails: it must be undone. */
const CHANGE: JsonObject = { op: 'replace', path: '/description', value: 'Changed by a patch that fails' };

function failsAt(label: string, step: JsonObject): FailingPatch[] {
  return [
    { label, patch: [step] },
    { label: `${label}, after a change`, patch: [CHANGE, step] },
  ];
}

/** Sets a member and tests for a value that only a lax comparison takes as equal. */
function failsToMatch(label: string, path: string, set: Json, test: Json): FailingPatch {
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
    ...failsAt('a test that fails', { op: 'test', path: '/name', value: `${name} and more` }),
    ...failsAt('a test in upper case', { op: 'test', path: '/description', value: 'AS CREATED' }),
    ...failsAt('a test of another type', { op: 'test', path: '/name', value: 1 }),
    ...failsAt('a test for null', { op: 'test', path: '/name', value: null }),
    ...failsAt('a test of a missing member', { op: 'test', path: '/assayMissing', value: 1 }),
    ...failsAt('a test for null of a missing key', { op: 'test', path: '/metadata/assayMissing', value: null }),
    ...failsAt('removing a missing member', { op: 'remove', path: '/assayMissing' }),
    ...failsAt('replacing a missing member', { op: 'replace', path: '/assayMissing', value: 1 }),
    ...failsAt('adding under a missing member', { op: 'add', path: '/assayMissing/inner', value: 1 }),
    ...failsAt('copying a missing member', { op: 'copy', from: '/assayMissing', path: '/description' }),
    ...failsAt('moving a missing member', { op: 'move', from: '/assayMissing', path: '/description' }),
    ...failsAt('an index past the end', { op: 'add', path: '/allowedSkills/9999', value: 'x' }),
    ...failsAt('removing past the end', { op: 'remove', path: '/allowedSkills/9999' }),
    ...failsAt('replacing past the end', { op: 'replace', path: '/allowedSkills/9999', value: 'x' }),
    ...failsAt('a negative index', { op: 'remove', path: '/allowedSkills/-1' }),
    ...failsAt('an index that is not a number', { op: 'remove', path: '/allowedSkills/x' }),
    failsToMatch('a test that differs in case', '/description', 'Assay', 'assay'),
    failsToMatch('a test that differs in white space', '/description', 'as say', 'as say '),
    failsToMatch('a test of the first part only', '/description', 'assay', 'ass'),
    failsToMatch('a test of a number for a string', '/description', '1', 1),
    failsToMatch(
      'a test of items in another order',
      '/allowedSkills',
      ['assay-one', 'assay-two'],
      ['assay-two', 'assay-one'],
    ),
    failsToMatch('a test of fewer items', '/allowedSkills', ['assay-one', 'assay-two'], ['assay-one']),
    failsToMatch('a test of fewer members', '/metadata', { a: 'x', b: 'y' }, { a: 'x' }),
    ...failsAt('an unknown operation', { op: 'assay', path: '/name', value: 'x' }),
    ...failsAt('a path without a slash', { op: 'replace', path: 'name', value: 'x' }),
    ...failsAt('no path', { op: 'replace', value: 'x' }),
  ];
}
