import { randomBytes, randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { DEPTHS } from '../../suites/index.ts';
import type { Depth, SuiteRunOptions } from '../../suites/index.ts';
import type { OptionOf } from '../catalogue.ts';
import { defined } from '../../spec/defined.ts';
import type { Settings } from '../options/table.ts';
import type { RunTarget } from '../target/target.ts';

type VerifySettings = Omit<Settings<OptionOf<'doctor'>>, 'json'> & Partial<Settings<'snapshot' | 'updateSnapshot'>>;

function snapshotOf({ updateSnapshot, snapshot }: VerifySettings): SuiteRunOptions['snapshot'] {
  if (updateSnapshot !== undefined) return { file: resolve(updateSnapshot), mode: 'record' };
  return snapshot === undefined ? undefined : { file: resolve(snapshot), mode: 'compare' };
}

/** Longest wait for a target that answers only 429 or 503. */
const LONGEST_WAIT_MS = 60_000;

/** Options of the suites, from the settings of the command; the seed is random where none is given. */
export function suiteOptions(settings: VerifySettings, target: RunTarget): SuiteRunOptions {
  const depth: Depth = DEPTHS[settings.depth];
  const { runs = depth.runs, budget = settings.maxTime } = settings;
  // A selection of tests has no time limit by default.
  const maxTimeMs = budget ?? (target.embedded || settings.only.length > 0 ? undefined : depth.budgetMs);
  return {
    ...target.connection,
    baseUrl: target.baseUrl,
    tokens: target.tokens,
    embedded: target.embedded,
    allow: target.allow,
    only: settings.only,
    skip: settings.skip,
    seed: settings.seed ?? randomInt(1, 0x7fffffff),
    runs,
    settleMs: settings.settle,
    strict: settings.strict,
    runId: randomBytes(4).toString('hex'),
    ...defined({
      snapshot: snapshotOf(settings),
      specSource: settings.spec,
      fixtures: Object.keys(settings.fixtures).length === 0 ? undefined : settings.fixtures,
      shard: settings.shard,
      path: settings.path,
      timeoutMs: settings.timeout,
      maxRate: settings.maxRate,
      maxRequests: settings.maxRequests,
    }),
    ...(maxTimeMs === undefined
      ? {}
      : { maxTimeMs, beganAt: performance.timeOrigin, retry: { patienceMs: Math.min(LONGEST_WAIT_MS, maxTimeMs) } }),
  };
}
