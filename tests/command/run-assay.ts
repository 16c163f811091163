import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFailed, onTestFinished } from 'vitest';
import type { Summary } from '../../reports/index.ts';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';
import { ROOT } from '../architecture/files.ts';

export { emptyDirectory } from '../../spec/testing/empty-directory.ts';

const MAIN = join(ROOT, 'dist/cli/main.js');

/** What a command did. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  /** Resolves with the first line on standard output that fits. */
  readonly line: (pattern: RegExp) => Promise<string>;
  readonly ended: Promise<Ran>;
}

export interface Surroundings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

function environment(extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const clean = Object.entries(process.env).filter(
    ([name]) => !/^(?:ASSAY_|VITEST|NODE_OPTIONS|GITHUB_|CI$|FORCE_COLOR|TEST$|npm_)/u.test(name),
  );
  return { ...Object.fromEntries(clean), NO_COLOR: '1', XDG_STATE_HOME: emptyDirectory(), ...extra };
}

/** Prints what a command has printed so far if the running test fails, for example because the command does not end. */
function showIfFailed(output: () => string): void {
  try {
    onTestFailed(() => console.log(`assay ${output()}`));
  } catch {
    // It was started for several tests.
  }
}

/** Starts the built command; it does not wait for it. */
export function startAssay(words: readonly string[], { cwd = emptyDirectory(), env = {} }: Surroundings = {}): Running {
  if (!existsSync(MAIN)) throw new Error('dist/ is missing: npm run build');
  const child = spawn(process.execPath, [MAIN, ...words], {
    cwd,
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  showIfFailed(() => `${words.join(' ')}\n${stdout}${stderr}`);
  const ended = new Promise<Ran>((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
  const lines = createInterface({ input: child.stdout });
  const line = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      lines.on('line', (text) => pattern.test(text) && resolve(text));
      lines.once('close', () => reject(new Error(`ended without ${String(pattern)}: ${stdout}${stderr}`)));
    });
  return { child, line, ended };
}

/** Runs the built command to its end. */
export function runAssay(words: readonly string[], surroundings: Surroundings = {}): Promise<Ran> {
  return startAssay(words, surroundings).ended;
}

/** A service started by the command. */
export interface Served {
  readonly baseUrl: string;
  readonly tokens: {
    readonly full: string;
    readonly limited: string;
    readonly expired: string;
    readonly otherTenant: string;
    readonly permissions: Readonly<Record<string, string>>;
  };
  readonly env: Readonly<Record<string, string>>;
  readonly running: Running;
  readonly stop: () => Promise<Ran>;
}

/** Starts `assay serve --json` and reads its line. */
export async function serve(words: readonly string[] = []): Promise<Served> {
  const running = startAssay(['serve', '--json', ...words]);
  const ready = JSON.parse(await running.line(/^\{/u)) as Pick<Served, 'baseUrl' | 'tokens'>;
  const { full, limited, expired } = ready.tokens;
  const stop = (): Promise<Ran> => {
    running.child.kill('SIGTERM');
    return running.ended;
  };
  return {
    ...ready,
    running,
    stop,
    env: { ASSAY_TOKEN: full, ASSAY_LIMITED_TOKEN: limited, ASSAY_EXPIRED_TOKEN: expired },
  };
}

/** A service with these faults, which ends with the running test. */
export async function serveFaulty(...faults: readonly string[]): Promise<Served> {
  const served = await serve(faults.flatMap((fault) => ['--fault', fault]));
  onTestFinished(async () => void (await served.stop()));
  return served;
}

export const summaryIn = (dir: string): Summary =>
  JSON.parse(readFileSync(join(dir, 'summary.json'), 'utf8')) as Summary;
