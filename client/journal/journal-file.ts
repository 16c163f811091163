import { createHash } from 'node:crypto';
import { closeSync, fdatasync, fsyncSync, futimesSync, openSync, write } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '../../spec/make-folder.ts';
import { HEARTBEAT_MS } from '../../spec/owner.ts';

const writeTo = promisify(write);
const syncData = promisify(fdatasync);

function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function userName(): string {
  try {
    return String(userInfo().uid);
  } catch {
    return 'user';
  }
}

/** Folders in order of preference: the one given, or `$XDG_STATE_HOME/assay` (`~/.local/state/assay`); the temporary folder. */
export function journalFolders(dir?: string): readonly string[] {
  const state = process.env['XDG_STATE_HOME'];
  const home = state !== undefined && state !== '' ? state : join(homedir(), '.local', 'state');
  const roots = dir === undefined ? [join(home, 'assay'), join(tmpdir(), `assay-state-${userName()}`)] : [dir];
  return roots.map((root) => join(root, 'journals'));
}

/** Common prefix of the file names of one target's journals. */
export function journalPrefix(baseUrl: string): string {
  return `${createHash('sha256').update(baseUrl).digest('hex').slice(0, 16)}-`;
}

/** An append-only file. Lines that arrive during a write are written together afterwards. */
export class AppendFile {
  readonly path: string;
  readonly #fd: number;
  readonly #heartbeat: NodeJS.Timeout;
  #lines: string[] = [];
  #mustSync = false;
  #writing: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | undefined;

  /** Creates the file and its folders, readable by the user only; throws the system's error. */
  constructor(path: string) {
    this.path = path;
    makeFolder(dirname(path), 0o700);
    this.#fd = openSync(path, 'ax', 0o600);
    syncFolder(dirname(path));
    this.#heartbeat = setInterval(() => futimesSync(this.#fd, new Date(), new Date()), HEARTBEAT_MS).unref();
  }

  /** Resolves when the line survives the end of this process; a durable line then survives the machine too. */
  append(line: unknown, durable: boolean): Promise<void> {
    this.#lines.push(`${JSON.stringify(line)}\n`);
    this.#mustSync ||= durable;
    this.#next ??= this.#writing.then(() => this.#writeBatch());
    return this.#next;
  }

  #writeBatch(): Promise<void> {
    const batch = this.#write(Buffer.from(this.#lines.splice(0).join('')), this.#mustSync);
    this.#mustSync = false;
    this.#next = undefined;
    this.#writing = batch.catch(() => undefined);
    return batch;
  }

  async #write(bytes: Buffer, mustSync: boolean): Promise<void> {
    for (let at = 0; at < bytes.length;) at += (await writeTo(this.#fd, bytes, at)).bytesWritten;
    if (mustSync) await syncData(this.#fd);
  }

  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    await this.#next;
    await this.#writing;
    closeSync(this.#fd);
  }
}
