import * as codes from './cause-codes.ts';
import { isOfOneApi } from './relations.ts';
import type { Explains } from './relations.ts';

/** Rules about effects that are undone some time after the response, by the situation that they describe. */
export const LATE_RULES: Readonly<Record<string, Explains>> = {
  'a change that is undone later, also within a sequence of calls': (root, symptom) =>
    isOfOneApi(root, symptom) &&
    root.pauseSeconds !== undefined &&
    codes.SINGLE_CHANGES.includes(root.check) &&
    symptom.code === 'model-conformance/not-lasting',

  'a value that an update does not keep, also where another change follows': (root, symptom) =>
    isOfOneApi(root, symptom) &&
    root.check === 'updated-reads-back' &&
    symptom.code === 'activation/changed-content' &&
    root.subject === symptom.subject,
};
