import type { CommandSpec, RunCommand } from './invocation.ts';
import { COMMAND_ABOUT, COMMAND_OPTIONS } from './command-options.ts';

export type OptionOf<C extends keyof typeof COMMAND_OPTIONS> = (typeof COMMAND_OPTIONS)[C][number];

type Own<C extends keyof typeof COMMAND_OPTIONS> = Omit<CommandSpec, 'options' | 'about' | 'load'> & {
  readonly load: () => Promise<RunCommand<OptionOf<C>>>;
};

/** A command whose code may only read the options of its row; the code is loaded when the command runs. */
function command<C extends keyof typeof COMMAND_OPTIONS>(row: C, spec: Own<C>): CommandSpec {
  return { ...spec, options: COMMAND_OPTIONS[row], about: COMMAND_ABOUT[row] ?? {} };
}

async function scenarioNames(): Promise<string> {
  const { SCENARIOS } = await import('../load/scenarios/index.ts');
  return Object.keys(SCENARIOS).join(', ');
}

const DESCRIPTION = 'file or URL; default: the built-in description';

/** Every command; a space in a name makes it a subcommand. */
export const COMMANDS: Readonly<Record<string, CommandSpec>> = {
  verify: command('verify', {
    summary: 'run the contract, property and state suites against a deployment; default: the embedded service',
    operandHint: 'use --only to select suites, checks and operations',
    examples: [
      'assay verify',
      'assay verify --base-url https://data.example.com --allow read',
      'assay verify --only paging --seed 7',
    ],
    load: async () => (await import('./commands/verify.ts')).verify,
  }),
  load: command('load', {
    summary: 'run load scenarios and check their thresholds; default: a mix of all kinds of traffic',
    operands: { '[scenario...]': async () => `any of ${await scenarioNames()}, or files with your own scenarios` },
    examples: [
      'assay load',
      'assay load clue-ingestion --rate 500 --duration 30s',
      'assay load paging-walk --threshold "p99<200ms"',
    ],
    load: async () => (await import('./commands/load.ts')).load,
  }),
  capacity: command('capacity', {
    summary: 'find the highest offered rate that still meets the thresholds',
    operands: { '<scenario>': async () => `one of ${await scenarioNames()}, or a file with your own scenario` },
    examples: ['assay capacity clue-ingestion --threshold "p99<100ms"'],
    load: async () => (await import('./commands/capacity.ts')).capacity,
  }),
  agent: command('agent', {
    summary: 'add this machine to a fleet: send the requests that the controller of the same --fleet assigns',
    examples: [
      'assay agent --fleet rediss://agent@broker.example.com:6379 --base-url https://data.example.com --allow read',
    ],
    load: async () => (await import('./commands/agent.ts')).agent,
  }),
  'fleet list': command('fleet', {
    summary: 'list the runs of a fleet',
    examples: ['assay fleet list --fleet redis://127.0.0.1:6379'],
    load: async () => (await import('./commands/fleet.ts')).fleetList,
  }),
  'fleet stop': command('fleet', {
    summary: 'stop a run of a fleet, like Ctrl-C on its controller',
    operands: { '<run>': 'its id, as fleet list shows it' },
    examples: ['assay fleet stop 5b5927bb --fleet redis://127.0.0.1:6379'],
    load: async () => (await import('./commands/fleet.ts')).fleetStop,
  }),
  serve: command('serve', {
    summary: 'start the embedded service and keep it running',
    examples: ['assay serve --port 8080', 'assay serve --json --data ./data'],
    load: async () => (await import('./commands/serve.ts')).serve,
  }),
  prove: command('prove', {
    summary: 'run verify against known defects and healthy variations, and print which check caught which',
    operands: {
      '[pattern...]':
        'run only these defects, operators, operations or healthy variations; * is a wildcard, one+another runs two variations at once',
    },
    examples: [
      'assay prove',
      'assay prove --list',
      'assay prove status-202 "page-* GET /accesscontrolpolicies"',
      'assay prove --all --out prove-report',
      'assay prove --groups 6 --seed 3',
    ],
    load: async () => (await import('./commands/prove.ts')).prove,
  }),
  report: command('report', {
    summary: 'render the log of an earlier run in any format; merges several folders',
    operands: { '[dir...]': 'folders of earlier runs; default: assay-report' },
    examples: [
      'assay report assay-report --report html',
      'assay report shard-1 shard-2 --out merged',
      'assay report --compare before after',
    ],
    load: async () => (await import('./commands/report.ts')).report,
  }),
  history: command('history', {
    summary: 'add runs to a store, and show requirements, flaky findings, latency and capacity over time',
    operands: { '[dir...]': 'folders of runs to add; without a folder, only show the store' },
    examples: ['assay history assay-report', 'assay history --json'],
    load: async () => (await import('./commands/history.ts')).history,
  }),
  doctor: command('doctor', {
    summary: 'check what is reachable, which tokens work and what a run would test; changes nothing',
    examples: ['assay doctor --base-url https://data.example.com'],
    load: async () => (await import('./commands/doctor.ts')).doctor,
  }),
  replay: command('replay', {
    summary: 'run the test of a finding again, with the same seed and target',
    operands: {
      '<fingerprint>': 'id of the finding, or its first digits',
      '[dir]': 'folder of the run that found it; default: assay-report',
    },
    examples: ['assay replay 925540fac08eff6f', 'assay replay 9255 nightly-report'],
    load: async () => (await import('./commands/replay.ts')).replay,
  }),
  explain: command('explain', {
    summary: 'explain a finding code: what it means, how to reproduce it by hand, how to accept it',
    operands: { '<code>': 'code of a finding, such as overlap/lost-update, or a check; assay list codes shows all' },
    examples: ['assay explain overlap/lost-update', 'assay explain paging-partition'],
    load: async () => (await import('./commands/explain.ts')).explain,
  }),
  list: command('list', {
    summary: 'list suites, checks, codes, scenarios, profiles, operators, faults or report formats',
    operands: { '[list]': 'name of the list; default: show the available lists' },
    examples: ['assay list', 'assay list checks', 'assay list scenarios --json'],
    load: async () => (await import('./commands/list.ts')).list,
  }),
  'spec list': command('spec', {
    summary: 'list the operations of a description',
    operands: { '[file]': DESCRIPTION },
    examples: ['assay spec list', 'assay spec list swagger.json'],
    load: async () => (await import('./commands/spec.ts')).specList,
  }),
  'spec lint': command('spec', {
    summary: 'report problems in a description, with hints',
    operands: { '[file]': DESCRIPTION },
    examples: ['assay spec lint swagger.json'],
    load: async () => (await import('./commands/spec.ts')).specLint,
  }),
  'spec diff': command('diff', {
    summary: 'compare two descriptions; exits with 1 on breaking changes',
    operands: { '<before>': 'file or URL', '<after>': 'file or URL' },
    examples: ['assay spec diff old.yaml new.yaml'],
    load: async () => (await import('./commands/spec.ts')).specDiff,
  }),
  clean: command('clean', {
    summary: 'remove resources that earlier runs created and left behind',
    examples: [
      'assay clean --base-url https://data.example.com',
      'assay clean --base-url https://data.example.com --forget',
    ],
    load: async () => (await import('./commands/clean.ts')).clean,
  }),
  init: command('init', {
    summary: 'write assay.config.ts and, on request, a CI pipeline; prompts for missing values',
    examples: ['assay init', 'assay init --base-url https://data.example.com --ci github'],
    load: async () => (await import('./commands/init.ts')).init,
  }),
  complete: command('complete', {
    summary: 'print a completion script for bash, zsh, fish or powershell',
    alias: 'completion',
    operands: { '<shell>': 'bash, zsh, fish or powershell' },
    examples: ['assay complete bash >> ~/.bashrc', 'assay complete fish > ~/.config/fish/completions/assay.fish'],
    load: async () => (await import('./commands/complete.ts')).completing(COMMANDS),
  }),
};
