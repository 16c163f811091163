import { command } from './invocation.ts';
import type { CommandSpec } from './invocation.ts';
import type { OptionName } from './options/table.ts';

const base = ['config', 'debug'] as const;
const output = ['out', 'report', 'open', 'quiet', 'json', ...base] as const;
const reach = ['timeout', 'insecure', 'ca', 'cert', 'key', 'header', 'headers', 'bases'] as const;
const endpoint = ['tokenUrl', 'clientId', 'clientSecret', 'username', 'password', 'scope'] as const;
const commands = ['tokenCommand', 'limitedTokenCommand'] as const;
const given = ['token', 'limitedToken', 'expiredToken', ...commands, ...endpoint, 'auth', 'tokens'] as const;
const connection = ['baseUrl', ...given, 'spec', ...reach] as const;
const target = [...connection, 'allow', 'maxRate', 'fixtures'] as const;
const extent = ['depth', 'budget', 'runs', 'maxTime'] as const;
const selection = ['only', 'skip', 'seed', ...extent, 'settle', 'strict', 'minReach', 'shard', 'path'] as const;
const known = ['updateSnapshot', 'snapshot', 'baseline', 'updateBaseline', 'bail'] as const;
const shape = ['engine', 'rate', 'throughput', 'duration', 'profile', 'arrivals', 'warmup', 'compare'] as const;
const executor = ['stage', 'executor', 'vus', 'iterations'] as const;
const traffic = ['connections', 'workers', 'items', 'bodyBytes', 'threshold', 'maxDuration', 'settle', 'seed'] as const;

const broker = ['fleet', 'fleetPassword', 'fleetKey', 'insecureFleet'] as const;
const fleet = [...broker, 'agents', 'zones', 'onLoss', 'gather', 'lock', 'resume'] as const;

const OPTIONS = {
  verify: [...target, ...selection, 'maxRequests', ...known, 'list', ...output],
  load: [...target, ...shape, ...executor, ...traffic, ...fleet, ...output],
  capacity: [...target, ...traffic, 'budget', ...fleet, ...output],
  agent: [...connection, 'allow', 'maxRate', ...broker, 'zone', 'leaveAfter', ...base],
  serve: ['port', 'host', 'data', 'fault', 'capacity', 'seed', 'json', ...base],
  prove: ['all', 'workers', 'list', 'seed', 'json', 'out', ...base],
  report: ['compare', 'baseline', 'strict', ...output],
  spec: ['spec', 'json', ...base],
  diff: ['json', ...base],
  clean: [...connection, ...base],
  replay: [...target, 'settle', 'strict', ...output],
  explain: ['json', ...base],
  list: ['json', ...base],
  complete: ['debug'],
  doctor: [...target, ...selection, 'maxRequests', 'json', ...base],
} as const satisfies Record<string, readonly OptionName[]>;

/** The options that a command takes. */
export type OptionOf<C extends keyof typeof OPTIONS> = (typeof OPTIONS)[C][number];

export const VERIFY_OPTIONS: readonly OptionOf<'verify'>[] = OPTIONS.verify;

async function scenarioNames(): Promise<string> {
  const { SCENARIOS } = await import('../load/scenarios/index.ts');
  return Object.keys(SCENARIOS).join(', ');
}

const DESCRIPTION = 'file or URL; default: the built-in description';

