import { copyFileSync, existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../../spec/make-folder.ts';
import { journalFolders } from '../../client/index.ts';
import { isAlive, ownerOf } from '../../spec/owner.ts';
import type { Owner } from '../../spec/owner.ts';

const PREFIX = 'assay-share-';
const OWNERS = 'owners.json';

export async function makeShareFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), PREFIX));
  ownShareFolder(dir, []);
  return dir;
}

/** Records the processes that use a folder: it is kept while one of them runs. */
export function ownShareFolder(dir: string, others: readonly number[]): void {
  writeFileSync(join(dir, OWNERS), JSON.stringify([process.pid, ...others].map(ownerOf)));
}

/** The journals of a share, whose state folder is `dir`. */
export const journalsIn = (dir: string): string => join(dir, 'assay', 'journals');

/** Removes the folder of a share after moving its journals to those of the user, for `assay clean`. */
export function removeShareFolder(dir: string): void {
  const journals = existsSync(journalsIn(dir)) ? readdirSync(journalsIn(dir)) : [];
  const isKept = (folder: string): boolean => {
    try {
      makeFolder(folder, 0o700);
      for (const name of journals) copyFileSync(join(journalsIn(dir), name), join(folder, name));
      return true;
    } catch {
      return false;
    }
  };
  if (journals.length === 0 || journalFolders().some(isKept)) rmSync(dir, { recursive: true, force: true });
}

/** Removes the folders of this user's shares whose processes have ended, as after a killed agent. */
export function removeLeftFolders(): void {
  const dirs = readdirSync(tmpdir()).filter((name) => name.startsWith(PREFIX));
  for (const dir of dirs.map((name) => join(tmpdir(), name))) {
    try {
      if (isLeft(dir)) removeShareFolder(dir);
    } catch {
      // Another agent has removed it.
    }
  }
}

/** False for folders of other users, whose journals are not trusted, and of processes that may still run. */
function isLeft(dir: string): boolean {
  const { uid } = lstatSync(dir);
  const owners = JSON.parse(readFileSync(join(dir, OWNERS), 'utf8')) as readonly Owner[];
  return uid === (process.getuid?.() ?? uid) && !owners.some((owner) => isAlive(owner, Date.now()));
}
