import { command } from './invocation.ts';
import type { CommandSpec } from './invocation.ts';

/** Named here for the help alone, which must not load them. */
const SCENARIOS =
  'mixed, clue-ingestion, raw-ingestion, paging-walk, paging-random, results-paging, policy-writes, forms';

const target = [
  'baseUrl',
  'token',
  'limitedToken',
  'expiredToken',
  'spec',
  'allow',
  'timeout',
  'maxRate',
  'insecure',
] as const;
const common = ['out', 'report', 'config', 'debug'] as const;
const selection = [
  'only',
  'skip',
  'seed',
  'runs',
  'settle',
  'strict',
  'shard',
  'path',
  'maxTime',
  'maxRequests',
  'learn',
  'learned',
  'baseline',
  'updateBaseline',
] as const;
const traffic = ['connections', 'workers', 'items', 'bodyBytes', 'threshold', 'maxDuration', 'settle', 'seed'] as const;
const shape = ['engine', 'rate', 'duration', 'profile', 'arrivals', 'warmup', 'compare'] as const;

export type VerifyOption = (typeof target)[number] | (typeof common)[number] | (typeof selection)[number];
export type CapacityOption = (typeof target)[number] | (typeof common)[number] | (typeof traffic)[number] | 'budget';
export type LoadOption =
  | (typeof target)[number]
  | (typeof common)[number]
  | (typeof traffic)[number]
  | (typeof shape)[number];
export type CleanOption =
  | 'baseUrl'
  | 'token'
  | 'limitedToken'
  | 'expiredToken'
  | 'spec'
  | 'timeout'
  | 'insecure'
  | 'config'
  | 'debug';
export type DiffOption = 'json' | 'config' | 'debug';
export type SpecOption = 'spec' | 'json' | 'config' | 'debug';
export type ReportOption = 'out' | 'report' | 'compare' | 'baseline' | 'strict' | 'config' | 'debug';

/** Every command of the tool; a space in a name makes it a command of a command. */
export const COMMANDS: Readonly<Record<string, CommandSpec>> = {
  verify: command<VerifyOption>({
    summary: 'run the contract, property and state suites; without --base-url against the embedded service',
    options: [...target, ...selection, ...common],
    examples: [
      'assay verify',
      'assay verify --base-url https://data.example.com --allow read',
      'assay verify --only paging --seed 7',
    ],
    load: async () => (await import('./commands/verify.ts')).verify,
  }),
  load: command<LoadOption>({
    summary: 'run load scenarios and judge their thresholds; without a name the default mix',
    operands: { '[scenario...]': `some of ${SCENARIOS}, or files with one of your own` },
    options: [...target, ...shape, ...traffic, ...common],
    examples: [
      'assay load',
      'assay load clue-ingestion --rate 500 --duration 30s',
      'assay load paging-walk --threshold "p99<200"',
    ],
    load: async () => (await import('./commands/load.ts')).load,
  }),
  capacity: command<CapacityOption>({
    summary: 'find the highest offered rate that still meets the thresholds',
    operands: { '<scenario>': `one of ${SCENARIOS}, or a file with one of your own` },
    options: [...target, ...traffic, 'budget', ...common],
    examples: ['assay capacity clue-ingestion --threshold "p99<100"'],
    load: async () => (await import('./commands/capacity.ts')).capacity,
  }),
  serve: command({
    summary: 'start the embedded service and keep it running',
    options: ['port', 'host', 'data', 'fault', 'capacity', 'seed', 'json', 'config', 'debug'],
    examples: ['assay serve --port 8080', 'assay serve --json --data ./data'],
    load: async () => (await import('./commands/serve.ts')).serve,
  }),
  prove: command({
    summary: 'run verify against known defects and healthy variations, and print which check caught which',
    operands: {
      '[pattern...]': 'only these: a defect, an operator, an operation or a healthy variation; * is a wildcard',
    },
    options: ['all', 'workers', 'list', 'seed', 'json', 'out', 'config', 'debug'],
    examples: [
      'assay prove',
      'assay prove --list',
      'assay prove status-202 "page-* GET /accesscontrolpolicies"',
      'assay prove --all --out prove-report',
    ],
    load: async () => (await import('./commands/prove.ts')).prove,
  }),
  report: command<ReportOption>({
    summary: "render an earlier run's log again, in any format; several folders are merged",
    operands: { '[dir...]': 'folders that runs wrote; default: assay-report' },
    options: ['out', 'report', 'compare', 'baseline', 'strict', 'config', 'debug'],
    examples: [
      'assay report assay-report --report html',
      'assay report shard-1 shard-2 --out merged',
      'assay report --compare before after',
    ],
    load: async () => (await import('./commands/report.ts')).report,
  }),
  'spec list': command<SpecOption>({
    summary: 'list the operations of a description',
    operands: { '[file]': 'file or URL; default: the description that Assay brings' },
    options: ['spec', 'json', 'config', 'debug'],
    examples: ['assay spec list', 'assay spec list swagger.json'],
    load: async () => (await import('./commands/spec.ts')).specList,
  }),
  'spec lint': command<SpecOption>({
    summary: 'say what is odd in a description, and what to do about it',
    operands: { '[file]': 'file or URL; default: the description that Assay brings' },
    options: ['spec', 'json', 'config', 'debug'],
    examples: ['assay spec lint swagger.json'],
    load: async () => (await import('./commands/spec.ts')).specLint,
  }),
  'spec diff': command<DiffOption>({
    summary: 'tell what changed between two descriptions, and whom it breaks',
    operands: { '<before>': 'file or URL', '<after>': 'file or URL' },
    options: ['json', 'config', 'debug'],
    examples: ['assay spec diff old.yaml new.yaml'],
    load: async () => (await import('./commands/spec.ts')).specDiff,
  }),
  clean: command<CleanOption>({
    summary: 'remove what an earlier run created and could not remove',
    options: ['baseUrl', 'token', 'limitedToken', 'expiredToken', 'spec', 'timeout', 'insecure', 'config', 'debug'],
    examples: ['assay clean --base-url https://data.example.com'],
    load: async () => (await import('./commands/clean.ts')).clean,
  }),
};
