import { duration, flag, integer, patterns, shard, text } from './kinds.ts';
import { optional, withDefault } from './spec.ts';

const HOUR = 3_600_000;

export const runOptions = {
  only: withDefault(patterns, [], 'run only these suites, checks or operations; * stands for anything'),
  skip: withDefault(patterns, [], 'leave these suites, checks or operations out'),
  seed: optional(
    integer({ min: 0, max: 0x7fffffff }),
    'the seed of an earlier run, to reproduce it; default: a new one, shown',
  ),
  runs: withDefault(integer({ min: 1, max: 1_000_000 }), 100, 'cases a property'),
  settle: withDefault(duration({ min: 0, max: HOUR }, 'ms'), 1000, 'how long a change may take to show'),
  strict: withDefault(flag, false, 'breaches of published and inferred requirements fail too'),
  shard: optional(shard, "this machine's share, such as 2/4; `assay report` merges the folders"),
  path: optional(text('path'), 'replay one counterexample; goes with --seed and --only', { flagOnly: true }),
  maxTime: optional(
    duration({ min: 1000, max: 24 * HOUR }, 's'),
    'end the run after this time, and report what was tried',
  ),
  maxRequests: optional(
    integer({ min: 1, max: 100_000_000 }),
    'never more requests than this to one operation; default: 1,000 with --spec, fewer where it has many, else no limit',
  ),
  learn: optional(text('file'), 'write down what the deployment does where the document is silent'),
  learned: optional(text('file'), 'warn where the deployment does otherwise than was learned'),
  baseline: optional(text('file'), "known findings by fingerprint: shown, but they don't fail the run"),
  updateBaseline: withDefault(flag, false, 'write the findings of this run into the baseline file', { flagOnly: true }),
};