/** Every command; a space in a name makes it a subcommand. */
export const COMMANDS: Readonly<Record<string, CommandSpec>> = {
  verify: command<OptionOf<'verify'>>({
    summary: 'run the contract, property and state suites; without --base-url against the embedded service',
    operandHint: 'use --only to select suites, checks and operations',
    options: OPTIONS.verify,
    examples: [
      'assay verify',
      'assay verify --base-url https://data.example.com --allow read',
      'assay verify --only paging --seed 7',
    ],
    load: async () => (await import('./commands/verify.ts')).verify,
  }),
  load: command<OptionOf<'load'>>({
    summary: 'run load scenarios and check their thresholds; without a name the default mix',
    operands: { '[scenario...]': async () => `any of ${await scenarioNames()}, or files with a scenario of your own` },
    options: OPTIONS.load,
    examples: [
      'assay load',
      'assay load clue-ingestion --rate 500 --duration 30s',
      'assay load paging-walk --threshold "p99<200"',
    ],
    load: async () => (await import('./commands/load.ts')).load,
  }),
  capacity: command<OptionOf<'capacity'>>({
    summary: 'find the highest offered rate that still meets the thresholds',
    operands: { '<scenario>': async () => `one of ${await scenarioNames()}, or a file with a scenario of your own` },
    options: OPTIONS.capacity,
    examples: ['assay capacity clue-ingestion --threshold "p99<100"'],
    load: async () => (await import('./commands/capacity.ts')).capacity,
  }),
  agent: command<OptionOf<'agent'>>({
    summary: 'offer this machine to a fleet: send what a controller with the same --fleet asks for',
    options: OPTIONS.agent,
    examples: [
      'assay agent --fleet rediss://agent@broker.example.com:6379 --base-url https://data.example.com --allow read',
    ],
    load: async () => (await import('./commands/agent.ts')).agent,
  }),
  serve: command<OptionOf<'serve'>>({
    summary: 'start the embedded service and keep it running',
    options: OPTIONS.serve,
    examples: ['assay serve --port 8080', 'assay serve --json --data ./data'],
    load: async () => (await import('./commands/serve.ts')).serve,
  }),
  prove: command<OptionOf<'prove'>>({
    summary: 'run verify against known defects and healthy variations, and print which check caught which',
    operands: {
      '[pattern...]': 'only these: a defect, an operator, an operation or a healthy variation; * is a wildcard',
    },
    options: OPTIONS.prove,
    examples: [
      'assay prove',
      'assay prove --list',
      'assay prove status-202 "page-* GET /accesscontrolpolicies"',
      'assay prove --all --out prove-report',
    ],
    load: async () => (await import('./commands/prove.ts')).prove,
  }),
  report: command<OptionOf<'report'>>({
    summary: 'render the log of an earlier run in any format; several folders are merged',
    operands: { '[dir...]': 'folders of earlier runs; default: assay-report' },
    options: OPTIONS.report,
    examples: [
      'assay report assay-report --report html',
      'assay report shard-1 shard-2 --out merged',
      'assay report --compare before after',
    ],
    load: async () => (await import('./commands/report.ts')).report,
  }),
  doctor: command<OptionOf<'doctor'>>({
    summary: 'see what is reachable, which tokens work and what a run would test; changes nothing',
    options: OPTIONS.doctor,
    examples: ['assay doctor --base-url https://data.example.com'],
    load: async () => (await import('./commands/doctor.ts')).doctor,
  }),
  replay: command<OptionOf<'replay'>>({
    summary: 'run the test of a finding again, with the same seed and target',
    operands: {
      '<fingerprint>': 'id of the finding, or its first digits',
      '[dir]': 'folder of the run that found it; default: assay-report',
    },
    options: OPTIONS.replay,
    examples: ['assay replay 925540fac08eff6f', 'assay replay 9255 nightly-report'],
    load: async () => (await import('./commands/replay.ts')).replay,
  }),
  explain: command<OptionOf<'explain'>>({
    summary: 'tell what the code of a finding means, how to see it by hand, and how to accept it',
    operands: { '<code>': 'code of a finding, such as overlap/lost-update, or a check; assay list codes has all' },
    options: OPTIONS.explain,
    examples: ['assay explain overlap/lost-update', 'assay explain paging-partition'],
    load: async () => (await import('./commands/explain.ts')).explain,
  }),
  list: command<OptionOf<'list'>>({
    summary: 'list suites, checks, codes, scenarios, profiles, operators or report formats',
    operands: { '[list]': 'which list; default: the lists that there are' },
    options: OPTIONS.list,
    examples: ['assay list', 'assay list checks', 'assay list scenarios --json'],
    load: async () => (await import('./commands/list.ts')).list,
  }),
  'spec list': command<OptionOf<'spec'>>({
    summary: 'list the operations of a description',
    operands: { '[file]': DESCRIPTION },
    options: OPTIONS.spec,
    examples: ['assay spec list', 'assay spec list swagger.json'],
    load: async () => (await import('./commands/spec.ts')).specList,
  }),
  'spec lint': command<OptionOf<'spec'>>({
    summary: 'report problems in a description, with hints',
    operands: { '[file]': DESCRIPTION },
    options: OPTIONS.spec,
    examples: ['assay spec lint swagger.json'],
    load: async () => (await import('./commands/spec.ts')).specLint,
  }),
  'spec diff': command<OptionOf<'diff'>>({
    summary: 'compare two descriptions; breaking changes are exit code 1',
    operands: { '<before>': 'file or URL', '<after>': 'file or URL' },
    options: OPTIONS.diff,
    examples: ['assay spec diff old.yaml new.yaml'],
    load: async () => (await import('./commands/spec.ts')).specDiff,
  }),
  clean: command<OptionOf<'clean'>>({
    summary: 'remove what an earlier run created and could not remove',
    options: OPTIONS.clean,
    examples: ['assay clean --base-url https://data.example.com'],
    load: async () => (await import('./commands/clean.ts')).clean,
  }),
  complete: command<OptionOf<'complete'>>({
    summary: 'print the script that makes bash, zsh, fish or powershell complete the words of assay',
    operands: { '<shell>': 'bash, zsh, fish or powershell' },
    options: OPTIONS.complete,
    examples: ['assay complete bash >> ~/.bashrc', 'assay complete fish > ~/.config/fish/completions/assay.fish'],
    load: async () => (await import('./commands/complete.ts')).complete,
  }),
};
