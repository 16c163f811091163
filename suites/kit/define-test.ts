import { test } from 'vitest';
import type { TestContext as VitestContext, TestFunction } from 'vitest';
import type { CheckName, Effect, Form, Operation, TestRecord } from '../../spec/index.ts';
import { makeContext } from './make-context.ts';
import { ownRequirement } from '../../client/index.ts';
import { PLANNED } from './options.ts';
import type { Outcome } from './outages.ts';
import type { ResponseLog } from './response-log.ts';
import { mayBeSelected, selected } from './select.ts';
import { asOutcome } from './send.ts';
import type { EndedTest, Session } from './session.ts';
import { nextShard } from './shard.ts';
import { TestScheduler } from './test-scheduler.ts';
import type { Schedulable } from './test-scheduler.ts';
import { Disturbed, OutOfTime, Skip } from './context.ts';
import type { TestContext, TestMeta } from './context.ts';

/** A test of the suites, before it runs. */
export interface TestDefinition {
  /** For example `contract/paging`. */
  readonly suite: string;
  /** What it tests, in a few words; the operation and form are added to its name. */
  readonly title: string;
  readonly operation?: Operation;
  readonly form?: Form;
  /** Set where the test exists for one form of the operation only. */
  readonly isOnlyForm?: boolean;
  /** Set where it seldom finds a defect: it runs with the tests of the other forms. */
  readonly isLate?: boolean;
  /** Set where it waits for what appears only after a while, as a run does. Default: where its operation shows such things. */
  readonly isAwaited?: boolean;
  readonly checks: readonly CheckName[];
  /** Requirements that it tests besides the operation's own. */
  readonly requirements?: readonly string[];
  /** Effects it needs, all of them. */
  readonly effects?: readonly Effect[];
  /** Set where no other test of the same resource may run at the same time. */
  readonly isolated?: boolean;
  /** Set where it also tests that other items stay as they were. */
  readonly keepsOthers?: boolean;
  /** Expected cost in requests, for an even split into shards and the order in which tests start; default 10. */
  readonly cost?: number;
  readonly run: (t: TestContext) => Promise<void>;
}

/** A test that was defined, but not yet declared to Vitest. */
interface Defined extends Schedulable {
  readonly suite: string;
  /** False for a test through a further form of its operation, and for one that seldom finds a defect. */
  readonly isEarly: boolean;
  /** True for a test of what appears only after a while. */
  readonly isAwaited: boolean;
  readonly name: string;
  /** Expected requests. */
  readonly cost: number;
  readonly run: TestFunction;
}

/** In the order of definition. */
let defined: Defined[] = [];

/** Most tests of one group that run at the same time. The client limits how many requests are in flight. */
const MOST_AT_ONCE = 64;

/**
 * With a limit of the rate, as many tests as requests per second: a test that has begun runs to its end, so that more of
 * them would take minutes of the time of the next group.
 */
const mostAtOnce = (maxRate = MOST_AT_ONCE): number => Math.min(MOST_AT_ONCE, Math.max(8, Math.ceil(maxRate)));

/** Tests start with the longest where the time of the run is so many times what they are expected to take. */
const AMPLE = 2;

/**
 * The tests in the order in which they start: the longest first, so that none of them is left to run alone at the end. Where time
 * is short, in the order of their definitions, so that those which find least are left out.
 */
function startOrder(tests: readonly Defined[], { target, deadline }: Session): readonly Defined[] {
  const expectedMs = tests.reduce((sum, { cost }) => sum + cost, 0) * (performance.now() / target.stats.exchanges);
  return AMPLE * expectedMs < deadline.leftMs() ? tests.toSorted((a, b) => b.cost - a.cost) : tests;
}

/** Declares the tests that `isDue` accepts to Vitest; the others can be declared later. */
export function declareTests(
  session: Session,
  isDue: (test: Defined) => boolean,
  how: 'concurrent' | 'sequential' = 'concurrent',
): void {
  const due = defined.filter((each) => isDue(each));
  defined = defined.filter((each) => !isDue(each));
  const scheduler = new TestScheduler(due, mostAtOnce(session.options.maxRate));
  if (how === 'sequential') for (const each of due) test.sequential(each.name, each.run);
  else
    for (const each of startOrder(due, session))
      test.concurrent(each.name, (context) =>
        scheduler.run(each, async () => {
          // To Vitest, a test that waits for its turn is running: a cancelled run must not start it.
          if (context.signal.aborted) context.skip();
          await each.run(context);
        }),
      );
}

