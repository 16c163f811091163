import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';
import { journalsIn, makeShareFolder, removeLeftFolders } from './share-folder.ts';

afterEach(() => vi.unstubAllEnvs());

/** Makes a folder in a process of its own, which ends before that is told. */
async function folderOfDeadProcess(): Promise<string> {
  const file = new URL('share-folder.ts', import.meta.url).href;
  const script = `process.stdout.write(await (await import(${JSON.stringify(file)})).makeShareFolder())`;
  const words = ['--import', 'tsx', '--input-type=module', '--eval', script];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  let dir = '';
  child.stdout.on('data', (bytes: Buffer) => (dir += bytes.toString()));
  await once(child, 'close');
  return dir;
}

it('removes folders of processes that are gone, keeps their journals, and touches no other folder', async () => {
  const [tmp, state] = [emptyDirectory(), emptyDirectory()];
  vi.stubEnv('TMPDIR', tmp);
  vi.stubEnv('XDG_STATE_HOME', state);
  const [ours, dead] = [await makeShareFolder(), await folderOfDeadProcess()];
  mkdirSync(journalsIn(dead), { recursive: true });
  writeFileSync(join(journalsIn(dead), 'left.ndjson'), 'what is left');
  mkdirSync(join(tmp, 'assay-share-of-nobody'));
  removeLeftFolders();
  const left = readdirSync(tmp).filter((name) => name.startsWith('assay-'));
  expect(left.toSorted()).toEqual([basename(ours), 'assay-share-of-nobody'].toSorted());
  expect(readFileSync(join(state, 'assay', 'journals', 'left.ndjson'), 'utf8')).toBe('what is left');
});
