import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Ledger, readLedger } from './ledger.ts';
import { emptyDirectory } from '../spec/testing/empty-directory.ts';

const run = (name: string) => ({ kind: 'run', run: name, command: 'load', seed: 1, startedAt: 2 }) as const;
const trial = (number: number) => ({ kind: 'trial', trial: number, lanes: '[]', t0: 7 }) as const;

describe('the ledger', () => {
  const path = join(emptyDirectory(), 'deep', 'fleet.ndjson');

  it('gives back what the last controller of a run knew, also after one that was killed while it wrote', async () => {
    const first = await Ledger.open(path);
    await Promise.all([first.append(run('other')), first.append(run('mine')), first.append(trial(1))]);
    await first.close();
    appendFileSync(path, '{"kind":"trial","tri');
    const second = await Ledger.open(path);
    await second.append(trial(2));
    await second.close();
    expect(await readLedger(path, 'mine')).toEqual([run('mine'), trial(1), trial(2)]);
  });

  it('names the runs that it has', async () => {
    await expect(readLedger(path, 'none')).rejects.toMatchObject({ exitCode: 2, hint: 'Its runs: other, mine.' });
    await expect(readLedger(`${path}x`, 'none')).rejects.toMatchObject({ exitCode: 2 });
  });
});
