import { readFileSync, writeFileSync } from 'node:fs';
import { AssayError, EXIT, fingerprint, isObject } from '../../spec/index.ts';
import type { Finding, ObservationRecord, RunRecord, TestRecord } from '../../spec/index.ts';

/** What a deployment did where the document is silent: for each thing that was watched all that was seen. */
export type Learned = ReadonlyMap<string, ReadonlySet<string>>;

const VERSION = 1;

const keyOf = ({ operation, what }: Pick<ObservationRecord, 'operation' | 'what'>): string => `${operation ?? ''}\u0000${what}`;

/** Gathers what the observations of a run say. */
export function learn(records: readonly RunRecord[]): Learned {
  const learned = new Map<string, Set<string>>();
  for (const record of records) {
    if (record.type === 'observation') learned.set(keyOf(record), (learned.get(keyOf(record)) ?? new Set()).add(record.value));
  }
  return learned;
}

/** Writes it down, sorted, so that version control shows what changed. */
export function writeLearned(file: string, learned: Learned): void {
  const behaviour = [...learned].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, values]) => {
    const [operation = '', what = ''] = key.split('\u0000');
    return { ...(operation === '' ? {} : { operation }), what, values: [...values].sort() };
  });
  writeFileSync(file, `${JSON.stringify({ assayBehaviour: VERSION, behaviour }, null, 2)}\n`);
}

function readEntries(file: string): readonly unknown[] {
  const hint = 'write it with --learn FILE';
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isObject(content) && content['assayBehaviour'] === VERSION && Array.isArray(content['behaviour'])) return content['behaviour'];
  } catch (cause) {
    throw new AssayError(`${file} can't be read: ${cause instanceof Error ? cause.message : String(cause)}`, { hint, exitCode: EXIT.usage, cause });
  }
  throw new AssayError(`${file} holds no learned behaviour`, { hint, exitCode: EXIT.usage });
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []);

/** Reads what `writeLearned` wrote; an AssayError (exit 2) where the file is something else. */
export function readLearned(file: string): Learned {
  return new Map(
    readEntries(file).flatMap((entry) => {
      if (!isObject(entry) || typeof entry['what'] !== 'string') return [];
      const operation = typeof entry['operation'] === 'string' ? entry['operation'] : undefined;
      return [[keyOf({ what: entry['what'], ...(operation === undefined ? {} : { operation }) }), new Set(texts(entry['values']))] as const];
    }),
  );
}

function driftOf(key: string, seen: string, known: ReadonlySet<string>, source: string): Finding {
  const [operation = '', what = ''] = key.split('\u0000');
  const [check, requirement] = ['learned-behaviour', 'learned.behaviour'];
  return {
    fingerprint: fingerprint({ check, requirement, operation, cause: `${what} ${seen}` }),
    check, requirement, grade: 'inferred', severity: 'warning', operation, form: '', cause: `${what} ${seen}`,
    message: `${what}: ${seen}`, expected: [...known].join(' or '), received: seen, source, curl: '', steps: [],
  };
}

/** A test of what was learned: each thing that was watched in both runs and is otherwise now is a warning. Nothing where nothing can be compared. */
export function driftRecord(known: Learned, now: Learned, source: string): TestRecord {
  const both = [...now].flatMap(([key, values]) => (known.has(key) ? [{ key, values, before: known.get(key) ?? new Set<string>() }] : []));
  const findings = both.flatMap(({ key, values, before }) => [...values].filter((value) => !before.has(value)).map((value) => driftOf(key, value, before, source)));
  const verdict = both.length === 0 ? 'skipped' : findings.length === 0 ? 'passed' : 'failed';
  return {
    type: 'test', name: 'learned > the deployment does what it did when it was watched', suite: 'learned', checks: [], requirements: [], verdict,
    ...(verdict === 'skipped' ? { reason: 'nothing that was learned was seen again in this run' } : {}),
    startedAt: new Date().toISOString(), durationMs: 0, statuses: [], cases: both.length, findings,
  };
}
