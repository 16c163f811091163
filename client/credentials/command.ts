import { exec, execFile } from 'node:child_process';
import { AssayError, EXIT } from '../../spec/index.ts';
import { parseToken } from './issued.ts';
import type { IssuedToken } from './issued.ts';
import type { CommandSource } from './source.ts';

/** Time limit of a command; some call a remote service. */
const LONGEST_MS = 30_000;

const HINT = 'It has to print the token alone, or JSON with "token" and, if known, "expiresAt".';

interface Ended {
  readonly error: (Error & { readonly code?: number | string | null; readonly killed?: boolean }) | null;
  readonly stdout: string;
  readonly stderr: string;
}

function execute(command: CommandSource['command']): Promise<Ended> {
  const options = { timeout: LONGEST_MS, maxBuffer: 1024 * 1024, windowsHide: true, encoding: 'utf8' } as const;
  return new Promise((resolve) => {
    const done = (error: Ended['error'], stdout: string, stderr: string): void => resolve({ error, stdout, stderr });
    const [program = '', ...words] = typeof command === 'string' ? [] : command;
    const child = typeof command === 'string' ? exec(command, options, done) : execFile(program, words, options, done);
    child.stdin?.end();
  });
}

/** The last line of standard error, without anything that could be a secret. */
function lastLine(stderr: string): string {
  const line = stderr.trim().split('\n').at(-1)?.trim() ?? '';
  const shown = line.replaceAll(/[\w.~+/=-]{20,}/gu, '…').slice(0, 200);
  return shown === '' ? '' : `: ${shown}`;
}

function endOf({ code }: NonNullable<Ended['error']>): string {
  if (typeof code === 'number') return `ended with exit code ${code}`;
  return typeof code === 'string' ? `cannot be started (${code})` : 'was ended by a signal';
}

/** Runs a command that prints a token; throws an AssayError if it fails. */
export async function tokenOfCommand({ command }: CommandSource, name: string): Promise<IssuedToken> {
  const { error, stdout, stderr } = await execute(command);
  const refuse = (what: string): never => {
    throw new AssayError(`The command for ${name} ${what}.`, { hint: HINT, exitCode: EXIT.unreachable });
  };
  if (error?.killed === true) return refuse(`did not end within ${LONGEST_MS / 1_000} s`);
  if (error !== null) return refuse(`${endOf(error)}${lastLine(stderr)}`);
  return parseToken(stdout) ?? refuse('printed no token');
}
