import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../../spec/make-folder.ts';

/** Lists what an earlier run wrote; results of other tools in the same folder stay. */
const LIST = '.assay-files';
const OURS = /^[0-9a-f-]{36}-(?:result\.json|attachment\.\w+)$/;

/** Creates a results folder and removes the files of an earlier run from it, but no others. */
export function clearOurs(dir: string): void {
  makeFolder(dir);
  for (const name of listed(dir)) if (OURS.test(name)) rmSync(join(dir, name), { force: true });
}

/** Records the files of this run, for {@link clearOurs}. */
export function listOurs(dir: string, names: readonly string[]): void {
  writeFileSync(join(dir, LIST), `${names.join('\n')}\n`);
}

function listed(dir: string): string[] {
  try {
    return readFileSync(join(dir, LIST), 'utf8').split('\n');
  } catch {
    return [];
  }
}
