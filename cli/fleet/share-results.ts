import { utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { makeFolder } from '../../spec/make-folder.ts';
import { mergeLogs, recordsOf } from '../../reports/index.ts';
import { EXIT } from '../../spec/index.ts';
import type { ErrorRecord, RunRecord } from '../../spec/index.ts';
import { LOG } from './share-job.ts';
import type { ShareProgress, ShareResult } from './share-job.ts';

type Told = ShareResult & { readonly attempt: string; readonly shard: string };

/** Older than any journal of a process that runs. */
const LONG_AGO_S = 1;
const LINE_FEED = 10;
/** A run that still merges and cleans is not at its end. */
const MOST_DONE = 0.99;
/** Runs that did not test all of their share. */
const UNFINISHED: readonly (number | null)[] = [EXIT.interrupted, EXIT.internal, EXIT.usage, null];
/** Records of a share that the run has of its own. */
const OWN: readonly RunRecord['type'][] = ['run-start', 'run-end'];

/** A file of an agent: its parts come in any order, and some twice. */
class ToldFile {
  bytes = Buffer.alloc(0);
  /** Parts that are known without a gap. */
  parts = 0;
  readonly #waiting = new Map<number, string>();

  add(part: number, data: string): void {
    if (part >= this.parts) this.#waiting.set(part, data);
    for (let next = this.#waiting.get(this.parts); next !== undefined; next = this.#waiting.get(this.parts)) {
      this.#waiting.delete(this.parts);
      this.bytes = Buffer.concat([this.bytes, inflateSync(Buffer.from(next, 'base64'))]);
      this.parts += 1;
    }
  }

  lines(): readonly string[] {
    const end = this.bytes.lastIndexOf(LINE_FEED) + 1;
    const text = this.bytes.toString('utf8', 0, end);
    this.bytes = this.bytes.subarray(end);
    return text.split('\n').filter((line) => line !== '');
  }
}

interface Attempt {
  readonly shard: string;
  readonly log: RunRecord[];
  readonly files: Map<string, ToldFile>;
  progress: ShareProgress;
  end?: Extract<ShareResult, { type: 'end' }>;
}

function isWhole({ end, files }: Attempt): boolean {
  return end !== undefined && !UNFINISHED.includes(end.code) && (files.get(LOG)?.parts ?? 0) === end.parts;
}

/** Logs and journals of the shares, as far as their agents have told them. */
export class ShareResults {
  readonly #attempts = new Map<string, Attempt>();
  readonly #onRecord: (record: RunRecord) => void;

  /** @param onRecord is called for each record at once; it may not be final, and comes again if a share is repeated. */
  constructor(onRecord: (record: RunRecord) => void) {
    this.#onRecord = onRecord;
  }

  add(results: readonly unknown[]): void {
    for (const result of results as readonly Told[]) {
      const attempt = this.#attemptOf(result);
      if (result.type === 'end') attempt.end = result;
      else if (result.type === 'progress') attempt.progress = result;
      else this.#addText(attempt, result);
    }
  }

  /** The records of all shares as those of one run: of each share the attempt that has ended, or else the longest. */
  get merged(): readonly RunRecord[] {
    // The first of two skipped records counts, and the last shard has the final reason.
    const logs = [...this.#best.values()].map(({ log }) => log).toReversed();
    return logs.length === 0 ? [] : mergeLogs(logs);
  }

  /** How far all the shares together are: they run side by side. */
  progressOf(shards: readonly string[]): ShareProgress {
    const best = this.#best;
    const each = shards.map((shard) => {
      const attempt = best.get(shard);
      if (attempt === undefined) return { share: 0 };
      return isWhole(attempt) ? { share: 1, leftSeconds: 0 } : attempt.progress;
    });
    const share = each.reduce((sum, { share: part = 0 }) => sum + part, 0) / each.length;
    const left = each.map(({ leftSeconds }) => leftSeconds ?? Infinity);
    const leftSeconds = Math.max(...left);
    return { share: Math.min(MOST_DONE, share), ...(leftSeconds === Infinity ? {} : { leftSeconds }) };
  }

  /** Shares that have not ended, as errors of the run. */
  missing(shards: readonly string[]): readonly ErrorRecord[] {
    const best = this.#best;
    return shards.flatMap((shard): ErrorRecord[] => {
      const attempt = best.get(shard);
      if (attempt !== undefined && isWhole(attempt)) return [];
      const tests = recordsOf(attempt?.log ?? [], 'test').length;
      const code = attempt?.end?.code ?? null;
      const why = code !== null ? `its run ended with exit code ${code}` : 'its agent was lost';
      return [
        {
          type: 'error',
          message: `share ${shard} of this run did not end: ${why}; ${tests} of its tests are in the report`,
          hint: 'see what the agents printed, then run verify again',
          ...(best.size === 0 ? { exitCode: EXIT.inconclusive } : {}),
        },
      ];
    });
  }

  /** Writes the journals of attempts that did not end in order to a folder; false where there are none. */
  writeJournals(dir: string): boolean {
    const folder = join(dir, 'journals');
    makeFolder(folder);
    const left = [...this.#attempts.values()].filter(({ end }) => (end?.code ?? null) === null);
    const journals = left.flatMap(({ files }) => [...files].filter(([file]) => file !== LOG));
    for (const [file, { bytes }] of journals) {
      const path = join(folder, basename(file));
      writeFileSync(path, bytes, { mode: 0o600 });
      utimesSync(path, LONG_AGO_S, LONG_AGO_S);
    }
    return journals.length > 0;
  }

  get #best(): ReadonlyMap<string, Attempt> {
    const best = new Map<string, Attempt>();
    for (const attempt of this.#attempts.values()) {
      const known = best.get(attempt.shard);
      const isBetter = known === undefined || (!isWhole(known) && attempt.log.length > known.log.length);
      if (isBetter || isWhole(attempt)) best.set(attempt.shard, attempt);
    }
    return best;
  }

  #attemptOf({ attempt: name, shard }: Told): Attempt {
    const known = this.#attempts.get(name) ?? { shard, log: [], files: new Map<string, ToldFile>(), progress: {} };
    this.#attempts.set(name, known);
    return known;
  }

  #addText({ log, files }: Attempt, { file, part, data }: Extract<Told, { type: 'text' }>): void {
    const told = files.get(file) ?? new ToldFile();
    files.set(file, told);
    told.add(part, data);
    if (file !== LOG) return;
    const records = told.lines().map((line) => JSON.parse(line) as RunRecord);
    for (const record of records.filter(({ type }) => !OWN.includes(type))) {
      log.push(record);
      this.#onRecord(record);
    }
  }
}
