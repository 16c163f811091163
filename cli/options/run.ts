import { choice, duration, flag, integer, patterns, percent, shard, text } from './kinds.ts';
import { optional, withDefault } from './spec.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export const runOptions = {
  only: withDefault(patterns, [], 'run only these suites, checks or operations; * matches anything'),
  skip: withDefault(patterns, [], 'skip these suites, checks or operations'),
  seed: optional(
    integer({ min: 0, max: 0x7fffffff }),
    'seed of the generated requests, to reproduce a run; default: random (printed), in prove 1',
  ),
  depth: withDefault(
    choice(['quick', 'standard', 'thorough'], 'depth'),
    'standard',
    'how much to test: on a deployment, quick takes up to 30 s and standard up to 2 min; thorough has no time limit',
  ),
  runs: optional(integer({ min: 1, max: 1_000_000 }), 'cases per property; default: 10, 50 or 200, by --depth'),
  settle: withDefault(duration({ min: 0, max: HOUR }, 'ms'), 1000, 'how long a change may take to become visible'),
  bail: optional(
    { ...integer({ min: 1, max: 1_000_000 }), bare: '1' },
    'stop after this many failing findings; without a number, after the first',
  ),
  strict: withDefault(flag, false, 'also fail on violations of published and inferred requirements'),
  minReach: optional(
    percent,
    'minimum share of operations that must answer a valid request successfully; below it, the run is inconclusive',
  ),
  shard: optional(shard, 'run part I of N, for example 2/4; `assay report` merges the folders'),
  path: optional(text('path'), 'replay one counterexample; requires --seed and --only', { flagOnly: true }),
  budget: optional(
    duration({ min: 1000, max: DAY }, 's'),
    'time limit for the whole run, with the removal of what it creates; default: by --depth; 80 s for capacity',
  ),
  maxTime: optional(duration({ min: 1000, max: 24 * HOUR }, 's'), 'alias of --budget'),
  maxRequests: optional(
    integer({ min: 1, max: 100_000_000 }),
    'maximum number of requests per operation; default: with --spec, at most 1,000 that may change something, otherwise unlimited',
  ),
  updateSnapshot: optional(text('file'), 'record undocumented behavior in this file'),
  snapshot: optional(text('file'), 'warn where undocumented behavior differs from this file'),
  baseline: optional(
    text('file'),
    'file with known findings (by fingerprint), which are reported but do not fail the run',
  ),
  updateBaseline: withDefault(flag, false, 'write the findings of this run to the baseline file', { flagOnly: true }),
  againstLast: withDefault(flag, false, 'print what changed since the last run in the store, and add this run to it', {
    flagOnly: true,
  }),
  forget: withDefault(flag, false, 'stop looking for what cannot be removed; it stays on the deployment', {
    flagOnly: true,
  }),
  store: withDefault(text('file'), 'assay-history.sqlite', 'file in which assay history and --against-last keep runs'),
};
