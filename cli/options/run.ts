import { choice, duration, flag, integer, patterns, percent, shard, text } from './kinds.ts';
import { optional, withDefault } from './spec.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export const runOptions = {
  only: withDefault(patterns, [], 'run only these suites, checks or operations; * matches anything'),
  skip: withDefault(patterns, [], 'skip these suites, checks or operations'),
  seed: optional(
    integer({ min: 0, max: 0x7fffffff }),
    'seed of the generated requests, to reproduce a run; default: random, printed',
  ),
  depth: withDefault(
    choice(['quick', 'standard', 'thorough'], 'depth'),
    'standard',
    'how much is tested: quick takes 30 s and standard 2 min on a deployment, thorough as long as it needs',
  ),
  runs: optional(integer({ min: 1, max: 1_000_000 }), 'cases per property; default: 10, 50 or 200, by --depth'),
  settle: withDefault(duration({ min: 0, max: HOUR }, 'ms'), 1000, 'how long a change may take to become visible'),
  bail: optional(
    { ...integer({ min: 1, max: 1_000_000 }), bare: '1' },
    'end the run after this many findings that fail it; without a number after the first',
  ),
  strict: withDefault(flag, false, 'violations of published and inferred requirements fail the run too'),
  minReach: optional(
    percent,
    'the run is inconclusive where a smaller share of the operations answered a valid request successfully',
  ),
  shard: optional(shard, 'run part I of N, for example 2/4; `assay report` merges the folders'),
  path: optional(text('path'), 'replay one counterexample; requires --seed and --only', { flagOnly: true }),
  budget: optional(
    duration({ min: 1000, max: DAY }, 's'),
    'time for the whole run; default: by --depth, 80 s for capacity',
  ),
  maxTime: optional(duration({ min: 1000, max: 24 * HOUR }, 's'), 'the same as --budget'),
  maxRequests: optional(
    integer({ min: 1, max: 100_000_000 }),
    'maximum number of requests per operation; default: at most 1,000 with --spec, otherwise unlimited',
  ),
  updateSnapshot: optional(text('file'), 'record undocumented behavior in this file'),
  snapshot: optional(text('file'), 'warn where undocumented behavior differs from this file'),
  baseline: optional(text('file'), 'known findings, by fingerprint: reported, but they do not fail the run'),
  updateBaseline: withDefault(flag, false, 'write the findings of this run to the baseline file', { flagOnly: true }),
  againstLast: withDefault(flag, false, 'print what changed since the last run in the store, and add this one', {
    flagOnly: true,
  }),
  store: withDefault(text('file'), 'assay-history.sqlite', 'file with the runs of assay history and --against-last'),
};
