import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isObject, usageError } from '../spec/index.ts';
import type { AssayError, Finding } from '../spec/index.ts';
import { defined } from '../spec/defined.ts';
import { didYouMean } from '../spec/nearest.ts';
import type { Summary } from './summary/types.ts';

/** Version 1 had fingerprints that depended on the wording of findings. */
const VERSION = 2;
const FINGERPRINT = /^[0-9a-f]{16}$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const KEYS: readonly string[] = [
  'fingerprint',
  'reason',
  'expires',
  'check',
  'operation',
  'message',
  'severity',
  'suites',
  'cases',
];
const HINT = 'correct the file, or write a new one with --baseline FILE --update-baseline';

/** A known finding, which does not fail a run until it expires. */
export interface BaselineEntry extends Pick<Finding, 'fingerprint' | 'check' | 'operation' | 'message'> {
  /** Why it is accepted. */
  readonly reason: string;
  /** Last day on which it excuses the finding, `2026-12-31`; without it: no end. */
  readonly expires?: string;
  /** Set for one that was a warning: it does not excuse a violation with the same fingerprint. */
  readonly severity?: 'warning';
  /** The suites that found it: it is fixed where their tests do not find it any more. */
  readonly suites?: readonly string[];
  /** Of one that a property found: how many cases it had. With fewer, it may be there without being found. */
  readonly cases?: number;
}

export interface Baseline {
  readonly entries: readonly BaselineEntry[];
  /** Entries of a version 1 file: they excuse nothing, but their reasons are carried over by check and operation. */
  readonly legacy?: readonly BaselineEntry[];
}

/** Throws an {@link AssayError} (exit 2) that names the wrong entry. Version 1 is only read to be migrated by an update. */
export function readBaseline(path: string, { migrate = false } = {}): Baseline {
  const { version, entries: raw } = parse(path);
  const entries = raw.map((entry, index) => readEntry(entry, index, path));
  const places = new Map<string, number>();
  for (const [index, { fingerprint }] of entries.entries()) {
    const earlier = places.get(fingerprint);
    if (earlier !== undefined)
      throw invalid(path, `entries ${earlier} and ${index + 1} have the fingerprint ${fingerprint}`, {
        hint: 'keep one of them',
      });
    places.set(fingerprint, index + 1);
  }
  if (version === VERSION || entries.length === 0) return { entries };
  if (migrate) return { entries: [], legacy: entries };
  throw invalid(path, 'it has format 1 ("assayBaseline": 1), whose fingerprints differ', {
    hint: 'add --update-baseline once to migrate it; reasons and expiry dates are carried over',
  });
}

/** A baseline as its file has it; sorted, the same on every machine, so that version control shows what changed. */
export function baselineText(baseline: Baseline): string {
  const keyed = baseline.entries.map((entry) => [`${keyOf(entry)} ${entry.fingerprint}`, entry] as const);
  const entries = keyed.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  return `${JSON.stringify({ assayBaseline: VERSION, entries }, null, 2)}\n`;
}

/** Writes a baseline, whole or not at all. */
export function writeBaseline(path: string, baseline: Baseline): void {
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, baselineText(baseline));
  renameSync(draft, path);
}

