import { isObject, usageError } from '../../spec/index.ts';
import type { EffectsRecord, RunEnd, RunRecord, RunStart, TestRecord, TestVerdict } from '../../spec/index.ts';
import { recordsOf } from '../records.ts';
import type { RecordOf } from '../records.ts';
import { readLog } from './read.ts';

/** Where two shards hold the same test, the verdict with the higher weight is used. */
const WEIGHT: Readonly<Record<TestVerdict, number>> = { skipped: 0, passed: 1, error: 2, failed: 3 };

/** Records of which all are kept. */
const CONCATENATED: readonly RunRecord['type'][] = ['tick', 'scenario', 'capacity', 'statistics', 'rerun'];

/** Reads one log, or several shards of one run as one run; of a single shard, the others are missing. */
export function readLogs(dirs: readonly string[]): RunRecord[] {
  return mergeLogs(dirs.map((dir) => readLog(dir)));
}

/**
 * Merges the logs of a run's shards. Operations, requirements, observations and tests are taken once; effects add up;
 * the run took as long as its longest shard and was interrupted where one was. Shards that are missing are named in its options.
 * Throws an {@link AssayError} (exit 2) where the logs are not of one run.
 */
export function mergeLogs(logs: readonly (readonly RunRecord[])[]): RunRecord[] {
  const [only] = logs;
  if (only !== undefined && logs.length === 1) return only.map(withMissingShards);
  const starts = logs.flatMap((log) => recordsOf(log, 'run-start'));
  const start = mergeStarts(starts);
  const all = logs.flat();
  return [
    ...start,
    ...once(all, 'operation', (record) => record.id),
    ...once(all, 'requirement', (record) => record.id),
    ...mergeTests(all),
    ...once(all, 'observation', (record) => `${record.operation} ${record.what} ${record.value}`),
    ...all.filter((record) => CONCATENATED.includes(record.type)),
    ...mergeEffects(all),
    ...once(all, 'error', (record) => record.message),
    ...mergeEnds(logs),
  ];
}

function mergeStarts(starts: readonly RunStart[]): RunStart[] {
  const [first] = starts.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt));
  if (first === undefined) return [];
  const other = starts.find((start) => start.command !== first.command || start.spec.title !== first.spec.title);
  if (other !== undefined) {
    throw usageError(
      `these logs are from different runs: ${first.command} of "${first.spec.title}" and ${other.command} of "${other.spec.title}"`,
      'give the folders of one run, or compare two runs with --compare A B',
    );
  }
  const elsewhere = starts.find(({ target }) => placeOf(target) !== placeOf(first.target));
  if (elsewhere !== undefined) {
    throw usageError(
      `these logs are of different targets: ${placeOf(first.target)} and ${placeOf(elsewhere.target)}`,
      'give the folders of one run, or compare two deployments with --compare A B',
    );
  }
  const missing = missingShards(starts);
  return [{ ...first, options: { ...first.options, shard: undefined, shards: starts.length, ...missing } }];
}

/** The target of a run; each run with the embedded service has a port of its own. */
const placeOf = ({ baseUrl, embedded }: RunStart['target']): string => (embedded ? 'the embedded service' : baseUrl);

function withMissingShards(record: RunRecord): RunRecord {
  return record.type === 'run-start'
    ? { ...record, options: { ...record.options, ...missingShards([record]) } }
    : record;
}

function once<T extends RunRecord['type']>(
  records: readonly RunRecord[],
  type: T,
  key: (record: RecordOf<T>) => string,
): RunRecord[] {
  const found = new Map<string, RunRecord>();
  for (const record of recordsOf(records, type)) {
    const name = key(record);
    if (!found.has(name)) found.set(name, record);
  }
  return [...found.values()];
}

function mergeTests(records: readonly RunRecord[]): TestRecord[] {
  const tests = new Map<string, TestRecord>();
  for (const record of recordsOf(records, 'test')) {
    const known = tests.get(record.name);
    if (known === undefined || WEIGHT[record.verdict] > WEIGHT[known.verdict]) tests.set(record.name, record);
  }
  return [...tests.values()].toSorted((a, b) => a.startedAt.localeCompare(b.startedAt));
}

function mergeEffects(records: readonly RunRecord[]): EffectsRecord[] {
  const effects = recordsOf(records, 'effects');
  if (effects.length === 0) return [];
  const sum = (pick: (effect: EffectsRecord) => number): number =>
    effects.reduce((total, effect) => total + pick(effect), 0);
  return [
    {
      type: 'effects',
      created: sum((e) => e.created),
      removed: sum((e) => e.removed),
      left: effects.flatMap((e) => e.left),
    },
  ];
}

function mergeEnds(logs: readonly (readonly RunRecord[])[]): RunEnd[] {
  const ends = logs.flatMap((log) => recordsOf(log, 'run-end'));
  if (ends.length === 0) return [];
  const interrupted = ends.length < logs.length || ends.some((end) => end.interrupted);
  const bailed = Math.max(...ends.map((end) => end.bailed ?? 0));
  const durationMs = Math.max(...ends.map((end) => end.durationMs));
  return [{ type: 'run-end', durationMs, interrupted, ...(bailed === 0 ? {} : { bailed }) }];
}

/** `2/3`, or several with commas; nothing where none is missing. */
function missingShards(starts: readonly RunStart[]): { readonly missingShards?: string } {
  const shards = starts.map((start) => shardOf(start.options['shard']));
  const total = Math.max(0, ...shards.map(({ total: size }) => size));
  const present = new Set(shards.map(({ index }) => index));
  const missing = Array.from({ length: total }, (_, index) => index + 1).filter((index) => !present.has(index));
  return missing.length === 0 ? {} : { missingShards: missing.map((index) => `${index}/${total}`).join(', ') };
}

/** A shard as the run was started with it: `2/3`, or its index and total. */
function shardOf(shard: unknown): { readonly index: number; readonly total: number } {
  const [index, total] = isObject(shard)
    ? [shard['index'], shard['total']]
    : typeof shard === 'string'
      ? shard.split('/')
      : [];
  return { index: Number(index ?? 0), total: Number(total ?? 0) };
}
