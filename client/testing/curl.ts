import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What a shell prints for a line; undefined fails. */
export async function paste(line = 'false', env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { stdout } = await run('sh', ['-c', line], { env: { ...process.env, ...env } });
  return stdout;
}

/** True if curl is installed; otherwise prints which tests are skipped. */
export const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
);
if (!hasCurl) process.stderr.write('skipped: lines for curl are not run, because curl is not installed\n');
