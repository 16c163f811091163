import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { openStore, readBaseline } from '../../reports/index.ts';
import type { Baseline, FormatName } from '../../reports/index.ts';
import type { Settings } from '../options/table.ts';
import { checkWritable, orProblem } from '../problems.ts';
import type { Problem } from '../problems.ts';

export interface Sinks {
  readonly out: string;
  readonly formats: readonly FormatName[];
  readonly baseline?: Baseline | undefined;
  /** The file to write the findings of this run to. */
  readonly updateBaseline?: string | undefined;
  readonly strict?: boolean | undefined;
  readonly shows: 'all' | 'verbose' | 'quiet' | 'json';
  readonly opens: boolean;
  readonly serves: boolean;
  /** The store of runs to compare with and to add to. */
  readonly store?: string | undefined;
}

type SinkSettings = Settings<'out' | 'report' | 'quiet' | 'verbose' | 'json' | 'open' | 'ui'> &
  Partial<Settings<'baseline' | 'updateBaseline' | 'strict' | 'againstLast' | 'store'>>;

/** The formats to write: JSON always, HTML with --open. */
export function formatsOf({ formats, opens }: Sinks): readonly FormatName[] {
  return [...new Set<FormatName>(['json', ...formats, ...(opens ? ['html' as const] : [])])];
}

/** The outputs of a run by its settings, whose mistakes are added to `problems`. */
export async function sinksOf(settings: SinkSettings, directory: string, problems: Problem[]): Promise<Sinks> {
  const file = settings.baseline === undefined ? undefined : resolve(directory, settings.baseline);
  const updates = settings.updateBaseline === true;
  if (updates && file === undefined)
    problems.push({ subject: '--update-baseline', message: 'has no file to write', hint: 'add --baseline FILE' });
  if (settings.quiet && settings.verbose)
    problems.push({ subject: '--quiet', message: 'contradicts --verbose', hint: 'omit one of them' });
  const isRead = file !== undefined && (!updates || existsSync(file));
  if (updates && file !== undefined) checkWritable('--baseline', file, problems);
  const store = settings.againstLast === true ? settings.store : undefined;
  if (store !== undefined) await checkStore(resolve(directory, store), problems);
  return {
    out: resolve(directory, settings.out),
    formats: settings.report.filter((name) => name !== 'console'),
    baseline: isRead
      ? await orProblem('--baseline', problems, () => readBaseline(file, { migrate: updates }))
      : undefined,
    updateBaseline: updates ? file : undefined,
    strict: settings.strict,
    shows: shownOf(settings),
    opens: settings.open,
    serves: settings.ui,
    store,
  };
}

async function checkStore(file: string, problems: Problem[]): Promise<void> {
  checkWritable('--store', file, problems);
  if (existsSync(file)) await orProblem('--store', problems, async () => (await openStore(file)).close());
}

function shownOf({ json, quiet, verbose }: SinkSettings): Sinks['shows'] {
  if (json) return 'json';
  if (quiet) return 'quiet';
  return verbose ? 'verbose' : 'all';
}
