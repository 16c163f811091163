import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AssayError } from '../../spec/index.ts';
import { parseFormats, readBaseline } from '../../reports/index.ts';
import type { Baseline, FormatName } from '../../reports/index.ts';
import type { Problem } from '../problems.ts';
import type { Sinks } from './record-run.ts';

interface SinkSettings {
  readonly out: string;
  readonly report: readonly string[];
  readonly baseline?: string | undefined;
  readonly updateBaseline?: boolean;
  readonly strict?: boolean;
}

function toProblem(thing: string, error: unknown): Problem {
  if (!(error instanceof AssayError)) throw error;
  return { thing, wrong: `cannot be used: ${error.message}`, mend: error.hint };
}

/** The value, or nothing and one more problem where getting it throws an error for a person. */
export function orProblem<T>(thing: string, problems: Problem[], get: () => T): T | undefined {
  try {
    return get();
  } catch (error) {
    problems.push(toProblem(thing, error));
    return undefined;
  }
}

/** {@link orProblem}, for what comes later. */
export async function orProblemLater<T>(
  thing: string,
  problems: Problem[],
  get: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await get();
  } catch (error) {
    problems.push(toProblem(thing, error));
    return undefined;
  }
}

function formatsOf(names: readonly string[], problems: Problem[]): readonly FormatName[] {
  return names.flatMap((name) => orProblem('--report', problems, () => parseFormats(name)) ?? []);
}

function baselineOf(settings: SinkSettings, directory: string, problems: Problem[]): Baseline | undefined {
  if (settings.baseline === undefined) {
    if (settings.updateBaseline === true)
      problems.push({ thing: '--update-baseline', wrong: 'has no file to write', mend: 'name it: --baseline FILE' });
    return undefined;
  }
  const file = resolve(directory, settings.baseline);
  if (settings.updateBaseline === true && !existsSync(file)) return undefined;
  return orProblem('--baseline', problems, () => readBaseline(file));
}

/** Where a run's records go, from its settings; what is wrong with them is added to `problems`. */
export function sinksOf(settings: SinkSettings, directory: string, problems: Problem[]): Sinks {
  const baseline = baselineOf(settings, directory, problems);
  return {
    out: resolve(directory, settings.out),
    formats: formatsOf(settings.report, problems),
    baseline,
    updateBaseline:
      settings.updateBaseline === true && settings.baseline !== undefined
        ? resolve(directory, settings.baseline)
        : undefined,
    strict: settings.strict,
  };
}
