import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export const run = promisify(execFile);

/** True if curl is installed; otherwise prints which tests are skipped. */
export const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
);
if (!hasCurl) process.stderr.write('skipped: lines for curl are not run, because curl is not installed\n');
