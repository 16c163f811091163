import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One folder for the temporary files of all tests. */
const dir = mkdtempSync(join(tmpdir(), 'assay-tests-'));

/** Called by Vitest before the first test. */
export function setup(): void {
  // PostgreSQL runs as another user where the tests run as root.
  chmodSync(dir, 0o755);
  process.env['TMPDIR'] = dir;
}

/** Called by Vitest after the last test. */
export function teardown(): void {
  rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
}
