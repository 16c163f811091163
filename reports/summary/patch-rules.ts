import * as codes from './cause-codes.ts';
import { areAllOf, isOnOne, rule } from './relations.ts';
import type { Explains } from './relations.ts';
import { wasRefused } from './statuses.ts';
import type { MergedFinding } from './types.ts';

/** A shortened patch that still has so many operations is applied wrongly because of their number. */
const MANY_OPERATIONS = 8;

/** The kinds of operations that the patch of a finding has, whatever their order. */
const kindsOf = ({ subject = '' }: MergedFinding): readonly string[] => [...new Set(subject.split(/[+ ]/))];

/** The second patch has several kinds of operations, with those of the first one among them. */
const hasKindsOf: Explains = (root, symptom) => {
  const others = kindsOf(symptom);
  return others.length > 1 && kindsOf(root).every((kind) => others.includes(kind));
};

const hasManyOperations = ({ steps }: MergedFinding): boolean => {
  const body = steps.findLast(({ request }) => request.method === 'PATCH')?.request.body ?? '';
  return body.split('"op":').length > MANY_OPERATIONS;
};

/** Rules about JSON Patch. */
export const PATCH_RULES: readonly Explains[] = [
  // A refused patch that stays in part.
  rule(isOnOne, 'json-patch/not-atomic', 'json-patch/not-atomic', (a, b) => wasRefused(a) && wasRefused(b)),
  // A kind of patch. The stored document shows the cause; a response that shows the same follows from it.
  rule(isOnOne, 'json-patch', 'json-patch', (root, symptom) => {
    const isReversed = root.code === 'json-patch/response' && symptom.code === 'json-patch/result';
    return root.subject === symptom.subject && !isReversed;
  }),
  // A generated patch with the same kinds of operations and others, or with as many.
  rule(isOnOne, codes.APPLIED_WRONGLY, codes.APPLIED_WRONGLY, (root, symptom) => {
    const areMany = hasManyOperations(root) && hasManyOperations(symptom);
    return areAllOf(symptom, 'properties') && (hasKindsOf(root, symptom) || areMany);
  }),
  // A kind of patch that is served where it cannot be applied, also behind others.
  rule(isOnOne, 'json-patch/served', 'json-patch/served', hasKindsOf),
];
