import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PREFIX = 'assay-tests-';
let dir: string | undefined;

/** Gives all tests one folder for temporary files. Vitest calls this before the first test, once for each project. */
export function setup(): void {
  if (tmpdir().includes(PREFIX)) return;
  dir = mkdtempSync(join(tmpdir(), PREFIX));
  // PostgreSQL runs as another user where the tests run as root.
  chmodSync(dir, 0o755);
  process.env['TMPDIR'] = dir;
}

const TRIES = 5;
const WAIT_MS = 300;

/** Called by Vitest after the last test, while it may still write files of its own there. */
export async function teardown(): Promise<void> {
  if (dir === undefined) return;
  for (let left = TRIES; left > 0; left -= 1)
    try {
      rmSync(dir, { recursive: true, force: true });
      return;
    } catch (error) {
      if (left === 1) throw error;
      await sleep(WAIT_MS);
    }
}
