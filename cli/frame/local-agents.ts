import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../options/table.ts';
import { variableOf } from '../options/spec.ts';
import type { RunTarget } from './target.ts';

export type LocalAgentSettings = Settings<'spec' | 'timeout' | 'maxRate' | 'insecure' | 'ca' | 'cert' | 'key'>;

/** The command line itself. */
export const SELF = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../main.ts' : '../main.js', import.meta.url),
);

/** How a process of this machine reaches the same target. */
export function targetWords({ baseUrl }: Pick<RunTarget, 'baseUrl'>, settings: LocalAgentSettings): readonly string[] {
  const { spec, timeout, maxRate, insecure, ca, cert, key } = settings;
  const given = { spec, timeout, ca, cert, key, 'max-rate': maxRate };
  return [
    '--base-url',
    baseUrl,
    ...Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, String(value)])),
    ...(insecure ? ['--insecure'] : []),
  ];
}

/** Variables of the embedded service's tokens; those of a deployment are in the environment already. */
function tokenVariables({ embedded, tokens }: RunTarget): Readonly<Record<string, string>> {
  const full = tokens.full;
  return embedded && typeof full === 'string' ? { [variableOf('token')]: full } : {};
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** Starts agents as processes of this machine. They end with this process. */
export function startAgents(
  count: number,
  broker: { readonly url: string; readonly password: string },
  target: RunTarget,
  settings: LocalAgentSettings,
): { close(): Promise<void> } {
  const env = { ...process.env, ...tokenVariables(target), ASSAY_FLEET_PASSWORD: broker.password };
  const children = Array.from({ length: count }, () =>
    fork(SELF, ['agent', '--fleet', broker.url, '--allow', target.allow.join(','), ...targetWords(target, settings)], {
      env,
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    }),
  );
  return { close: async () => void (await Promise.all(children.map(end))) };
}
