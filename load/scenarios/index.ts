import { clueIngestion, rawIngestion } from './ingestion.ts';
import { forms } from './forms.ts';
import { mixed } from './mixed.ts';
import { pagingRandom } from './paging-random.ts';
import { pagingWalk } from './paging-walk.ts';
import { policyWrites } from './policy-writes.ts';
import { resultsPaging } from './results-paging.ts';
import type { Scenario } from './scenario.ts';

export type * from './scenario.ts';

export const SCENARIOS = {
  'clue-ingestion': clueIngestion,
  'raw-ingestion': rawIngestion,
  'paging-walk': pagingWalk,
  'paging-random': pagingRandom,
  'results-paging': resultsPaging,
  'policy-writes': policyWrites,
  mixed: mixed,
  forms: forms,
} satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof SCENARIOS;

export const DEFAULT_SCENARIO: ScenarioName = 'mixed';
