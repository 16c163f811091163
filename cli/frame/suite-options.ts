import { randomBytes, randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import type { SuiteRunOptions } from '../../suites/index.ts';
import type { VerifyOption } from '../catalogue.ts';
import type { Settings } from '../options/table.ts';
import type { RunTarget } from './target.ts';

type VerifySettings = Settings<VerifyOption>;

function learning({ learn, learned }: VerifySettings): { readonly learn?: NonNullable<SuiteRunOptions['learn']> } {
  if (learn !== undefined) return { learn: { file: resolve(learn), mode: 'record' } };
  return learned === undefined ? {} : { learn: { file: resolve(learned), mode: 'compare' } };
}

/** How long a target is waited for that refuses everything; never longer than the run may take. */
const LONGEST_PATIENCE_MS = 60_000;

/** What the suites are told, from the settings of the command; a seed is drawn where none is given. */
export function suiteOptions(settings: VerifySettings, target: RunTarget): SuiteRunOptions {
  const { spec, shard, path, maxTime, timeout, maxRate } = settings;
  return {
    baseUrl: target.baseUrl,
    tokens: target.tokens,
    embedded: target.embedded,
    allow: target.allow,
    only: settings.only,
    skip: settings.skip,
    seed: settings.seed ?? randomInt(1, 0x7fffffff),
    runs: settings.runs,
    settleMs: settings.settle,
    strict: settings.strict,
    insecure: settings.insecure,
    runId: randomBytes(4).toString('hex'),
    ...learning(settings),
    ...(spec === undefined ? {} : { specSource: spec }),
    ...(shard === undefined ? {} : { shard }),
    ...(path === undefined ? {} : { path }),
    ...(maxTime === undefined
      ? {}
      : {
          maxTimeMs: maxTime,
          beganAt: performance.timeOrigin,
          retry: { patienceMs: Math.min(LONGEST_PATIENCE_MS, maxTime) },
        }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
    ...(maxRate === undefined ? {} : { maxRate }),
    ...(settings.maxRequests === undefined ? {} : { maxRequests: settings.maxRequests }),
  };
}
