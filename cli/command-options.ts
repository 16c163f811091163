import type { OptionName } from './options/table.ts';

const base = ['config', 'debug'] as const;
const output = ['out', 'report', 'open', 'ui', 'verbose', 'quiet', 'json', ...base] as const;
const reach = ['timeout', 'insecure', 'ca', 'cert', 'key', 'header', 'headers', 'bases'] as const;
const endpoint = ['tokenUrl', 'clientId', 'clientSecret', 'username', 'password', 'scope'] as const;
const commands = ['tokenCommand', 'limitedTokenCommand'] as const;
const given = [
  'token',
  'limitedToken',
  'expiredToken',
  ...commands,
  ...endpoint,
  'auth',
  'tokens',
  'credential',
  'credentials',
] as const;
const connection = ['baseUrl', ...given, 'spec', ...reach] as const;
const target = [...connection, 'allow', 'maxRate', 'fixtures'] as const;
const extent = ['depth', 'budget', 'runs', 'maxTime'] as const;
const selection = ['only', 'skip', 'seed', ...extent, 'settle', 'strict', 'minReach', 'shard', 'path'] as const;
const known = ['updateSnapshot', 'snapshot', 'baseline', 'updateBaseline', 'bail'] as const;
const shape = ['engine', 'rate', 'throughput', 'duration', 'profile', 'arrivals', 'warmup', 'compare'] as const;
const executor = ['stage', 'executor', 'vus', 'iterations'] as const;
const dataOut = ['abortOnFail', 'targetMetrics', 'otlp', 'prometheus'] as const;
const traffic = ['connections', 'workers', 'items', 'bodyBytes', 'threshold', 'maxDuration', 'settle', 'seed'] as const;

const broker = ['fleet', 'fleetPassword', 'fleetKey', 'insecureFleet'] as const;
const fleet = [...broker, 'agents', 'zones', 'onLoss', 'gather', 'lock', 'resume'] as const;

/** The options that the agents and shares of a run inherit from the process that starts them. */
export const SAME_TARGET = [...connection, 'config'] as const;

export const COMMAND_OPTIONS = {
  verify: [...target, ...selection, 'maxRequests', ...known, 'list', 'againstLast', 'store', ...fleet, ...output],
  load: [...target, ...shape, ...executor, ...dataOut, ...traffic, ...fleet, ...output],
  capacity: [...target, ...traffic, 'budget', ...fleet, ...output],
  agent: [...connection, 'allow', 'maxRate', ...broker, 'zone', 'leaveAfter', ...base],
  fleet: [...broker, ...base],
  serve: ['port', 'host', 'token', 'data', 'fault', 'capacity', 'seed', 'json', ...base],
  prove: ['all', 'groups', 'workers', 'list', 'seed', 'json', 'out', ...base],
  report: ['compare', 'baseline', 'strict', ...output],
  history: ['store', 'out', 'json', ...base],
  spec: ['spec', 'json', ...base],
  diff: ['json', ...base],
  clean: [...connection, 'forget', 'verbose', 'json', ...base],
  replay: [...target, 'settle', 'strict', ...output],
  explain: ['json', ...base],
  list: ['json', ...base],
  init: ['baseUrl', 'spec', 'allow', 'ci', ...base],
  complete: ['debug'],
  doctor: [...target, ...selection, 'maxRequests', 'json', ...base],
} as const satisfies Record<string, readonly OptionName[]>;

type Abouts = Readonly<Partial<Record<OptionName, string>>>;

/** What an option means for one command, where the table says what it means for the others. */
export const COMMAND_ABOUT: Readonly<Partial<Record<keyof typeof COMMAND_OPTIONS, Abouts>>> = {
  init: {
    baseUrl: 'the part of the URL before /api/…; it is written to the configuration',
    allow:
      'effects that the configuration allows: read, reversible, global, irreversible, costly or all; default: read',
  },
  serve: {
    seed: 'seed of the ids and of what the service chooses at random; default: 1',
    token: 'token with every permission that the service accepts; default: a new one at each start',
  },
  capacity: { budget: 'time limit for the search, with the removal of what it creates; default: 80 s' },
  clean: { verbose: 'list each resource that is left' },
  history: { out: 'directory for history.html' },
  report: {
    open: 'open the HTML report in the browser',
    ui: 'show the run in the live page on 127.0.0.1, until Ctrl-C',
  },
};
