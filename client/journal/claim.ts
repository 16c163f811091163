import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isAlive, thisOwner } from './owner.ts';
import type { Owner } from './owner.ts';

function take(path: string): boolean {
  try {
    writeFileSync(path, JSON.stringify(thisOwner()), { flag: 'wx', mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

function isHeld(path: string): boolean {
  try {
    const owner: Owner = JSON.parse(readFileSync(path, 'utf8'));
    return isAlive(owner, statSync(path).mtimeMs);
  } catch {
    return false;
  }
}

/** Takes a left journal for this process, so that no two clean up after it; gives back how to let go, or nothing. */
export function claim(journalPath: string): (() => void) | undefined {
  const path = `${journalPath}.claim`;
  if (!take(path)) {
    if (isHeld(path)) return undefined;
    rmSync(path, { force: true });
    if (!take(path)) return undefined;
  }
  return () => rmSync(path, { force: true });
}
