import { areAllOf, collectionIn, haveOneCode, isOnOne, namedIn, rule } from './relations.ts';
import type { Explains } from './relations.ts';
import type { MergedFinding } from './types.ts';

/** Names of the filters in a subject: several are joined by `+`. */
const filtersIn = (finding: MergedFinding): readonly string[] => namedIn(finding).flatMap((name) => name.split('+'));

/** Rules about filters. */
export const FILTER_RULES: readonly Explains[] = [
  // A search that omits items, also beside other calls.
  rule(isOnOne, 'filters/not-found', 'overlap/list-incomplete', (root, symptom) => {
    const query = new URLSearchParams(symptom.steps.at(-1)?.request.url.split('?')[1]);
    return filtersIn(root).some((name) => query.has(name));
  }),
  // A filter that finds no changed items, and so omits them from small pages.
  rule(isOnOne, 'filters/not-found', 'filters/lost-on-page', (root, symptom) =>
    filtersIn(root).some((name) => filtersIn(symptom).includes(name)),
  ),
  // A filter by a state that was not set.
  rule(
    (root, symptom) => root.operation.includes(`${collectionIn(symptom.operation)}/`),
    'activation',
    'filters',
    (root, symptom) => root.code !== 'activation/changed-content' && /active/i.test(symptom.subject ?? ''),
  ),
  // A filter that is wrong in a test of its own, and so in generated requests.
  rule(isOnOne, 'filters', 'filters', (root, symptom) => {
    const areOfTests = !areAllOf(root, 'properties') && areAllOf(symptom, 'properties');
    return haveOneCode(root, symptom) && areOfTests && filtersIn(root).some((name) => namedIn(symptom).includes(name));
  }),
];
