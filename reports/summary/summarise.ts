import type { RunEnd, RunRecord, RunStart, TestRecord } from '../../spec/index.ts';
import { defined } from '../../spec/defined.ts';
import type { Baseline } from '../baseline.ts';
import { bare, recordsOf, testsOf } from '../records.ts';
import { lateChanges, statisticsOf, totals } from './statistics.ts';
import { fixedFindings, mergeFindings, unknownOperations, withRecurrence } from './findings.ts';
import { groupFindings } from './groups.ts';
import { killedLoad } from './killed-load.ts';
import { withOutage } from './outage.ts';
import { summariseOperations } from './operations.ts';
import { countedTests, isSelection, ReachMap } from './reach.ts';
import { summariseRequirements } from './requirements.ts';
import { withFailures } from './test-outcome.ts';
import type { RunError, Summary } from './types.ts';
import { verdictOf } from './verdict.ts';

export interface SummariseOptions {
  readonly baseline?: Baseline | undefined;
  /** Warnings fail too; default: the option that the run was started with. */
  readonly strict?: boolean | undefined;
  /** Number of findings that the run has added to the baseline. */
  readonly recorded?: number | undefined;
}

const NO_START: RunStart = {
  type: 'run-start',
  version: '',
  command: 'verify',
  target: { baseUrl: '', embedded: false },
  spec: { title: '', source: '', operations: 0 },
  seed: 0,
  startedAt: '1970-01-01T00:00:00.000Z',
  options: {},
};

/** Computes the summary of a run from its records alone. */
export function summarise(records: readonly RunRecord[], options: SummariseOptions = {}): Summary {
  const start = recordsOf(records, 'run-start')[0] ?? NO_START;
  const strict = options.strict ?? start.options['strict'] === true;
  const counted = countedTests(testsOf(records));
  const today = start.startedAt.slice(0, 10);
  const merged = mergeFindings(counted, { baseline: options.baseline, today, strict });
  const findings = withOutage(withRecurrence(merged, recordsOf(records, 'rerun')), counted, strict);
  const tests = withFailures(counted, findings);
  const end = recordsOf(records, 'run-end').at(-1);
  const killed = killedLoad(records);
  const operations = summariseOperations(recordsOf(records, 'operation'), tests, findings, {
    reach: new ReachMap(tests),
    isSelection: isSelection(start.options),
  });
  const { version, command, target, spec, seed, startedAt } = start;
  const frame = {
    tool: 'assay' as const,
    version,
    command,
    target,
    spec,
    seed,
    startedAt,
    durationMs: end?.durationMs ?? lastSeen(tests, startedAt) + killed.durationMs,
    strict,
    ...defined({ bailed: end?.bailed }),
    totals: totals(tests, findings, killed.requests),
    operations,
    reach: {
      reached: operations.filter(({ forms }) => Object.values(forms).some(({ reached }) => reached)).length,
      of: operations.length,
    },
    requirements: summariseRequirements(recordsOf(records, 'requirement'), tests, findings, isComplete(end)),
    findings,
    groups: groupFindings(findings),
    fixed:
      isComplete(end) && isWhole(start) ? fixedFindings(tests, findings, options.baseline, start.options['runs']) : [],
    ...defined({ recorded: options.recorded, unknownInBaseline: unknownOperations(options.baseline, operations) }),
    skips: tests
      .filter((test) => test.verdict === 'skipped')
      .map((test) => ({ what: test.name, reason: test.reason ?? 'no reason was given' })),
    cutShort: tests.flatMap(({ name, cases, cutShort }) =>
      cutShort === undefined ? [] : [{ what: name, cases, reason: cutShort }],
    ),
    errors: [...errorsOf(records, tests), ...killed.errors],
    effects: effectsOf(records),
    ...statisticsOf(records),
    late: lateChanges(tests),
    observations: recordsOf(records, 'observation').map(bare),
    options: start.options,
    ...defined({ environment: start.environment }),
    ...loadParts(records, command),
  };
  return { ...frame, ...verdictOf(frame, end) };
}

function effectsOf(records: readonly RunRecord[]): Summary['effects'] {
  const effects = recordsOf(records, 'effects');
  return {
    created: effects.reduce((sum, effect) => sum + effect.created, 0),
    removed: effects.reduce((sum, effect) => sum + effect.removed, 0),
    left: effects.flatMap((effect) => effect.left),
    ...defined({ lasting: effects.find(({ lasting }) => lasting)?.lasting }),
  };
}

function isComplete(end: RunEnd | undefined): boolean {
  return end?.interrupted === false && end.bailed === undefined;
}

/** False for one of several shards, which has a part of the tests only. */
const isWhole = ({ options }: RunStart): boolean =>
  options['shard'] === undefined && options['missingShards'] === undefined;

function lastSeen(tests: readonly TestRecord[], startedAt: string): number {
  const ends = tests.map((test) => Date.parse(test.startedAt) + test.durationMs - Date.parse(startedAt));
  return ends.reduce((latest, end) => Math.max(latest, end), 0);
}

function errorsOf(records: readonly RunRecord[], tests: readonly TestRecord[]): RunError[] {
  const ofRun = recordsOf(records, 'error').map(bare);
  const ofTests = tests
    .filter((test) => test.verdict === 'error' || (test.verdict === 'failed' && test.findings.length === 0))
    .map((test) => ({ message: test.reason ?? 'the test failed without a finding', test: test.name }));
  return [...ofRun, ...ofTests];
}

function loadParts(
  records: readonly RunRecord[],
  command: RunStart['command'],
): Pick<Summary, 'scenarios' | 'capacity' | 'capacities'> {
  const scenarios = recordsOf(records, 'scenario').map(bare);
  const capacities = recordsOf(records, 'capacity').map(bare);
  return defined({
    scenarios: scenarios.length > 0 || command === 'load' || command === 'capacity' ? scenarios : undefined,
    capacity: capacities[0],
    capacities: capacities.length > 1 ? capacities : undefined,
  });
}
