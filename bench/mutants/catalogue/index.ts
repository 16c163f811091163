import type { Mutant } from '../types.ts';
import { AUTH } from './auth.ts';
import { CLUES } from './clues.ts';
import { CONTENT } from './content.ts';
import { EDGES_BODIES } from './edges-bodies.ts';
import { EDGES_OTHERS } from './edges-others.ts';
import { EXAM } from './exam.ts';
import { EXAM_2 } from './exam-2.ts';
import { FORMS } from './forms.ts';
import { FRESH_BODIES } from './fresh-bodies.ts';
import { FRESH_CLUES } from './fresh-clues.ts';
import { FRESH_JOBS } from './fresh-jobs.ts';
import { FRESH_PATCHES } from './fresh-patches.ts';
import { FRESH_QUERIES } from './fresh-queries.ts';
import { IDS } from './ids.ts';
import { INPUTS_BODIES } from './inputs-bodies.ts';
import { INPUTS_OTHERS } from './inputs-others.ts';
import { OVERLAP } from './overlap.ts';
import { OVERLAP_2 } from './overlap-2.ts';
import { PAGING_FILTERS } from './paging-filters.ts';
import { PAGING_JOBS } from './paging-jobs.ts';
import { PAGING_POLICIES } from './paging-policies.ts';
import { PATCHES } from './patch.ts';
import { STATE_JOBS } from './state-jobs.ts';
import { STATE_JOBS_2 } from './state-jobs-2.ts';
import { STATE_ORDER } from './state-order.ts';
import { STATE_ORDER_2 } from './state-order-2.ts';
import { STATE_POLICIES } from './state-policies.ts';
import { STATE_POLICIES_2 } from './state-policies-2.ts';

/** What each set is to be found by: the first issue's verify, the third's properties, the fourth's states. */
export const SETS = {
  contract: [
    ...PAGING_POLICIES,
    ...PAGING_FILTERS,
    ...PAGING_JOBS,
    ...AUTH,
    ...FORMS,
    ...IDS,
    ...CONTENT,
    ...PATCHES,
    ...CLUES,
  ],
  inputs: [...INPUTS_BODIES, ...INPUTS_OTHERS],
  edges: [...EDGES_BODIES, ...EDGES_OTHERS],
  fresh: [...FRESH_BODIES, ...FRESH_JOBS, ...FRESH_QUERIES, ...FRESH_PATCHES, ...FRESH_CLUES],
  exam: [...EXAM, ...EXAM_2],
  state: [...STATE_POLICIES, ...STATE_ORDER, ...STATE_JOBS, ...OVERLAP],
  state2: [...STATE_POLICIES_2, ...STATE_ORDER_2, ...STATE_JOBS_2, ...OVERLAP_2],
} as const satisfies Record<string, readonly Mutant[]>;

export type MutantSet = keyof typeof SETS;

export const MUTANTS: readonly Mutant[] = [
  ...SETS.contract,
  ...SETS.inputs,
  ...SETS.edges,
  ...SETS.fresh,
  ...SETS.exam,
  ...SETS.state,
  ...SETS.state2,
];

/** Mutants that a truthful harness may leave alone, with the reason. */
export const DOUBTFUL: Readonly<Record<string, string>> = {
  'paging-jobs.runs-sort-direction-ignored': 'the values of SortDirection are only published',
  'paging-jobs.results-sort-direction-ignored': 'the values of SortDirection are only published',
  'paging-jobs.results-search-ignored': 'what searchName searches in a result is not shown',
  'paging-jobs.chats-no-results-ignored': 'which chats have no results is not shown',
  'paging-jobs.chats-no-results-default-true': 'which chats have no results is not shown',
  'filters.creator-inverted': 'what filterCreator compares is not shown',
  'filters.creator-always-empty': 'what filterCreator compares is not shown',
  'jobs.audit-never-shows': "the audit log's entries are not shown",
  'auth.token-prefix-accepted': 'needs a token made from the valid one',
  'jobs.job-update-merges-metadata': "that PUT replaces a map is HTTP's meaning, not the document's: it warns",
  'fresh.search-underscore-is-any': 'what searchName matches is not shown; an underscore may be a wildcard',
  'fresh.metadata-filter-empty-value-ignored': 'what an empty value of a filter selects is not shown',
  'fresh.patch-test-compares-text': 'a test of a stored map may see what the deployment adds to it',
  'exam.job-sample-size-largest-500': 'the largest sampleSize, and the member itself, are only published',
  'order.delete-reverses-the-rest': 'what becomes of the order after a deletion is not shown',
};
