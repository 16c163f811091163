import type { Json, JsonObject } from '../../spec/index.ts';

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

/** Patches that fail against any job's document: those with a change before the failure show whether it is undone. */
export function failingPatches(name: string): FailingPatch[] {
  return [
    ...fails('a test that does not hold', { op: 'test', path: '/name', value: `${name} and more` }),
    ...fails('a test of another type', { op: 'test', path: '/name', value: 1 }),
    ...fails('a test of what is missing', { op: 'test', path: '/assayMissing', value: 1 }),
    ...fails('removing what is missing', { op: 'remove', path: '/assayMissing' }),
    ...fails('replacing what is missing', { op: 'replace', path: '/assayMissing', value: 1 }),
    ...fails('adding under what is missing', { op: 'add', path: '/assayMissing/inner', value: 1 }),
    ...fails('copying what is missing', { op: 'copy', from: '/assayMissing', path: '/description' }),
    ...fails('moving what is missing', { op: 'move', from: '/assayMissing', path: '/description' }),
    ...fails('an index past the end', { op: 'add', path: '/allowedSkills/9999', value: 'x' }),
    ...fails('an operation that is none', { op: 'assay', path: '/name', value: 'x' }),
    ...fails('a path without its slash', { op: 'replace', path: 'name', value: 'x' }),
    ...fails('no path', { op: 'replace', value: 'x' }),
  ];
}
