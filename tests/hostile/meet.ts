import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { escaped, HOSTILITIES } from './behaviours.ts';
import type { HostilityName } from './behaviours.ts';
import { startHostile } from './server.ts';

/** Tokens with which a run meets a hostile server; each is searched for in all that is written. */
export const TOKENS = {
  full: 'Zq7-full.token_8Kd~31xV',
  limited: 'Wm4-limited.token_5Rt~72yB',
  expired: 'expired-Jh2.token_9Pc~64zN',
} as const;

export interface Encounter {
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
  readonly strays: number;
}

export interface Meeting {
  /** The command, for example `['node', 'dist/cli/main.js']`. */
  readonly command: readonly string[];
  /** Requests that are answered politely before. */
  readonly polite: number;
  readonly args?: readonly string[];
  readonly mostMs: number;
}

const ARGUMENTS = '--timeout 500 --max-time 4 --runs 3 --settle 20 --seed 1 --report html,junit,sarif'.split(' ');

function start(baseUrl: string, dir: string, { command, args = [] }: Meeting) {
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
async function runCommand(baseUrl: string, dir: string, meeting: Meeting) {
  const child = start(baseUrl, dir, meeting);
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  let peakMb = 0;
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, memoryOf(child.pid ?? 0));
  }, 200);
  const stop = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, meeting.mostMs);
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  clearInterval(watch);
  clearTimeout(stop);
  return { code, peakMb: Math.round(peakMb), output: Buffer.concat(output).toString() };
}

/** Runs `verify` against a hostile server and tells what came of it. */
export async function meet(name: HostilityName, meeting: Meeting): Promise<Encounter> {
  const server = await startHostile(HOSTILITIES[name], meeting.polite);
  const dir = mkdtempSync(join(tmpdir(), 'assay-hostile-'));
  const began = performance.now();
  const ended = await runCommand(server.baseUrl, dir, meeting);
  await server.close();
  const text = ended.output;
  const files = listed(dir);
  const summary = readSummary(join(dir, 'out', 'summary.json'));
  const encounter = {
    code: ended.code,
    ms: Math.round(performance.now() - began),
    peakMb: ended.peakMb,
    output: text,
    leaks: [...leaksIn('output', text), ...files.flatMap((file) => leaksIn(file, readFileSync(file, 'latin1')))],
    escapes: [...text.matchAll(/[^\P{Cc}\r\n\t]|\u202E/gu)].length,
    writtenMb: Math.round(files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6),
    ...summary,
    strays: server.requests.filter((head) => / \/(?:stolen|admin\?)/.test(head)).length,
  };
  rmSync(dir, { recursive: true, force: true });
  return encounter;
}

function readSummary(file: string): Pick<Encounter, 'verdict' | 'findings'> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Pick<Encounter, 'verdict' | 'findings'>;
  } catch {
    return { verdict: 'no summary', findings: [] };
  }
}

function leaksIn(where: string, text: string): readonly string[] {
  return Object.values(TOKENS).flatMap((token) => {
    const guises = {
      plain: token,
      lower: token.toLowerCase(),
      encoded: encodeURIComponent(token),
      base64: Buffer.from(token).toString('base64').replace(/=+$/, '').slice(0, -2),
      escaped: escaped(token),
    };
    return Object.entries(guises)
      .filter(([, guise]) => text.includes(guise))
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
