import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives all tests one folder for temporary files, which is removed when they have ended. */
export default function setUp(): () => void {
  const dir = mkdtempSync(join(tmpdir(), 'assay-tests-'));
  process.env['TMPDIR'] = dir;
  return () => {
    rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
  };
}
