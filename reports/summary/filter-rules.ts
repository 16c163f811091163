import { areAllOf, collectionIn, isOnOne, namedIn } from './relations.ts';
import type { Explains } from './relations.ts';

/** Rules about filters, by the situation that they describe. */
export const FILTER_RULES: Readonly<Record<string, Explains>> = {
  'a search that omits items, also beside other calls': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.code === 'filters/not-found' &&
    symptom.code === 'overlap/list-incomplete' &&
    namedIn(root).some((name) => new RegExp(`[?&]${name}=`, 'u').test(symptom.steps.at(-1)?.request.url ?? '')),

  'a filter by a state that was not set': (root, symptom) =>
    root.check === 'activation' &&
    root.code !== 'activation/changed-content' &&
    symptom.check === 'filters' &&
    /active/i.test(symptom.subject ?? '') &&
    root.operation.includes(`${collectionIn(symptom.operation)}/`),

  'a filter that is wrong in a test of its own, and so in generated requests': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.check === 'filters' &&
    symptom.code === root.code &&
    !areAllOf(root, 'properties') &&
    areAllOf(symptom, 'properties') &&
    (root.subject ?? '').split(/[ +]/).some((name) => name !== '' && namedIn(symptom).includes(name)),
};
