import type { Connection, TargetOptions, Tokens } from '../../client/index.ts';
import { labelOf } from '../../client/index.ts';
import { EFFECTS } from '../../spec/index.ts';
import type { Contract, Effect, RunStart, TokenName } from '../../spec/index.ts';
import { defined } from '../../spec/defined.ts';
import { startEmbedded } from '../embedded.ts';
import type { Settings } from '../options/table.ts';
import { keepSecret } from '../secrets.ts';
import type { Embedded, ServeLine } from '../embedded.ts';
import { VERSION } from '../version.ts';
import { environmentOf } from '../run/environment.ts';
import { tokensOf } from './tokens.ts';
import type { TokenSettings } from './tokens.ts';

export interface RunTarget {
  readonly baseUrl: string;
  readonly tokens: Tokens;
  readonly connection: Connection;
  readonly embedded: boolean;
  readonly service?: ServeLine;
  readonly allow: readonly Effect[];
  /** Stops the embedded service; does nothing for a deployment. */
  stop(): Promise<void>;
}

export function clientOptions(
  { timeout, maxRate }: Settings<'timeout'> & Partial<Settings<'maxRate'>>,
  { baseUrl, tokens, connection }: Pick<RunTarget, 'baseUrl' | 'tokens' | 'connection'>,
): TargetOptions {
  return { ...connection, baseUrl, tokens, onSecret: keepSecret, ...defined({ timeoutMs: timeout, maxRate }) };
}

/** The deployment of --base-url, else the embedded service: `service` if it is given, or a new one. */
export async function openRunTarget(
  settings: TokenSettings & Settings<'baseUrl' | 'allow'>,
  connection: Connection,
  contract: Contract,
  service?: Promise<Embedded>,
): Promise<RunTarget> {
  if (settings.baseUrl !== undefined) {
    const { baseUrl, allow = ['read', 'reversible'] } = settings;
    return {
      baseUrl,
      tokens: tokensOf(settings, contract),
      connection,
      embedded: false,
      allow,
      stop: () => Promise.resolve(),
    };
  }
  const embedded = await (service ?? startEmbedded());
  const { baseUrl, tokens } = embedded;
  const { permissions, ...named } = tokens;
  for (const [name, token] of Object.entries({ ...named, ...permissions }))
    keepSecret(token, labelOf(name as TokenName).variable);
  const allow = settings.allow ?? EFFECTS;
  return {
    baseUrl,
    tokens,
    connection: {},
    embedded: true,
    service: { baseUrl, tokens },
    allow,
    stop: () => embedded.stop(),
  };
}

/** Options that the log does not contain: secrets, and paths of this machine. */
const UNRECORDED: ReadonlySet<string> = new Set(['tokens', 'seed', 'headers', 'proxies', 'ca', 'cert', 'key']);

/** The first record of a run, with its options but without secrets. */
export async function startRecord(
  command: RunStart['command'],
  { baseUrl, embedded }: RunTarget,
  { title, source, operations, problems }: Contract,
  given: { readonly seed: number; readonly tokens?: unknown; readonly specSource?: string },
): Promise<RunStart> {
  const errors = problems
    .filter(({ severity }) => severity === 'error')
    .map(({ pointer, message }) => ({ pointer, message }));
  return {
    type: 'run-start',
    version: VERSION,
    command,
    target: { baseUrl, embedded },
    spec: {
      title,
      source,
      operations: operations.length,
      ...defined({ file: given.specSource, errors: errors.length > 0 ? errors : undefined }),
    },
    seed: given.seed,
    startedAt: new Date().toISOString(),
    environment: await environmentOf(process.env, process.cwd()),
    options: Object.fromEntries(Object.entries(given).filter(([name]) => !UNRECORDED.has(name))),
  };
}