/** The baseline after a run: fixed findings are removed, untested ones kept. Reasons and expiry dates stay as people wrote them. */
export function updateBaseline(old: Baseline | undefined, summary: Summary): Baseline {
  const fixed = new Set(summary.fixed.map((finding) => finding.fingerprint));
  const violations = new Set(
    summary.findings.filter(({ severity }) => severity === 'violation').map(({ fingerprint }) => fingerprint),
  );
  const kept = (old?.entries ?? [])
    .filter((entry) => !fixed.has(entry.fingerprint))
    .map(({ severity, ...entry }) =>
      severity === undefined || violations.has(entry.fingerprint) ? entry : { ...entry, severity },
    );
  const present = new Set(kept.map((entry) => entry.fingerprint));
  const legacy = new Map(old?.legacy?.map((entry) => [keyOf(entry), entry]));
  const day = summary.startedAt.slice(0, 10);
  const { runs } = summary.options;
  const added = summary.findings
    // One that is not new is the finding of an entry or its symptom, whether the entry has expired or not.
    .filter(({ fingerprint, standing }) => !present.has(fingerprint) && standing === 'new')
    .map(({ fingerprint, check, operation, message, severity, tests }): BaselineEntry => {
      const { reason = `seen on ${day}; explain here why it is accepted`, expires } =
        legacy.get(keyOf({ check, operation })) ?? {};
      const warning = severity === 'warning' ? severity : undefined;
      const suites = suitesOf(tests);
      const cases = typeof runs === 'number' && suites.some(isOfProperties) ? runs : undefined;
      const parts = { check, operation, message, ...defined({ severity: warning }), suites, ...defined({ cases }) };
      return { fingerprint, reason, ...defined({ expires }), ...parts };
    });
  return { entries: [...kept, ...added] };
}

/** The suites of tests, which their names begin with. */
export function suitesOf(tests: readonly string[]): readonly string[] {
  return [...new Set(tests.map((name) => name.split(' > ', 1)[0] ?? ''))];
}

export const isOfProperties = (suite: string): boolean => suite.startsWith('properties/');

function keyOf({ check, operation }: Pick<BaselineEntry, 'check' | 'operation'>): string {
  return `${operation} ${check}`;
}

function parse(path: string): { readonly version: number; readonly entries: readonly unknown[] } {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (isObject(value) && Array.isArray(value['entries'])) {
      const version = value['assayBaseline'];
      if (version === 1 || version === VERSION) return { version, entries: value['entries'] };
    }
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw invalid(path, isMissing ? 'the file does not exist' : (cause as Error).message, { cause });
  }
  throw invalid(path, `it is not an object with "assayBaseline": ${VERSION} and "entries": […]`);
}

function readEntry(entry: unknown, index: number, path: string): BaselineEntry {
  const where = `entry ${index + 1}`;
  if (!isObject(entry)) throw invalid(path, `${where} is not an object`);
  const unknown = Object.keys(entry).find((key) => !KEYS.includes(key));
  if (unknown !== undefined)
    throw invalid(path, `${where} has the unknown key "${unknown}"`, {
      hint: didYouMean(unknown, KEYS) || 'notes belong into "reason"',
    });
  const text = (key: string, fallback?: string): string => {
    const value = entry[key] ?? fallback;
    if (typeof value !== 'string') throw invalid(path, `${where} has no string "${key}"`);
    return value;
  };
  const fingerprint = text('fingerprint');
  if (!FINGERPRINT.test(fingerprint))
    throw invalid(path, `${where} has the fingerprint "${fingerprint}", not 16 hexadecimal digits`);
  const expires = entry['expires'] === undefined ? undefined : text('expires');
  if (expires !== undefined && (!DAY.test(expires) || Number.isNaN(Date.parse(expires))))
    throw invalid(path, `${where} expires on "${expires}", which is not a date such as 2026-12-31`);
  return {
    fingerprint,
    reason: text('reason'),
    ...defined({ expires }),
    check: text('check', ''),
    operation: text('operation', ''),
    message: text('message', ''),
    ...(entry['severity'] === 'warning' ? { severity: 'warning' as const } : {}),
    ...(Array.isArray(entry['suites']) ? { suites: entry['suites'].map(String) } : {}),
    ...(typeof entry['cases'] === 'number' ? { cases: entry['cases'] } : {}),
  };
}

function invalid(
  path: string,
  why: string,
  { hint = HINT, cause }: { hint?: string; cause?: unknown } = {},
): AssayError {
  return usageError(`cannot use the baseline ${path}: ${why}`, hint, cause);
}
