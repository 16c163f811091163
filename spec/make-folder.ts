import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it; throws the system's error. Node's own `recursive` never returns where a file system refuses a
 * folder with ENOENT, as /proc does.
 */
export function makeFolder(dir: string, mode?: number): void {
  if (existsSync(dir)) return;
  makeFolder(dirname(dir), mode);
  try {
    mkdirSync(dir, { mode });
  } catch (error) {
    // Another process may have made it at the same time.
    if (!existsSync(dir)) throw error;
  }
}