/** True while a test of what appears late is left for a later group. */
export function hasAwaited(): boolean {
  return defined.some(({ isAwaited }) => isAwaited);
}

/** False where no test of the suite about the operation is selected, so that nothing need be prepared for it. */
export function mayDefine({ options: { only, skip } }: Session, suite: string, { id }: Operation): boolean {
  return mayBeSelected(suite, only, skip, id);
}

/** Defines one test. A test that is not selected is not defined; one whose effects are not allowed is skipped with that reason. */
export function defineTest(session: Session, spec: TestDefinition): void {
  const name = nameOf(spec);
  const { only, skip, shard } = session.options;
  const operation = spec.operation?.id;
  const selectable = {
    suite: spec.suite,
    name,
    checks: spec.checks,
    ...(operation === undefined ? {} : { operation }),
  };
  if (!selected(selectable, only, skip)) return;
  const { cost = 10 } = spec;
  if (shard !== undefined && nextShard(shard.total, cost, subjectsOf(spec)) !== shard.index) return;
  defined.push({
    suite: spec.suite,
    isEarly: isEarly(spec),
    isAwaited:
      spec.isAwaited === true || (spec.operation !== undefined && session.knowledge.awaits?.(spec.operation) === true),
    name,
    cost,
    resource: resourceOf(spec),
    isolated: spec.isolated === true,
    run: (context) => runTest(session, { ...spec, title: name }, context),
  });
}

/** The form through which the test with that title runs first; over all operations, each form about equally often. */
export function firstForm({ id, forms }: Operation, title: string): Form | undefined {
  const sum = Array.from(id + title, (each) => each.charCodeAt(0)).reduce((a, b) => a + b, 0);
  return forms[sum % forms.length];
}

function isEarly({ operation, form, isOnlyForm = false, isLate = false, title }: TestDefinition): boolean {
  if (isLate) return false;
  if (operation === undefined || form === undefined || isOnlyForm) return true;
  return firstForm(operation, title)?.name === form.name;
}

/** Defines one test for each form of an operation. Default effects: those of the operation. */
export function defineForForms(
  session: Session,
  {
    run,
    ...spec
  }: Omit<TestDefinition, 'form' | 'run'> & {
    readonly operation: Operation;
    readonly run: (t: TestContext, form: Form) => Promise<void>;
  },
): void {
  for (const form of spec.operation.forms)
    defineTest(session, { effects: [spec.operation.effect], ...spec, form, run: (t) => run(t, form) });
}

function resourceOf({ operation }: TestDefinition): string {
  return operation?.path.split('/')[1] ?? '';
}

function subjectsOf(spec: TestDefinition): readonly string[] {
  return spec.operation === undefined ? [] : [spec.operation.id, resourceOf(spec)];
}

function nameOf({ suite, operation, form, title }: TestDefinition): string {
  return [suite, operation?.id, form?.name, title].filter((each) => each !== undefined && each !== '').join(' > ');
}

/** Most runs of a test while closed connections keep it from its end. */
const MOST_RUNS = 3;

/** Runs a test, again where closed connections kept it from its end. Returns what Vitest has to be told about it. */
async function runWhole(session: Session, spec: TestDefinition): Promise<TestMeta> {
  let earlier: TestMeta['test']['statuses'] = [];
  for (let runs = 1; ; runs += 1) {
    const { meta, isDisturbed } = await runOnce(session, spec);
    const statuses = [...earlier, ...meta.test.statuses];
    if (!isDisturbed || meta.test.findings.length > 0 || runs >= MOST_RUNS)
      return { ...meta, test: { ...meta.test, statuses } };
    earlier = statuses;
  }
}

