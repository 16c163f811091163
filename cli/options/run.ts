import { duration, flag, integer, patterns, percent, shard, text } from './kinds.ts';
import { optional, withDefault } from './spec.ts';

const HOUR = 3_600_000;

export const runOptions = {
  only: withDefault(patterns, [], 'run only these suites, checks or operations; * matches anything'),
  skip: withDefault(patterns, [], 'skip these suites, checks or operations'),
  seed: optional(
    integer({ min: 0, max: 0x7fffffff }),
    'seed of the generated requests, to reproduce a run; default: random, printed',
  ),
  runs: withDefault(integer({ min: 1, max: 1_000_000 }), 100, 'cases per property'),
  settle: withDefault(duration({ min: 0, max: HOUR }, 'ms'), 1000, 'how long a change may take to become visible'),
  strict: withDefault(flag, false, 'violations of published and inferred requirements fail the run too'),
  minReach: optional(
    percent,
    'the run is inconclusive where a smaller share of the operations answered a valid request successfully',
  ),
  shard: optional(shard, 'run part I of N, for example 2/4; `assay report` merges the folders'),
  path: optional(text('path'), 'replay one counterexample; requires --seed and --only', { flagOnly: true }),
  maxTime: optional(
    duration({ min: 1000, max: 24 * HOUR }, 's'),
    'end the run after this time and report what was tested',
  ),
  maxRequests: optional(
    integer({ min: 1, max: 100_000_000 }),
    'maximum number of requests per operation; default: at most 1,000 with --spec, otherwise unlimited',
  ),
  updateSnapshot: optional(text('file'), 'record undocumented behavior in this file'),
  snapshot: optional(text('file'), 'warn where undocumented behavior differs from this file'),
  baseline: optional(text('file'), 'known findings, by fingerprint: reported, but they do not fail the run'),
  updateBaseline: withDefault(flag, false, 'write the findings of this run to the baseline file', { flagOnly: true }),
};
