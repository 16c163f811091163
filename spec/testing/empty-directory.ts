import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty directory, removed when all tests have ended. */
export function emptyDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'assay-test-'));
}
