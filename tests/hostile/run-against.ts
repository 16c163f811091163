import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyDirectory, startAssay } from '../command/run-assay.ts';
import { escaped, HOSTILE_BEHAVIOURS } from './behaviours.ts';
import type { HostileBehaviour } from './behaviours.ts';
import { startHostile } from './server.ts';

/** Tokens with which a run meets a hostile server; each is searched for in all that is written. */
const TOKENS = {
  ASSAY_TOKEN: 'Zq7-full.token_8Kd~31xV',
  ASSAY_LIMITED_TOKEN: 'Wm4-limited.token_5Rt~72yB',
  ASSAY_EXPIRED_TOKEN: 'expired-Jh2.token_9Pc~64zN',
} as const;

export interface Outcome {
  readonly code: number | null;
  readonly output: string;
  /** Where a token was found, and how it was written. */
  readonly leaks: readonly string[];
  /** Terminal escapes that came through to the output. */
  readonly escapes: number;
  /** Requests that went where no request of Assay goes. */
  readonly unexpectedRequests: number;
}

const ARGUMENTS =
  '--timeout 500 --max-time 15 --runs 3 --settle 20 --seed 1 --report html,junit,sarif --only contract/operations';

/** Requests that are answered as a healthy service would, before the hostile ones. */
const HEALTHY = 20;
const MOST_MS = 55_000;

/** Runs `verify` against a hostile server, and tells what came of it. */
export async function runAgainst(name: HostileBehaviour): Promise<Outcome> {
  const server = await startHostile(HOSTILE_BEHAVIOURS[name], HEALTHY);
  const cwd = emptyDirectory();
  const words = ['verify', '--base-url', server.baseUrl, ...ARGUMENTS.split(' '), '--out', 'out'];
  const { child, ended } = startAssay(words, { cwd, env: { ...TOKENS, HOME: cwd, XDG_STATE_HOME: cwd } });
  const stop = setTimeout(() => child.kill('SIGKILL'), MOST_MS);
  const { code, stdout, stderr } = await ended;
  clearTimeout(stop);
  await server.close();
  const output = stdout + stderr;
  return {
    code,
    output,
    leaks: [
      ...leaksIn('output', output),
      ...filesIn(cwd).flatMap((file) => leaksIn(file, readFileSync(file, 'latin1'))),
    ],
    escapes: [...output.matchAll(/[^\P{Cc}\r\n\t]|\u202E/gu)].length,
    unexpectedRequests: server.requests.filter((each) => / \/(?:stolen|admin\?)/.test(each)).length,
  };
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

function filesIn(dir: string): readonly string[] {
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name));
}
