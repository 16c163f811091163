import { CHECKS } from '../spec/index.ts';
import { DEPTHS } from '../suites/index.ts';
import type { Contract } from '../spec/index.ts';
import { allDefects } from './defect.ts';
import type { Defect } from './defect.ts';
import { randomGroups, VARIATIONS } from './healthy/index.ts';
import { SINGLE } from './healthy/single.ts';
import type { Variation } from './healthy/variation.ts';
import { openPool } from './pool.ts';
import type { Pool } from './pool.ts';
import { proveDefects } from './prove-defects.ts';
import type { DefectResult } from './prove-defects.ts';
import { PROOFS } from './defects/proofs.ts';
import { judge, scoreOf } from './score.ts';
import type { HealthyResult, Score } from './score.ts';
import { matchesName, matching, representative } from './selection.ts';

export { catalogueLines, defectLine, faultRows, healthyLine, scoreLines } from './print.ts';
export { OPERATORS } from './operators/index.ts';
export { defectsOf } from './defect.ts';
export type { Defect } from './defect.ts';
export { startMutated } from './proxy/mutate.ts';

/** The defects and healthy variations to run. */
export interface ProofSelection {
  readonly defects: readonly Defect[];
  /** Names of healthy variations in groups: one run of the suites tests a group. */
  readonly healthy: readonly (readonly string[])[];
}

/** Variations of the default selection: one group. */
const FEW_VARIATIONS = ['extra-fields', 'created-201', 'activate-active-409', 'newest-first', 'numbers-with-fraction'];

/** The variations that a pattern selects; `one+another` selects both, for one run. */
function variationsFor(pattern: string): readonly Variation[] {
  const names = pattern.split('+');
  const found = names.map((each) => VARIATIONS.filter(({ name }) => matchesName(each, name)));
  return found.every(({ length }) => length > 0) ? found.flat() : [];
}

/** The patterns that match no defect and no variation. */
export function unknownPatterns(contract: Contract, patterns: readonly string[]): readonly string[] {
  const defects = allDefects(contract);
  return patterns.filter((pattern) => matching(defects, pattern).length === 0 && variationsFor(pattern).length === 0);
}

export interface SelectOptions {
  /** Names of defects, operators, operations or variations; `*` is a wildcard, and `one+another` is a group of variations. */
  readonly patterns: readonly string[];
  /** Everything. Default: what the patterns match, or without patterns a representative selection. */
  readonly all?: boolean;
  /** Variations in random groups of this size, with `seed`; without patterns, every variation and no defect. */
  readonly groups?: { readonly size: number; readonly seed: number };
}

const namesOf = (variations: readonly Variation[]): readonly string[] => variations.map(({ name }) => name);

function healthyOf({ patterns, all = false, groups }: SelectOptions): ProofSelection['healthy'] {
  const every = all || (patterns.length === 0 && groups !== undefined);
  if (!every && patterns.length === 0) return [FEW_VARIATIONS];
  const ofGroups = patterns.filter((each) => each.includes('+')).map((each) => namesOf(variationsFor(each)));
  const names = new Set(patterns.filter((each) => !each.includes('+')).flatMap((each) => namesOf(variationsFor(each))));
  // What combines several variations is not one more of them, unless it is named.
  const known = every && groups !== undefined ? SINGLE : VARIATIONS;
  const single = known.filter(({ name }) => every || names.has(name));
  const alone = single.map(({ name }) => [name]);
  const runs = groups === undefined ? alone : randomGroups(single, groups.size, groups.seed);
  return [...ofGroups.filter(({ length }) => length > 0), ...runs];
}

/** The defects and the healthy variations to run. */
export function select(contract: Contract, options: SelectOptions): ProofSelection {
  const { patterns, all = false, groups } = options;
  const defects = allDefects(contract);
  const healthy = healthyOf(options);
  if (all) return { defects, healthy };
  if (patterns.length === 0) return { defects: groups === undefined ? representative(defects, PROOFS) : [], healthy };
  const chosen = new Set(patterns.flatMap((pattern) => matching(defects, pattern)));
  return { defects: defects.filter((each) => chosen.has(each)), healthy };
}

export interface ProveOptions {
  readonly seed: number;
  readonly workers: number;
  /** Least share of defects that must be caught, 0 to 1. */
  readonly leastShare: number;
  /** Patterns of tests: only these run against healthy variations, with 20 cases each, and not against the plain service. Default: all. */
  readonly healthyOnly?: readonly string[];
  /** Runs the suites against each defect in their own order up to the first violation. */
  readonly inOrder?: boolean;
  readonly signal: AbortSignal;
  readonly onDefect: (result: DefectResult) => void;
  readonly onHealthy: (result: HealthyResult) => void;
}

export interface ProofResult {
  readonly results: readonly DefectResult[];
  readonly healthy: readonly HealthyResult[];
  readonly score: Score;
  /** Reasons why the verdicts of the suites cannot be trusted. */
  readonly problems: readonly string[];
  readonly durationMs: number;
}

async function runHealthy(pool: Pool, names: readonly string[], options: ProveOptions): Promise<HealthyResult> {
  const { seed, signal, onHealthy, healthyOnly = [] } = options;
  const runs = healthyOnly.length === 0 ? DEPTHS.standard.runs : 20;
  const job = { defects: [], healthy: names, only: healthyOnly, seed, runs, strict: false };
  const result = {
    name: names.length === 0 ? 'the embedded service' : names.join('+'),
    answer: await pool.run(job, signal),
  };
  if (!signal.aborted) onHealthy(result);
  return result;
}

/** Runs the suites against each defect and each healthy variation, and scores what they caught. */
export async function prove({ defects, healthy }: ProofSelection, options: ProveOptions): Promise<ProofResult> {
  const began = performance.now();
  const pool = openPool(options.workers);
  try {
    const withBase = options.healthyOnly === undefined && options.inOrder !== true;
    const healthyRuns = [...(withBase ? [[]] : []), ...healthy].map((names) => runHealthy(pool, names, options));
    const defectRuns = proveDefects(defects, { ...options, run: pool.run, onResult: options.onDefect });
    const [results, healthyResults] = await Promise.all([defectRuns, Promise.all(healthyRuns)]);
    const judged = { results, healthy: healthyResults, proofs: PROOFS, leastShare: options.leastShare };
    return {
      results,
      healthy: healthyResults,
      score: scoreOf(results, Object.keys(CHECKS)),
      problems: judge(judged),
      durationMs: performance.now() - began,
    };
  } finally {
    pool.close();
  }
}
