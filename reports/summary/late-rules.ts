import * as codes from './cause-codes.ts';
import { haveOneCode, isOfOneApi, isOnOne, namedIn, rule } from './relations.ts';
import type { Explains } from './relations.ts';
import { lastStatus } from './statuses.ts';
import type { MergedFinding } from './types.ts';

const isLate: Explains = ({ pauseSeconds }) => pauseSeconds !== undefined;

/** Rules about effects that are undone some time after the response. */
export const LATE_RULES: readonly Explains[] = [
  // A change that is undone later, also within a sequence of calls.
  rule(isOfOneApi, codes.SINGLE_CHANGES, 'model-conformance/not-lasting', isLate),
  // A state that is undone later, also where a filter asks for it.
  rule(isOfOneApi, 'model-conformance/not-lasting', 'filters', (root, symptom) => {
    return codes.WRONG_STATES.flat().includes(root.subject ?? '') && /active/i.test(symptom.subject ?? '');
  }),
  // Members that an update does not keep.
  rule(isOnOne, 'updated-reads-back', 'updated-reads-back', (root, symptom) => {
    return haveOneCode(root, symptom) && isLate(root, symptom) && isLate(symptom, root);
  }),
  // A value that an update does not keep, also where another change follows.
  rule(isOfOneApi, 'updated-reads-back', 'activation/changed-content', (a, b) => a.subject === b.subject),
  // A value that an update does not keep, also where a refused request follows.
  rule(isOnOne, 'updated-reads-back', 'refused-changes-nothing/changed-data', (root, symptom) => {
    return isLate(root, symptom) && namedIn(root).join() === namedIn(symptom).join();
  }),
  // A created item that is gone later, from wherever it is read.
  (root, symptom) =>
    isOfOneApi(root, symptom) &&
    root.code === 'created-reads-back/not-readable' &&
    root.operation.startsWith('POST ') &&
    lastStatus(root) === 404 &&
    ((isReadOfItem(symptom) && lastStatus(symptom) === 404) || codes.NOT_SHOWN.includes(symptom.code)),
  // A request that gets the response to another one.
  (root, symptom) =>
    isOfOneApi(root, symptom) &&
    root.code === 'overlap/other-response' &&
    symptom.code !== root.code &&
    symptom.recurred !== true &&
    (symptom.check === 'overlap' ||
      symptom.check === 'created-reads-back' ||
      (isOnOne(root, symptom) && codes.OF_LISTS.includes(symptom.check))),
];

const isReadOfItem = ({ steps }: MergedFinding): boolean => /^GET .*\}$/u.test(steps.at(-1)?.operation ?? '');
