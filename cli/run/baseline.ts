import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readBaseline, recordsOf } from '../../reports/index.ts';
import type { Baseline } from '../../reports/index.ts';
import type { RunRecord } from '../../spec/index.ts';
import { openConsole } from './show.ts';

/** The baseline that a run was started with, so that its verdict stays the same; undefined where it has none. Warnings go to standard error. */
export function baselineOfRun(
  records: readonly RunRecord[],
  directory: string,
  warn = (text: string): void => openConsole({ shows: 'json' }).warn(text),
): Baseline | undefined {
  const file = recordsOf(records, 'run-start')[0]?.options['baseline'];
  if (typeof file !== 'string') return undefined;
  const path = resolve(directory, file);
  if (existsSync(path)) return readBaseline(path);
  warn(`the baseline of the run, ${file}, does not exist here, so that its known findings count as new`);
  return undefined;
}
