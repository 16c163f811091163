import { compareLoad, judgedAgainst, parseThresholds, runLoad } from '../../load/index.ts';
import type { CommonOptions, LoadOptions } from '../../load/index.ts';
import { readLog } from '../../reports/index.ts';
import type { MetricsExport, MetricsOptions } from '../../reports/metrics/export.ts';
import type { RunRecord } from '../../spec/index.ts';
import { requireAddOn } from '../add-ons.ts';
import type { OptionOf } from '../catalogue.ts';
import { defined } from '../../spec/defined.ts';
import { connectionFrom, contractFor } from '../target/connection.ts';
import { fleetProblems } from '../fleet/problems.ts';
import { ignoredFlags } from '../load/ignored-flags.ts';
import { effectsOf, withLoad } from '../load/load-run.ts';
import { recordRun } from '../run/record-run.ts';
import { checkPlans, checkScenarios } from '../load/scenario-problems.ts';
import { sinksOf } from '../run/sinks.ts';
import { unlessInterrupted } from '../interrupt.ts';
import type { Invocation } from '../invocation.ts';
import type { Settings } from '../options/table.ts';
import { orProblem, refuse } from '../problems.ts';
import { comparisonLines } from '../text/comparison.ts';

function shapeOf(
  settings: Settings<OptionOf<'load'>>,
  scenarios: readonly string[],
): Omit<LoadOptions, keyof CommonOptions> {
  const { engine, rate, throughput, duration, profile, arrivals, warmup, stage, executor, vus, iterations } = settings;
  return {
    scenarios,
    ...defined({
      model: engine,
      rate,
      throughputMs: throughput,
      durationMs: duration,
      profile,
      arrivals,
      warmupMs: warmup,
      stages: stage,
      executor,
      vus,
      iterations,
      abortOnFail: settings.abortOnFail,
      targetMetrics: settings.targetMetrics,
    }),
  };
}

/** The export of metrics; the SDK is loaded only if it is asked for. */
async function metricsFor(
  { otlp, prometheus }: Settings<OptionOf<'load'>>,
  run: { readonly runId: string | undefined } & Pick<MetricsOptions, 'signal' | 'note' | 'warn' | 'onWait'>,
): Promise<MetricsExport | undefined> {
  if (otlp === undefined && prometheus === undefined) return undefined;
  const { exportMetrics } = await import('../../reports/metrics/export.ts');
  const { runId = '', ...rest } = run;
  return exportMetrics({ ...rest, otlp, prometheus, attributes: { 'service.instance.id': runId } });
}

/** Runs load scenarios and checks their thresholds. */
export async function load(invocation: Invocation<OptionOf<'load'>>): Promise<number> {
  const { settings, operands, problems, directory, signal } = invocation;
  const sinks = await sinksOf(settings, directory, problems);
  await checkScenarios(operands, 'load', settings.fleet, problems);
  const shape = shapeOf(settings, operands);
  const { maxRate, maxDuration: maxDurationMs } = settings;
  const thresholds = await orProblem('--threshold', problems, () => parseThresholds(settings.threshold));
  await checkPlans(operands, { ...shape, ...defined({ maxRate, maxDurationMs }) }, thresholds, problems);
  const earlier: RunRecord[] = [];
  for (const dir of settings.compare)
    earlier.push(...((await orProblem('--compare', problems, () => readLog(dir))) ?? []));
  const connection = await connectionFrom(settings, directory, problems);
  if (invocation.isFlag('targetMetrics') && settings.profile !== 'soak')
    problems.push({
      subject: '--target-metrics',
      message: 'has no effect without --profile soak',
      hint: 'add --profile soak, which reads the metrics of the target from time to time',
    });
  if (settings.otlp !== undefined || settings.prometheus !== undefined)
    requireAddOn('metrics', '--otlp or --prometheus', problems);
  problems.push(...fleetProblems(settings), ...(await ignoredFlags(invocation, operands)));
  refuse(problems);
  const contract = await unlessInterrupted(signal, async () => contractFor(settings, connection));
  const records: RunRecord[] = [];
  const code = await recordRun(sinks, signal, async (recorder) => {
    const doing = 'waiting for the last Prometheus scrape';
    const onWait = (): void => recorder.live({ doing, load: undefined, leftSeconds: undefined });
    const work = async (options: CommonOptions): Promise<void> => {
      const metrics = await metricsFor(settings, { ...recorder, onWait, runId: options.runId, signal });
      try {
        for await (const measured of runLoad({
          ...options,
          ...shape,
          ...(metrics && { onMeasured: (slice) => metrics.add(slice) }),
        })) {
          const record = measured.type === 'scenario' ? judgedAgainst(earlier, records, measured) : measured;
          records.push(record);
          recorder.emit(record);
        }
      } finally {
        await metrics?.close();
        options.onRemoving?.();
      }
    };
    const effects = await effectsOf(operands);
    const given = { command: 'load', settings, connection, contract, signal, recorder, effects } as const;
    return withLoad({ ...given, rate: settings.rate, details: { ...shape }, work });
  });
  const screen = settings.json ? process.stderr : process.stdout;
  if (earlier.length > 0) screen.write(`${comparisonLines(compareLoad(earlier, records)).join('\n')}\n`);
  return code;
}
