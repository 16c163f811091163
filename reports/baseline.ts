import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { AssayError, EXIT, isObject } from '../spec/index.ts';
import type { Summary } from './summary/types.ts';

const VERSION = 1;
const FINGERPRINT = /^[0-9a-f]{16}$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A finding that is known and does not fail a run, until it expires. */
export interface BaselineEntry {
  readonly fingerprint: string;
  /** Why it is accepted, for people. */
  readonly reason: string;
  /** Last day on which it excuses the finding, `2026-12-31`; without it: for ever. */
  readonly expires?: string;
  readonly check: string;
  readonly operation: string;
  readonly message: string;
}

export interface Baseline {
  readonly entries: readonly BaselineEntry[];
}

/** Reads a baseline. Throws an {@link AssayError} (exit 2) naming the entry where the file is missing or wrong. */
export function readBaseline(path: string): Baseline {
  const entries = parse(path);
  return { entries: entries.map((entry, index) => check(entry, index, path)) };
}

/** Writes a baseline, whole or not at all; sorted, so that version control shows what changed. */
export function writeBaseline(path: string, baseline: Baseline): void {
  const entries = baseline.entries.toSorted((a, b) =>
    `${a.operation} ${a.check}`.localeCompare(`${b.operation} ${b.check}`),
  );
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, `${JSON.stringify({ assayBaseline: VERSION, entries }, null, 2)}\n`);
  renameSync(draft, path);
}

/**
 * The baseline after a run: what it found is known, what it fixed is gone, what it did not try stays. Reasons and expiry dates
 * stay as people wrote them, also those that have passed: only a person renews an excuse.
 */
export function updateBaseline(old: Baseline | undefined, summary: Summary): Baseline {
  const fixed = new Set(summary.fixed.map((finding) => finding.fingerprint));
  const kept = (old?.entries ?? []).filter((entry) => !fixed.has(entry.fingerprint));
  const present = new Set(kept.map((entry) => entry.fingerprint));
  const day = summary.startedAt.slice(0, 10);
  const added = summary.findings
    .filter((finding) => !present.has(finding.fingerprint))
    .map(({ fingerprint, check, operation, message }) => ({
      fingerprint,
      reason: `seen on ${day}; say here why it is accepted`,
      check,
      operation,
      message,
    }));
  return { entries: [...kept, ...added] };
}

function parse(path: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (isObject(value) && value['assayBaseline'] === VERSION && Array.isArray(value['entries']))
      return value['entries'];
  } catch (cause) {
    throw wrong(path, cause instanceof Error ? cause.message : String(cause), cause);
  }
  throw wrong(path, `it is no object with "assayBaseline": ${VERSION} and "entries": […]`);
}

function check(entry: unknown, index: number, path: string): BaselineEntry {
  const where = `entry ${index + 1}`;
  if (!isObject(entry)) throw wrong(path, `${where} is no object`);
  const text = (key: string, fallback?: string): string => {
    const value = entry[key] ?? fallback;
    if (typeof value !== 'string') throw wrong(path, `${where} has no text "${key}"`);
    return value;
  };
  const fingerprint = text('fingerprint');
  if (!FINGERPRINT.test(fingerprint))
    throw wrong(path, `${where} has the fingerprint "${fingerprint}", not 16 hexadecimal digits`);
  const read = {
    fingerprint,
    reason: text('reason'),
    check: text('check', ''),
    operation: text('operation', ''),
    message: text('message', ''),
  };
  if (entry['expires'] === undefined) return read;
  const expires = text('expires');
  if (!DAY.test(expires) || Number.isNaN(Date.parse(expires)))
    throw wrong(path, `${where} expires on "${expires}", which is no day such as 2026-12-31`);
  return { ...read, expires };
}

function wrong(path: string, why: string, cause?: unknown): AssayError {
  return new AssayError(`The baseline ${path} can't be used: ${why}.`, {
    hint: 'Mend the file, or write a new one with --baseline FILE --update-baseline.',
    exitCode: EXIT.usage,
    cause,
  });
}
