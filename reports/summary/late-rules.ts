import * as codes from './cause-codes.ts';
import { isOfOneApi, isOnOne, namedIn } from './relations.ts';
import type { Explains } from './relations.ts';
import { lastStatus } from './statuses.ts';
import type { MergedFinding } from './types.ts';

/** Rules about effects that are undone some time after the response, by the situation that they describe. */
export const LATE_RULES: Readonly<Record<string, Explains>> = {
  'a change that is undone later, also within a sequence of calls': (root, symptom) =>
    isOfOneApi(root, symptom) &&
    root.pauseSeconds !== undefined &&
    codes.SINGLE_CHANGES.includes(root.check) &&
    symptom.code === 'model-conformance/not-lasting',

  'a state that is undone later, also where a filter asks for it': (root, symptom) =>
    isOfOneApi(root, symptom) &&
    root.code === 'model-conformance/not-lasting' &&
    codes.WRONG_STATES.flat().includes(root.subject ?? '') &&
    symptom.check === 'filters' &&
    /active/i.test(symptom.subject ?? ''),

  'members that an update does not keep': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.code === symptom.code &&
    root.check === 'updated-reads-back' &&
    [root, symptom].every(({ pauseSeconds }) => pauseSeconds !== undefined),

  'a value that an update does not keep, also where another change follows': (root, symptom) =>
    isOfOneApi(root, symptom) &&
    root.check === 'updated-reads-back' &&
    symptom.code === 'activation/changed-content' &&
    root.subject === symptom.subject,

  'a value that an update does not keep, also where a refused request follows': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.pauseSeconds !== undefined &&
    root.check === 'updated-reads-back' &&
    symptom.code === 'refused-changes-nothing/changed-data' &&
    namedIn(root).join() === namedIn(symptom).join(),

  'a created item that is gone later, from wherever it is read': (root, symptom) =>
    isOfOneApi(root, symptom) &&
    root.code === 'created-reads-back/not-readable' &&
    root.operation.startsWith('POST ') &&
    lastStatus(root) === 404 &&
    ((isReadOfItem(symptom) && lastStatus(symptom) === 404) || codes.NOT_SHOWN.includes(symptom.code)),

  'a request that gets the response to another one': (root, symptom) =>
    isOfOneApi(root, symptom) &&
    root.code === 'overlap/other-response' &&
    symptom.code !== root.code &&
    symptom.recurred !== true &&
    (symptom.check === 'overlap' ||
      symptom.check === 'created-reads-back' ||
      (isOnOne(root, symptom) && codes.OF_LISTS.includes(symptom.check))),
};

const isReadOfItem = ({ steps }: MergedFinding): boolean => /^GET .*\}$/u.test(steps.at(-1)?.operation ?? '');
