import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** The process that writes a file. */
export interface Owner {
  readonly host: string;
  readonly pid: number;
  /** Clock ticks from boot to its start, if known: another process may get the same pid later. */
  readonly started?: string;
}

/** How often a running owner touches its files. */
export const HEARTBEAT_MS = 15_000;

/** Fields of `/proc/PID/stat` from the third (the state) on; empty if the system has no such file. */
function statOf(pid: number): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

function startOf(pid: number): string | undefined {
  return statOf(pid)[19];
}

/** A process of this host. */
export function ownerOf(pid: number): Owner {
  const started = startOf(pid);
  return { host: hostname(), pid, ...(started === undefined ? {} : { started }) };
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** True while the owner runs: by its process on this host, by the age of its files on another. */
export function isAlive(owner: Owner, lastTouchedAt: number): boolean {
  if (owner.host !== hostname()) return Date.now() - lastTouchedAt < 4 * HEARTBEAT_MS;
  const isZombie = ['Z', 'X'].includes(statOf(owner.pid)[0] ?? '');
  if (!exists(owner.pid) || isZombie) return false;
  const started = startOf(owner.pid);
  return started === undefined || owner.started === undefined || started === owner.started;
}

function take(path: string): boolean {
  try {
    writeFileSync(path, JSON.stringify(ownerOf(process.pid)), { flag: 'wx', mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

function isHeld(path: string): boolean {
  try {
    const owner: Owner = JSON.parse(readFileSync(path, 'utf8'));
    return isAlive(owner, statSync(path).mtimeMs);
  } catch {
    return false;
  }
}

/** Locks a file, so that only one process uses it. Returns the release function; undefined if another process has the lock. */
export function claim(file: string): (() => void) | undefined {
  const path = `${file}.claim`;
  const release = (): void => rmSync(path, { force: true });
  if (take(path)) return release;
  if (isHeld(path)) return undefined;
  release();
  return take(path) ? release : undefined;
}
