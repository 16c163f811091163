import * as codes from './cause-codes.ts';
import { isInOne, isOnOne, namedIn, rule } from './relations.ts';
import type { Explains } from './relations.ts';
import { lastStatus } from './statuses.ts';

const isOfOneForm: Explains = ({ forms }) => forms.length < 2;

/** Rules about what only one form of a path does. */
export const FORM_RULES: readonly Explains[] = [
  // An item that one form does not show.
  (root, symptom) =>
    isInOne(root, symptom) &&
    root.code === 'form-shared-state/created-not-readable' &&
    (symptom.code.endsWith('/not-readable') ||
      (isOnOne(root, symptom) && symptom.forms.length < 2 && /\b404\b/.test(symptom.subject ?? ''))),
  // Malformed JSON that one form accepts.
  rule(isOnOne, 'malformed-json/served', 'form-equivalence/refusal', isOfOneForm),
  // An id that one form answers with another status.
  rule(isOnOne, codes.WRONG_IDS, 'form-equivalence/refusal', (root, symptom) => {
    return isOfOneForm(root, symptom) && namedIn(symptom).includes(String(lastStatus(root)));
  }),
  // A page of another size in one form.
  rule(isOnOne, 'paging-defaults', 'form-equivalence/body', isOfOneForm),
  // A body that only one form answers otherwise.
  rule(isOnOne, 'body-fits-schema/mismatch', 'form-equivalence/shape'),
  // A success with another status in one form.
  rule(isOnOne, 'status-documented/status', 'form-equivalence/status', (root, symptom) => {
    return (root.subject ?? '').startsWith('2') && (symptom.subject ?? '').startsWith('success-success');
  }),
];
