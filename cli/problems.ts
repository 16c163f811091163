import { rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { AssayError, EXIT, usageError } from '../spec/errors.ts';
import { makeFolder } from '../spec/make-folder.ts';
import { pasteable } from './command-name.ts';
import { isDebugging } from './debugging.ts';
import { redact } from './secrets.ts';
import { wrapLines } from './text/print.ts';

/** Something wrong with the input, found before a request is sent. */
export interface Problem {
  /** The flag, variable, key or file, for example `--base-url` or `ASSAY_ALLOW in .env`. */
  readonly subject: string;
  /** Continues the subject, for example `has no scheme` or `: the file does not exist`. */
  readonly message: string;
  readonly hint: string;
}

const sentence = ({ subject, message }: Problem): string => `${subject}${message.startsWith(':') ? '' : ' '}${message}`;

const show = (problem: Problem): string =>
  `  ${sentence(problem)}${problem.hint === '' ? '' : `\n    hint: ${problem.hint}`}`;

/** Throws an {@link AssayError} (exit 2) that tells all problems, and what was not done; does nothing where there is none. */
export function refuse(problems: readonly Problem[], notDone = 'no requests were sent'): void {
  const [first, ...others] = problems;
  if (first === undefined) return;
  if (others.length === 0) throw usageError(sentence(first), first.hint);
  const text = `${problems.length} problems; ${notDone}:\n${problems.map(show).join('\n')}`;
  throw usageError(text, '');
}

/** The value; an {@link AssayError} is added to the problems instead, and the value is undefined. */
export async function orProblem<T>(
  subject: string,
  problems: Problem[],
  get: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await get();
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    problems.push({ subject, message: `: ${error.message}`, hint: error.hint });
    return undefined;
  }
}

/** Hint for an unexpected error. */
export const INTERNAL_HINT = 'this is a bug in Assay, not in the target; --debug prints the stack trace';

/** The package that an import did not find, for example one that `--omit=optional` leaves out. */
function missingPackage(message: string): string | undefined {
  return /Cannot find (?:module|package) '?((?:@[\w.-]+\/)?[\w](?:[\w.-]*[\w-])?)(?=['. ]|$)/u.exec(message)?.[1];
}

/** What keeps a file from being written, by the code of the system's error. */
const UNWRITABLE: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  ENOSPC: ['the disk is full', 'Free some space, or choose another disk with --out DIR.'],
  EDQUOT: ['the disk quota is used up', 'Free some space, or choose another disk with --out DIR.'],
  EACCES: ['permission denied', 'Choose a directory that this user may write to.'],
  EPERM: ['permission denied', 'Choose a directory that this user may write to.'],
  ENOENT: ['no folder can be created there', 'Choose a directory that can be written to.'],
  ENOTDIR: ['a part of the path is not a folder', 'Choose a directory that can be written to.'],
  EROFS: ['the file system is read-only', 'Choose a directory that can be written to.'],
};

/** The error of the system where a file or folder cannot be used as the command needs it. */
export function fileProblem(error: unknown): { readonly message: string; readonly hint: string } | undefined {
  if (!(error instanceof Error) || error instanceof AssayError) return undefined;
  const { code = '', path, syscall } = error as NodeJS.ErrnoException;
  const [what, hint] = UNWRITABLE[code] ?? [];
  // Ports and processes have no path.
  if (what === undefined || (path === undefined && syscall !== 'write')) return undefined;
  if (code === 'ENOENT' && syscall !== 'mkdir') return undefined;
  return { message: `cannot write ${path ?? 'a file of the run'}: ${what} (${code})`, hint: hint ?? '' };
}

/** Makes the folder of a file that a run writes at its end; a problem is added where the file could not be written. */
export function checkWritable(subject: string, file: string, problems: Problem[]): void {
  const trial = `${file}.${process.pid}.tmp`;
  try {
    makeFolder(dirname(file));
    writeFileSync(trial, '');
    rmSync(trial);
  } catch (error) {
    const { message, hint } = fileProblem(error) ?? {
      message: `cannot write ${file}: ${(error as Error).message}`,
      hint: 'Choose another file.',
    };
    problems.push({ subject, message: `: ${message}`, hint });
  }
}

function lines(error: unknown): readonly string[] {
  const message = error instanceof Error ? error.message : String(error);
  const missing = missingPackage(message);
  if (missing !== undefined)
    return [
      `error: the package ${missing} is not installed`,
      `hint: npm install without --omit=optional and on this platform, or npm install ${missing}`,
    ];
  const ofFile = fileProblem(error);
  if (ofFile !== undefined) return [`error: ${ofFile.message}`, `hint: ${ofFile.hint}`];
  if (!(error instanceof AssayError)) return [`error: internal error: ${message}`, `hint: ${INTERNAL_HINT}`];
  return [`error: ${message}`, ...(error.hint === '' ? [] : [`hint: ${error.hint}`])];
}

/** The password in a URL; in one of HTTP also the user name, which may be a token. */
const IN_URL = /(https?:\/\/|\b[\w+.-]+:\/\/[^\s/:@"]*:)[^\s/"]+@/giu;

const withoutSecrets = (text: string): string => redact(text).replaceAll(IN_URL, '$1***@');

/** Prints an error and its hint on standard error, without secrets, and returns its exit code. */
export function reportError(error: unknown): number {
  const stack = isDebugging() && error instanceof Error ? [error.stack ?? ''] : [];
  const text = wrapLines(withoutSecrets(pasteable(lines(error).join('\n'))));
  process.stderr.write(`${[text, ...stack.map(withoutSecrets)].join('\n')}\n`);
  if (fileProblem(error) !== undefined) return EXIT.usage;
  return error instanceof AssayError ? error.exitCode : EXIT.internal;
}
