import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const directories: string[] = [];
afterAll(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
});

/** An empty directory, removed at the end of the test file. */
export function emptyDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'assay-test-'));
  directories.push(directory);
  return directory;
}
