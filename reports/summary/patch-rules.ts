import * as codes from './cause-codes.ts';
import { areAllOf, isOnOne } from './relations.ts';
import type { Explains } from './relations.ts';
import { wasRefused } from './statuses.ts';
import type { MergedFinding } from './types.ts';

/** A shortened patch that still has so many operations is applied wrongly because of their number. */
const MANY_OPERATIONS = 8;

/** The kinds of operations that the patch of a finding has, whatever their order. */
const kindsOf = ({ subject = '' }: MergedFinding): readonly string[] => [...new Set(subject.split(/[+ ]/))];

const hasManyOperations = ({ steps }: MergedFinding): boolean => {
  const body = steps.findLast(({ request }) => request.method === 'PATCH')?.request.body ?? '';
  return body.split('"op":').length > MANY_OPERATIONS;
};

/** Rules about JSON Patch, by the situation that they describe. */
export const PATCH_RULES: Readonly<Record<string, Explains>> = {
  'a refused patch that stays in part': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.code === 'json-patch/not-atomic' &&
    symptom.code === root.code &&
    wasRefused(root) &&
    wasRefused(symptom),

  'a kind of patch': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.check === 'json-patch' &&
    symptom.check === 'json-patch' &&
    root.subject === symptom.subject &&
    // The stored document shows the cause; a response that shows the same follows from it.
    !(root.code === 'json-patch/response' && symptom.code === 'json-patch/result'),

  'a generated patch with the same kinds of operations and others, or with as many': (root, symptom) => {
    const [own, others] = [kindsOf(root), kindsOf(symptom)];
    return (
      isOnOne(root, symptom) &&
      codes.APPLIED_WRONGLY.includes(root.code) &&
      codes.APPLIED_WRONGLY.includes(symptom.code) &&
      areAllOf(symptom, 'properties') &&
      ((others.length > 1 && own.every((kind) => others.includes(kind))) ||
        (hasManyOperations(root) && hasManyOperations(symptom)))
    );
  },

  'a kind of patch that is served where it cannot be applied, also behind others': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.code === 'json-patch/served' &&
    symptom.code === root.code &&
    kindsOf(symptom).length > 1 &&
    kindsOf(root).every((kind) => kindsOf(symptom).includes(kind)),
};
