import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { LaneEngine } from '../../fleet/index.ts';
import { EXIT, packContract } from '../../spec/index.ts';
import type { Contract } from '../../spec/index.ts';
import { SAME_TARGET } from '../command-options.ts';
import { flagsOf } from '../options/command-line.ts';
import { MAIN } from '../embedded.ts';
import { journalsIn, makeShareFolder, ownShareFolder, removeLeftFolders, removeShareFolder } from './share-folder.ts';
import { LOG, shareWords } from './share-job.ts';
import { SHARE } from './parent.ts';
import type { ShareJob, ShareLimits, ShareProgress, ShareResult } from './share-job.ts';

const JOURNAL_MS = 50;
/** Further journals are looked for once in so many looks. */
const LIST_EVERY = 20;
const LOG_MS = 1_000;
const LEASE_MS = 100;
/** Bytes of a file in one message. */
const PART = 100_000;
const LINE_FEED = 10;

/** The whole lines of a file from a position on. */
function linesFrom(path: string, from: number): Buffer {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= from) return Buffer.alloc(0);
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(size - from);
    readSync(file, bytes, 0, bytes.length, from);
    return bytes.subarray(0, bytes.lastIndexOf(LINE_FEED) + 1);
  } finally {
    closeSync(file);
  }
}

/** Reports the log, the journals and the progress of a share while it runs. */
class ShareWatch {
  progress: ShareProgress | undefined;
  readonly #dir: string;
  readonly #tell: (result: ShareResult) => void;
  readonly #told = new Map<string, { bytes: number; parts: number }>();
  readonly #timers: readonly NodeJS.Timeout[];
  #journals: readonly string[] = [];
  #looks = 0;

  constructor(dir: string, tell: (result: ShareResult) => void) {
    this.#dir = dir;
    this.#tell = tell;
    this.#timers = [
      setInterval(() => this.#lookAtJournals(), JOURNAL_MS),
      setInterval(() => this.#lookAtLog(), LOG_MS),
    ];
  }

  end(code: number | null): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#journals = this.#listJournals();
    this.#lookAtJournals();
    this.#lookAtLog();
    this.#tell({ type: 'end', code, parts: this.#told.get(LOG)?.parts ?? 0 });
  }

  #lookAtJournals(): void {
    // Most shares have one journal, which exists since the first creation.
    if (this.#journals.length === 0 || this.#looks % LIST_EVERY === 0) this.#journals = this.#listJournals();
    this.#looks += 1;
    for (const path of this.#journals) this.#look(path);
  }

  #listJournals(): readonly string[] {
    const folder = journalsIn(this.#dir);
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return names.filter((name) => name.endsWith('.ndjson')).map((name) => join(folder, name));
  }

  #lookAtLog(): void {
    this.#look(join(this.#dir, 'report', LOG));
    if (this.progress !== undefined) this.#tell({ type: 'progress', ...this.progress });
    this.progress = undefined;
  }

  #look(path: string): void {
    const file = basename(path);
    const told = this.#told.get(file) ?? { bytes: 0, parts: 0 };
    this.#told.set(file, told);
    const bytes = linesFrom(path, told.bytes);
    told.bytes += bytes.length;
    for (let at = 0; at < bytes.length; at += PART) {
      const data = deflateSync(bytes.subarray(at, at + PART)).toString('base64');
      this.#tell({ type: 'text', file, part: told.parts, data });
      told.parts += 1;
    }
  }
}

/** A process that waits for a share, and the folder of its files. */
interface Standby {
  readonly dir: string;
  readonly child: ChildProcess;
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** Starts a process that waits for a share. It reads the packed contract, and connects to the target as its agent does. */
async function startStandby(contract: Contract): Promise<Standby> {
  const { env: secrets } = flagsOf(SAME_TARGET);
  const dir = await makeShareFolder();
  const packed = join(dir, 'contract');
  writeFileSync(packed, packContract(contract));
  const child = fork(MAIN, [], {
    env: { ...process.env, ...secrets, [SHARE]: packed, XDG_STATE_HOME: dir },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  ownShareFolder(dir, child.pid === undefined ? [] : [child.pid]);
  return { dir, child };
}

function send(child: ChildProcess, message: object): void {
  if (child.connected) child.send(message, () => {});
}

/** Tells a share, again and again, until when it may run, and the signal that ends it then: it listens only once it runs. */
function tellLease(child: ChildProcess, lease: SharedArrayBuffer, signal: NodeJS.Signals): NodeJS.Timeout {
  return setInterval(() => {
    const [until = 0] = new Float64Array(lease);
    if (until > 0) send(child, { until, signal });
  }, LEASE_MS);
}

class Standbys {
  readonly #contract: Contract;
  #next: Promise<Standby> | undefined;

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  prepare(): void {
    this.#next ??= startStandby(this.#contract);
    this.#next.catch(() => {});
  }

  async take(): Promise<Standby> {
    const next = await this.#leave();
    return next === undefined || hasEnded(next.child) ? startStandby(this.#contract) : next;
  }

  async close(): Promise<void> {
    const next = await this.#leave()?.catch(() => undefined);
    next?.child.kill('SIGTERM');
    if (next !== undefined) removeShareFolder(next.dir);
  }

  #leave(): Promise<Standby> | undefined {
    const next = this.#next;
    this.#next = undefined;
    return next;
  }
}

export interface ShareEngine extends LaneEngine {
  /** Starts the process of the next share, which loads the modules of a run and waits. */
  prepare(): void;
  close(): Promise<void>;
}

/** Runs each share of `verify` in a process of its own, which can be started before the share is known. */
export function shareEngine(contract: Contract, limits: ShareLimits): ShareEngine {
  const { words } = flagsOf(SAME_TARGET);
  let attempts = 0;
  const standbys = new Standbys(contract);
  removeLeftFolders();
  return {
    prepare: () => standbys.prepare(),
    close: () => standbys.close(),
    async start({ job, lease, onResult }) {
      const { dir, child } = await standbys.take();
      const attempt = `${process.pid}-${(attempts += 1)}-${Date.now().toString(36)}`;
      const { shard = 'alone' } = job as ShareJob;
      const tell = (result: ShareResult): void => onResult({ attempt, shard, ...result });
      const watch = new ShareWatch(dir, tell);
      let isStopped = false;
      let finish: () => void = () => {};
      let fail: (error: Error) => void = () => {};
      const done = new Promise<void>((resolve, reject) => ([finish, fail] = [resolve, reject]));
      // A lost share is run by another agent: one that must run alone ends at once, others remove what they created.
      const signal = shard === 'alone' ? 'SIGKILL' : 'SIGTERM';
      const beat = tellLease(child, lease, signal);
      child.on('message', (progress) => (watch.progress = progress as ShareProgress));
      child.once('exit', (code) => {
        clearInterval(beat);
        watch.end(code);
        removeShareFolder(dir);
        // A share that must run alone may follow, or another run.
        if (!isStopped) standbys.prepare();
        // Its lease or the system has ended it.
        if (!isStopped && (code === null || code === EXIT.interrupted))
          fail(new Error(`share ${shard} was interrupted`));
        else finish();
      });
      const kill = (signal: NodeJS.Signals): void => {
        isStopped = true;
        child.kill(signal);
      };
      return {
        ready: Promise.resolve(0),
        done,
        go: (startAt) => {
          const given = shareWords(job, limits, Date.now() - startAt);
          send(child, ['verify', ...words, ...given, '--out', join(dir, 'report')]);
        },
        until: () => kill(signal),
        stop: () => kill('SIGTERM'),
      };
    },
  };
}
