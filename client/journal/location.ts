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

/** Where the journals of one target are; other targets have other folders. */
export function journalFolder(stateFolder: string, baseUrl: string): string {
  const name = createHash('sha256').update(baseUrl).digest('hex').slice(0, 16);
  return join(stateFolder, 'journals', name);
}
