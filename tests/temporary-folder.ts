import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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

/** Called by Vitest after the last test. */
export function teardown(): void {
  if (dir !== undefined) rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
}
