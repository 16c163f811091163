import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { escaped, HOSTILE_BEHAVIOURS } from './behaviours.ts';
import type { HostileBehaviour } from './behaviours.ts';
import { startHostile } from './server.ts';

/** Tokens with which a run meets a hostile server; each is searched for in all that is written. */
export const TOKENS = {
  full: 'Zq7-full.token_8Kd~31xV',
  limited: 'Wm4-limited.token_5Rt~72yB',
  expired: 'expired-Jh2.token_9Pc~64zN',
} as const;

export interface Outcome {
  readonly code: number | null;
  readonly ms: number;
  /** Most memory of the command and its children together. */
  readonly peakMb: number;
  readonly output: string;
  /** Where a token was found, and how it was written. */
  readonly leaks: readonly string[];
  /** Terminal escapes that came through to the output. */
  readonly escapes: number;
  readonly writtenMb: number;
  readonly verdict: string;
  readonly findings: readonly { readonly check: string; readonly cause?: string; readonly message: string }[];
  /** Requests that went where no request of Assay goes. */
  readonly unexpectedRequests: number;
}

export interface HostileRun {
  /** The command, for example `['node', 'dist/cli/main.js']`. */
  readonly command: readonly string[];
  /** Requests that are answered as a healthy service would, before the hostile ones. */
  readonly normalResponses: number;
  readonly args?: readonly string[];
  readonly mostMs: number;
}

const ARGUMENTS = '--timeout 500 --max-time 15 --runs 3 --settle 20 --seed 1 --report html,junit,sarif'.split(' ');

function start(baseUrl: string, dir: string, { command, args = [] }: HostileRun) {
  const [program = 'node', ...words] = command;
  return spawn(program, [...words, 'verify', '--base-url', baseUrl, ...ARGUMENTS, '--out', join(dir, 'out'), ...args], {
    cwd: dir,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: {
      PATH: process.env['PATH'],
      HOME: dir,
      XDG_STATE_HOME: dir,
      ASSAY_TOKEN: TOKENS.full,
      ASSAY_LIMITED_TOKEN: TOKENS.limited,
      ASSAY_EXPIRED_TOKEN: TOKENS.expired,
    },
  });
}

/** Runs the command to its end, or kills it, and watches its memory. */
async function runCommand(baseUrl: string, dir: string, options: HostileRun) {
  const child = start(baseUrl, dir, options);
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  let peakMb = 0;
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, memoryOf(child.pid ?? 0));
  }, 200);
  const stop = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, options.mostMs);
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  clearInterval(watch);
  clearTimeout(stop);
  return { code, peakMb: Math.round(peakMb), output: Buffer.concat(output).toString() };
}

/** Runs `verify` against a hostile server and tells what came of it. */
export async function runAgainst(name: HostileBehaviour, options: HostileRun): Promise<Outcome> {
  const server = await startHostile(HOSTILE_BEHAVIOURS[name], options.normalResponses);
  const dir = mkdtempSync(join(tmpdir(), 'assay-hostile-'));
  const began = performance.now();
  const ended = await runCommand(server.baseUrl, dir, options);
  await server.close();
  const text = ended.output;
  const files = listed(dir);
  const summary = readSummary(join(dir, 'out', 'summary.json'));
  const outcome = {
    code: ended.code,
    ms: Math.round(performance.now() - began),
    peakMb: ended.peakMb,
    output: text,
    leaks: [...leaksIn('output', text), ...files.flatMap((file) => leaksIn(file, readFileSync(file, 'latin1')))],
    escapes: [...text.matchAll(/[^\P{Cc}\r\n\t]|\u202E/gu)].length,
    writtenMb: Math.round(files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6),
    ...summary,
    unexpectedRequests: server.requests.filter((head) => / \/(?:stolen|admin\?)/.test(head)).length,
  };
  rmSync(dir, { recursive: true, force: true });
  return outcome;
}

function readSummary(file: string): Pick<Outcome, 'verdict' | 'findings'> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Pick<Outcome, 'verdict' | 'findings'>;
  } catch {
    return { verdict: 'no summary', findings: [] };
  }
}

function leaksIn(where: string, text: string): readonly string[] {
  return Object.values(TOKENS).flatMap((token) => {
    const spellings = {
      plain: token,
      lower: token.toLowerCase(),
      encoded: encodeURIComponent(token),
      base64: Buffer.from(token).toString('base64').replace(/=+$/, '').slice(0, -2),
      escaped: escaped(token),
    };
    return Object.entries(spellings)
      .filter(([, spelling]) => text.includes(spelling))
      .map(([how]) => `${where}: ${token.slice(0, 3)}… ${how}`);
  });
}

function listed(dir: string): readonly string[] {
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name));
}

/** Memory of a process and all below it in megabytes; pages that processes share count once (proportional set size). */
export function memoryOf(pid: number): number {
  try {
    const own = Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter((each) => each !== '');
    return own + children.reduce((sum, each) => sum + memoryOf(Number(each)), 0);
  } catch {
    return 0;
  }
}
