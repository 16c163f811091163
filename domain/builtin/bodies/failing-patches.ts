import type { Json, JsonObject } from '../../../spec/index.ts';

/** A JSON Patch that RFC 6902 says must fail as a whole. */
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

/** A text that is set first, and a test that only a lax comparison holds for. */
function nearly(label: string, path: string, set: Json, test: Json): FailingPatch {
  return {
    label,
    patch: [
      { op: 'replace', path, value: set },
      { op: 'test', path, value: test },
    ],
  };
}

/** Patches that fail against any job's document: those with a change before the failure show whether it is undone. */
export function failingPatches(name: string): FailingPatch[] {
  return [
    ...fails('a test that does not hold', { op: 'test', path: '/name', value: `${name} and more` }),
    ...fails('a test in capitals', { op: 'test', path: '/description', value: 'AS CREATED' }),
    ...fails('a test of another type', { op: 'test', path: '/name', value: 1 }),
    ...fails('a test of what is missing', { op: 'test', path: '/assayMissing', value: 1 }),
    ...fails('removing what is missing', { op: 'remove', path: '/assayMissing' }),
    ...fails('replacing what is missing', { op: 'replace', path: '/assayMissing', value: 1 }),
    ...fails('adding under what is missing', { op: 'add', path: '/assayMissing/inner', value: 1 }),
    ...fails('copying what is missing', { op: 'copy', from: '/assayMissing', path: '/description' }),
    ...fails('moving what is missing', { op: 'move', from: '/assayMissing', path: '/description' }),
    ...fails('an index past the end', { op: 'add', path: '/allowedSkills/9999', value: 'x' }),
    ...fails('removing past the end', { op: 'remove', path: '/allowedSkills/9999' }),
    ...fails('replacing past the end', { op: 'replace', path: '/allowedSkills/9999', value: 'x' }),
    ...fails('an index below zero', { op: 'remove', path: '/allowedSkills/-1' }),
    ...fails('an index that is no number', { op: 'remove', path: '/allowedSkills/x' }),
    nearly('a test that differs in case', '/description', 'Assay', 'assay'),
    nearly('a test that differs in white space', '/description', 'as say', 'as say '),
    nearly('a test of the first part only', '/description', 'assay', 'ass'),
    nearly('a test of a number for a text', '/description', '1', 1),
    nearly(
      'a test of items in another order',
      '/allowedSkills',
      ['assay-one', 'assay-two'],
      ['assay-two', 'assay-one'],
    ),
    nearly('a test of fewer items', '/allowedSkills', ['assay-one', 'assay-two'], ['assay-one']),
    nearly('a test of fewer members', '/metadata', { a: 'x', b: 'y' }, { a: 'x' }),
    ...fails('an operation that is none', { op: 'assay', path: '/name', value: 'x' }),
    ...fails('a path without its slash', { op: 'replace', path: 'name', value: 'x' }),
    ...fails('no path', { op: 'replace', value: 'x' }),
  ];
}
