import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export const run = promisify(execFile);

/** True where curl is installed; prints what is left out where it is not. */
export const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
);
if (!hasCurl) process.stderr.write('skipped: lines for curl are not run, because curl is not installed\n');
