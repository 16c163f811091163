import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it where they are missing; throws the system's error. Node's own `recursive` never
 * returns where a file system refuses a folder with ENOENT, as /proc does.
 */
export function makeFolder(dir: string, mode = 0o777): void {
  if (existsSync(dir)) return;
  makeFolder(dirname(dir), mode);
  try {
    mkdirSync(dir, { mode });
  } catch (cause) {
    // Another process may have made it since.
    if (!existsSync(dir)) throw cause;
  }
}
