import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { LaneEngine } from '../../fleet/index.ts';
import { EXIT } from '../../spec/index.ts';
import { SAME_TARGET } from '../command-options.ts';
import { flagsOf } from '../options/command-line.ts';
import { SELF } from './local-agents.ts';
import { SHARE, shareWords } from './share-job.ts';
import type { ShareJob, ShareLimits } from './share-job.ts';

/** What an agent tells of a share: its journal as it grows, and its log at the end, in parts. */
export type ShareResult =
  | { readonly type: 'journal'; readonly attempt: string; readonly file: string; readonly text: string }
  | {
      readonly type: 'log';
      readonly attempt: string;
      readonly shard: string;
      readonly part: number;
      readonly of: number;
      readonly data: string;
    }
  | { readonly type: 'clean'; readonly attempt: string };

const JOURNAL_MS = 50;
const PART = 150_000;
/** Runs that have no verdict of their own: their share is run again. */
const UNFINISHED: readonly (number | null)[] = [EXIT.interrupted, EXIT.internal, EXIT.usage, null];

/** Tells what is new in the journals of a run. */
class JournalWatch {
  readonly #folder: string;
  readonly #tell: (file: string, text: string) => void;
  readonly #read = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(folder: string, tell: (file: string, text: string) => void) {
    this.#folder = folder;
    this.#tell = tell;
    this.#timer = setInterval(() => this.look(), JOURNAL_MS);
  }

  look(): void {
    if (!existsSync(this.#folder)) return;
    for (const file of readdirSync(this.#folder).filter((name) => name.endsWith('.ndjson'))) {
      const text = readFileSync(join(this.#folder, file), 'utf8');
      const before = this.#read.get(file) ?? 0;
      if (text.length > before) this.#tell(file, text.slice(before));
      this.#read.set(file, text.length);
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

/** Runs shares of `verify`, each in a process of its own. */
export function shareEngine(limits: ShareLimits): LaneEngine {
  // A share reaches the target as its agent does.
  const { words, env: secrets } = flagsOf(SAME_TARGET);
  let attempts = 0;
  return {
    async start({ job, onResult }) {
      const dir = await mkdtemp(join(tmpdir(), 'assay-share-'));
      const attempt = `${process.pid}-${(attempts += 1)}-${Date.now().toString(36)}`;
      const tell = (result: ShareResult): void => onResult(result);
      const watch = new JournalWatch(join(dir, 'assay', 'journals'), (file, text) =>
        tell({ type: 'journal', attempt, file, text }),
      );
      let child: ChildProcess | undefined;
      let isStopped = false;
      let finish: () => void = () => {};
      const done = new Promise<void>((resolve) => (finish = resolve));
      const end = async (code: number | null): Promise<void> => {
        watch.look();
        watch.stop();
        const log = join(dir, 'report', 'run.ndjson');
        if (!isStopped && !UNFINISHED.includes(code) && existsSync(log)) {
          const packed = deflateSync(readFileSync(log)).toString('base64');
          const of = Math.ceil(packed.length / PART);
          const { shard = 'all' } = job as ShareJob;
          for (let part = 0; part < of; part += 1)
            tell({ type: 'log', attempt, shard, part, of, data: packed.slice(part * PART, (part + 1) * PART) });
        }
        // A process that ended in order has removed what it created.
        if (code !== null) tell({ type: 'clean', attempt });
        await rm(dir, { recursive: true, force: true });
        finish();
      };
      const stop = (): void => {
        isStopped = true;
        if (child === undefined) void end(null);
        else child.kill('SIGTERM');
      };
      return {
        ready: Promise.resolve(0),
        done,
        go: () => {
          child = fork(
            SELF,
            ['verify', ...words, ...shareWords(job, limits), '--out', join(dir, 'report'), '--report', 'json'],
            {
              env: { ...process.env, ...secrets, [SHARE]: '1', XDG_STATE_HOME: dir },
              stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
            },
          );
          void once(child, 'exit').then(([code]) => end(code as number | null));
        },
        until: stop,
        stop,
      };
    },
  };
}
