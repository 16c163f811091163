import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { endProcess } from '../spec/end-process.ts';
import { AssayError, EXIT } from '../spec/errors.ts';
import type { RunningService } from '../service/start.ts';

/** What `assay serve --json` prints when it is ready. */
export type ServeLine = Pick<RunningService, 'baseUrl' | 'tokens'>;

/** The embedded service, in a process of its own. */
export interface Embedded extends ServeLine {
  stop(): Promise<void>;
}

/** The variable with the service of the process that started this one, as JSON. */
const SHARED = 'ASSAY_EMBEDDED_SERVICE';

/** Variables with which a child process uses the embedded service of this one. */
export function shareService({ baseUrl, tokens }: ServeLine): Readonly<Record<string, string>> {
  return { [SHARED]: JSON.stringify({ baseUrl, tokens }) };
}

export function sharedService(): ServeLine | undefined {
  const given = process.env[SHARED];
  return given === undefined ? undefined : (JSON.parse(given) as ServeLine);
}

/** The module of the command line, for processes that run another command. */
export const MAIN = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './main.ts' : './main.js', import.meta.url),
);

function firstLine(child: ChildProcess): Promise<ServeLine> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void =>
      reject(
        new AssayError(`the embedded service did not start: ${why}`, {
          hint: 'run `assay serve` to see why',
          exitCode: EXIT.internal,
        }),
      );
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code) => fail(`it exited with ${code ?? 'a signal'}`));
    if (child.stdout)
      createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line) as ServeLine));
  });
}

/** Without the settings of the run, which are not those of the service. */
function plainEnvironment(): { readonly env: NodeJS.ProcessEnv; readonly cwd: string } {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ASSAY_')));
  return { env, cwd: dirname(MAIN) };
}

/** Starts the service in a process group of its own, so that Ctrl-C does not end it before the run has cleaned up. */
export async function startEmbedded(): Promise<Embedded> {
  const shared = sharedService();
  if (shared !== undefined) return { ...shared, stop: () => Promise.resolve() };
  const child = fork(MAIN, ['serve', '--json'], {
    ...plainEnvironment(),
    detached: true,
    execArgv: [...process.execArgv, '--max-semi-space-size=4', '--heap-growing-percent=40'],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const line = await firstLine(child);
  return { ...line, stop: () => endProcess(child) };
}
