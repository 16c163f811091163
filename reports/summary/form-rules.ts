import * as codes from './cause-codes.ts';
import { isInOne, isOnOne, namedIn } from './relations.ts';
import type { Explains } from './relations.ts';
import { lastStatus } from './statuses.ts';

/** Rules about what only one form of a path does, by the situation that they describe. */
export const FORM_RULES: Readonly<Record<string, Explains>> = {
  'an item that one form does not show': (root, symptom) =>
    isInOne(root, symptom) &&
    root.code === 'form-shared-state/created-not-readable' &&
    (symptom.code.endsWith('/not-readable') ||
      (isOnOne(root, symptom) && symptom.forms.length < 2 && /\b404\b/.test(symptom.subject ?? ''))),

  'malformed JSON that one form accepts': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.code === 'malformed-json/served' &&
    root.forms.length < 2 &&
    symptom.code === 'form-equivalence/refusal',

  'an id that one form answers with another status': (root, symptom) =>
    isOnOne(root, symptom) &&
    codes.WRONG_IDS.includes(root.code) &&
    root.forms.length < 2 &&
    symptom.code === 'form-equivalence/refusal' &&
    namedIn(symptom).includes(String(lastStatus(root))),

  'a page of another size in one form': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.check === 'paging-defaults' &&
    root.forms.length < 2 &&
    symptom.code === 'form-equivalence/body',

  'a body that only one form answers otherwise': (root, symptom) =>
    isOnOne(root, symptom) && root.code === 'body-fits-schema/mismatch' && symptom.code === 'form-equivalence/shape',

  'a success with another status in one form': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.code === 'status-documented/status' &&
    (root.subject ?? '').startsWith('2') &&
    symptom.code === 'form-equivalence/status' &&
    (symptom.subject ?? '').startsWith('success-success'),
};
