import { asyncProperty, check } from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { GeneratedRequest } from '../../generators/index.ts';
import type { Operation } from '../../spec/index.ts';
import type { TestContext } from '../kit/context.ts';
import { isGuaranteed } from '../kit/guaranteed.ts';
import type { Session } from '../kit/session.ts';
import { CaseArbitrary, decodeCase } from './case.ts';
import type { Case, RequestShrinker } from './case.ts';
import { Triage } from './triage.ts';
import type { FailedCase } from './triage.ts';
import type { CaseViolation, CaseViolations } from './violation.ts';

/** A property of one operation: its cases, how one is tested, and how a counterexample is simplified. */
export interface Property {
  readonly operation: Operation;
  /** Cases that run first, those that most likely fail first. */
  readonly examples: Iterable<Case>;
  /** Draws the cases after the examples; without it only the examples run. */
  readonly draws?: Arbitrary<GeneratedRequest> | undefined;
  /** Tests one case. `patient`: wait the whole settle time for changes to become visible. */
  readonly test: (value: Case, patient: boolean) => CaseViolations;
  /** Simplifies counterexamples; without it they are reported as they are. */
  readonly shrinker?: RequestShrinker | undefined;
  /** Simplifies cases that should have been served, where the shrinker could turn them into cases that may be refused. */
  readonly servedShrinker?: RequestShrinker | undefined;
  /** The plain request, where the simplest one of the shrinker is not served. */
  readonly plain?: GeneratedRequest;
  /** Names of what matters in a case; default: the members and parameters in which it differs from the plain request. */
  readonly aspects?: (value: Case, violation: CaseViolation) => readonly string[];
  /** Sends a plain request twice: where the second one fails, repeating is the cause, not the request. */
  readonly repeat?: () => Promise<{ readonly value: Case; readonly violations: readonly CaseViolation[] } | undefined>;
  /** Members that are not returned as they were sent, for {@link Case.notReturned}. */
  readonly notReturned?: readonly string[] | undefined;
  /** Most cases, where they are fewer than `--runs`. */
  readonly most?: number;
  /** Cases for each of `--runs`; default 1. */
  readonly casesPerRun?: number;
  /** Cases that run at the same time. */
  readonly lanes?: number;
}

/** Number of cases at the same time, unless a property says otherwise. */
const LANES = 8;

/** Cases of a property that run one after another. */
interface Lane {
  readonly seed: number;
  examples: readonly Case[];
  /** Cases left to run. */
  runs: number;
}

/**
 * Runs a property with fast-check and reports each defect once, with its simplest case. The cases are divided among concurrent lanes.
 * A lane stops at its first failure; after the triage it continues and ignores known defects. With `--path`, only that case runs.
 */
export async function runProperty(t: TestContext, given: Property): Promise<void> {
  const property = guaranteedOnly(given, t.session);
  const runs = t.session.runsFor(given.operation);
  const replayed = replayedCase(t.session);
  const triage = new Triage(t, property, replayed === undefined);
  const lanes = lanesOf(
    replayed === undefined ? property : { ...property, examples: [replayed], draws: undefined },
    Math.min(Math.ceil(runs * (property.casesPerRun ?? 1)), property.most ?? Number.POSITIVE_INFINITY),
    t.session.options.seed,
  );
  for (;;) {
    const failures = (await Promise.all(lanes.map((lane) => runLane(t, { property, triage }, lane)))).flat();
    if (failures.length === 0) break;
    await triage.add(failures);
  }
  triage.reportIntermittent();
}

/** The case of `--path`. */
export function replayedCase({ options }: Session): Case | undefined {
  if (options.path === undefined) return undefined;
  const value = decodeCase(options.path);
  if (value === undefined) throw new Error('the value of --path is not a path from a finding of Assay');
  return value;
}

/** The property without violations of behavior that the API does not guarantee. */
function guaranteedOnly(property: Property, session: Session): Property {
  return {
    ...property,
    test: async (value, patient) =>
      (await property.test(value, patient)).filter((violation) => isGuaranteed(session, violation)),
  };
}

function lanesOf({ examples, draws, lanes = LANES }: Property, most: number, seed: number): readonly Lane[] {
  const first: Case[] = [];
  for (const each of examples) if (first.push(each) >= most) break;
  const total = draws === undefined ? first.length : most;
  const width = Math.max(1, Math.min(lanes, total));
  return Array.from({ length: width }, (_, lane) => ({
    seed: seed + lane * 7919,
    examples: first.filter((_each, index) => index % width === lane),
    runs: Math.ceil((total - lane) / width),
  }));
}

interface Running {
  readonly property: Property;
  readonly triage: Triage;
}

/** Runs the cases of a lane up to the first one with a violation that no known defect explains. */
async function runLane(t: TestContext, { property, triage }: Running, lane: Lane): Promise<readonly FailedCase[]> {
  const { time } = t.session;
  if (lane.runs <= 0 || time.over()) return [];
  let failures: readonly FailedCase[] = [];
  const passes = async (value: Case): Promise<boolean> => {
    if (time.over()) {
      t.cutShort('the time for generated cases was used up (--budget, --depth)');
      return true;
    }
    t.countCases(1);
    failures = await triage.unexplained(value, await property.test(value, false));
    return failures.length === 0;
  };
  const details = await check(asyncProperty(new CaseArbitrary(property.draws), passes), {
    seed: lane.seed + lane.runs,
    numRuns: lane.runs,
    examples: lane.examples.map((each): [Case] => [each]),
    endOnFailure: true,
  });
  if (details.failed && failures.length === 0) throw details.errorInstance;
  lane.examples = lane.examples.slice(details.numRuns);
  lane.runs -= details.numRuns;
  return failures;
}