/** Runs a test once; `title` is its name. */
async function runOnce(
  session: Session,
  spec: TestDefinition,
): Promise<{ readonly meta: TestMeta; readonly isDisturbed: boolean }> {
  const own = spec.operation === undefined ? undefined : ownRequirement(session.contract, spec.operation);
  const { t, meta, responses, created } = makeContext(session, {
    suite: spec.suite,
    name: spec.title,
    ...(spec.operation === undefined ? {} : { operation: spec.operation }),
    ...(spec.form === undefined ? {} : { form: spec.form.name }),
    checks: spec.checks,
    requirements: [...(own === undefined ? [] : [own.id]), ...(spec.requirements ?? [])],
  });
  const { isDisturbed = false, ...outcome } = await runBody(session, spec, t);
  await session.knowledge.afterTest?.(t, t.findings.length > 0).catch(ignoreOutcome);
  judgeServerErrors(t, responses);
  const failed = t.findings.some((each) => each.severity === 'violation' || session.options.strict);
  const vacuous =
    outcome.verdict === 'passed' && t.findings.length === 0
      ? responses.whyVacuous(spec.operation, session.time.over() ? OUT_OF_TIME : NO_CASE)
      : undefined;
  const ended =
    vacuous === undefined
      ? outcome
      : ({ verdict: 'skipped', reason: vacuous, ...(vacuous === OUT_OF_TIME ? NO_TIME : {}) } as const);
  const record = meta(failed ? { ...ended, verdict: 'failed' } : ended);
  await session.finished.add(created);
  return { meta: record, isDisturbed };
}

/** A target that does not answer after a test changes nothing about the test. */
function ignoreOutcome(thrown: unknown): void {
  const error = asOutcome(thrown);
  if (!(error instanceof Skip || error instanceof Disturbed)) throw error;
}

/** A server error is a violation, also where the response is not what the test is about. */
function judgeServerErrors(t: TestContext, { serverErrors }: ResponseLog): void {
  const known = new Set(t.findings.flatMap(({ check, operation }) => (check === 'no-server-error' ? operation : [])));
  for (const { operation, exchange } of serverErrors.values())
    if (!known.has(operation.id)) t.judge(operation, exchange);
}

async function runTest(session: Session, spec: TestDefinition, context: VitestContext): Promise<void> {
  const run = (): Promise<Outcome> => session.outages.during(() => runWhole(session, spec));
  const { meta, ofOutage, again } = await run();
  const { verdict, reason } = meta.test;
  const findings = [...meta.test.findings, ...ofOutage];
  context.task.meta.assay = { ...meta, test: { ...meta.test, findings } };
  const ended: EndedTest = {
    name: spec.title,
    suite: spec.suite,
    resource: resourceOf(spec),
    requests: meta.test.statuses.reduce((sum, { count }) => sum + count, 0),
    findings: again === 'whole' ? meta.test.findings : findings,
    ofOutage: again === 'whole' ? ofOutage.map(({ fingerprint }) => fingerprint) : [],
    isCut: again === 'cut',
    run: async () => (await run()).meta,
  };
  if (findings.length > 0) session.withFindings.push(ended);
  if (spec.keepsOthers === true && (verdict === 'passed' || verdict === 'failed')) session.keepingOthers.push(ended);
  if (verdict === 'failed') throw new Error(findings.map((each) => each.message).join('; '));
  if (verdict === 'error') throw new Error(reason);
  if (verdict === 'skipped') context.skip(reason);
}

/** Reasons of a test that sent nothing. */
const OUT_OF_TIME = 'the time for tests of this kind was used up (--budget, --depth)';
const NO_CASE = 'no case of this test applies to the operation';

/** For the record of a test that had no time. */
const NO_TIME = { outOfTime: true } as const;

async function runBody(
  session: Session,
  spec: TestDefinition,
  t: TestContext,
): Promise<
  Pick<TestRecord, 'reason' | 'lacks' | 'outOfTime'> & {
    readonly verdict: 'passed' | 'skipped' | 'error';
    readonly isDisturbed?: boolean;
  }
> {
  const lacks = (spec.effects ?? []).find((effect) => !session.allows(effect));
  if (lacks !== undefined) return { verdict: 'skipped', reason: `the effect ${lacks} is not allowed`, lacks };
  if (session.options.planOnly === true) return { verdict: 'skipped', reason: PLANNED };
  try {
    session.deadline.check();
    if (session.time.over()) return { verdict: 'skipped', reason: OUT_OF_TIME, ...NO_TIME };
    await Promise.race([spec.run(t), session.interrupted]);
    return { verdict: 'passed' };
  } catch (thrown) {
    const error = asOutcome(thrown);
    if (error instanceof OutOfTime) return { verdict: 'skipped', reason: error.message, ...NO_TIME };
    if (error instanceof Skip) return { verdict: 'skipped', reason: error.message };
    if (error instanceof Disturbed) return { verdict: 'skipped', reason: error.message, isDisturbed: true };
    const message = error instanceof Error ? error.message : String(error);
    return { verdict: 'error', reason: session.target.redact(message) };
  }
}
