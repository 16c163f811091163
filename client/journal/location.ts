import { createHash } from 'node:crypto';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

function userName(): string {
  try {
    return String(userInfo().uid);
  } catch {
    return 'user';
  }
}

/** Folders for journals in order of preference: the one given, or else the user's state folder and a temporary one. */
export function stateFolders(dir?: string): readonly string[] {
  if (dir !== undefined) return [dir];
  const state = process.env['XDG_STATE_HOME'];
  const home = state !== undefined && state !== '' ? state : join(homedir(), '.local', 'state');
  return [join(home, 'assay'), join(tmpdir(), `assay-state-${userName()}`)];
}

/** Where the journals of all targets are. */
export function journalFolder(stateFolder: string): string {
  return join(stateFolder, 'journals');
}

/** Begins the names of one target's journals. */
export function journalPrefix(baseUrl: string): string {
  return `${createHash('sha256').update(baseUrl).digest('hex').slice(0, 16)}-`;
}
