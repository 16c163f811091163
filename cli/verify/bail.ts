import { countFailing, recordsOf } from '../../reports/index.ts';
import type { RunEnd, RunRecord } from '../../spec/index.ts';
import type { Sinks } from '../run/sinks.ts';

export interface Bail {
  readonly signal: AbortSignal;
  /** Must be called after each record is kept. */
  look(record: RunRecord): void;
  /** The part of the run's last record about it. */
  ending(): Pick<RunEnd, 'bailed'>;
}

/** Known findings do not count, warnings only with `--strict`. Without a limit the run never ends early. */
export function bailAfter(
  limit: number | undefined,
  records: readonly RunRecord[],
  { baseline, strict = false }: Pick<Sinks, 'baseline' | 'strict'>,
): Bail {
  const controller = new AbortController();
  const today = new Date().toISOString().slice(0, 10);
  return {
    signal: controller.signal,
    look(record) {
      if (limit === undefined || record.type !== 'test' || record.findings.length === 0) return;
      const tests = recordsOf(records, 'test').filter(({ findings }) => findings.length > 0);
      if (countFailing(tests, { baseline, today, strict }) >= limit) controller.abort();
    },
    ending: () => (controller.signal.aborted && limit !== undefined ? { bailed: limit } : {}),
  };
}
