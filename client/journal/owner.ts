import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** The process that writes a journal. */
export interface Owner {
  readonly host: string;
  readonly pid: number;
  /** Ticks from boot to its start, where the system tells: another process may get the same number later. */
  readonly started?: string;
}

/** Fields of `/proc/PID/stat` from the third (the state) on; empty where the system has no such file. */
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

/** A process that was killed and that nobody has asked after yet still has its number. */
function isZombie(pid: number): boolean {
  return ['Z', 'X'].includes(statOf(pid)[0] ?? '');
}

/** This process. */
export function thisOwner(): Owner {
  const started = startOf(process.pid);
  return { host: hostname(), pid: process.pid, ...(started === undefined ? {} : { started }) };
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** How often a living owner touches what it owns. */
export const HEARTBEAT_MS = 15_000;

/**
 * True where the owner is at work. On this host its process is looked at; of another host only the age of what it
 * should have touched is known.
 */
export function isAlive(owner: Owner, lastTouchedAt: number): boolean {
  if (owner.host !== hostname()) return Date.now() - lastTouchedAt < 4 * HEARTBEAT_MS;
  if (!exists(owner.pid) || isZombie(owner.pid)) return false;
  const started = startOf(owner.pid);
  return started === undefined || owner.started === undefined || started === owner.started;
}
