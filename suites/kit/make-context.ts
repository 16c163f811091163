import { toFinding } from '../../client/index.ts';
import { explains, isServed, isTooLarge, isUnusable, judgeExchange, ownId } from '../../spec/index.ts';
import type { Exchange, Expectation, Finding, Operation, TestRecord, Violation } from '../../spec/index.ts';
import { defined } from '../../spec/defined.ts';
import { judgedIn, nothingCollected } from './collected.ts';
import type { Collected, CollectedViolation } from './collected.ts';
import { recorder } from './recorder.ts';
import type { ResponseLog } from './response-log.ts';
import { Disturbed, NotAnswering, Skip } from './context.ts';
import type { Evaluate, RequestSpec, TestContext, TestMeta } from './context.ts';
import { isGuaranteed, isOfFirewall, mayBeFull } from './guaranteed.ts';
import { hintOf } from './hint.ts';
import { holds, takesEffect } from './takes-effect.ts';
import { reportViolation, withRequest } from './violation.ts';
import type { ApiContext } from '../../domain/context.ts';
import { untraced } from '../../domain/create.ts';
import { noteRemoval, proveReversible } from './prove-reversible.ts';
import { replayCommand } from './replay.ts';
import { sendSpec } from './send.ts';
import type { OwnItem } from './finished-items.ts';
import type { Session } from './session.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { blamedOnUpdate } from './other-update.ts';
import { withRouting } from './unrouted.ts';

/** Identity of a test, as in its record. */
export interface TestHead extends Pick<TestRecord, 'suite' | 'name' | 'form' | 'checks' | 'requirements'> {
  readonly operation?: Operation;
}

/** How a test ended. */
type Outcome = Pick<TestRecord, 'verdict' | 'reason' | 'lacks' | 'outOfTime'>;

/** A test context, its responses and, once the test has ended, the meta for its record. */
interface OpenContext {
  readonly t: TestContext;
  readonly responses: ResponseLog;
  /** What it created and other tests do not use. */
  readonly created: readonly OwnItem[];
  readonly meta: (outcome: Outcome) => TestMeta;
}

const TOO_LARGE = 'the body is larger than the deployment accepts (413); the maximum is not documented';

export function makeContext(session: Session, head: TestHead): OpenContext {
  const { contract, knowledge } = session;
  const collected = nothingCollected();
  const add = (violation: Violation, cause?: string): string => {
    const { cause: given, ...finding } = findingOf(session, collected, head.name, violation, cause);
    const { fingerprint } = finding;
    // A violation that is also a judgement of its last exchange is not its own cause.
    const own = given === undefined || given === fingerprint ? {} : { cause: given };
    const afterExchanges = session.target.stats.exchanges;
    if (!collected.findings.has(fingerprint))
      collected.findings.set(fingerprint, { ...finding, ...own, afterExchanges });
    return fingerprint;
  };
  const send = (operation: Operation, request: RequestSpec): Promise<Exchange> =>
    sendFor(t, collected, operation, request);
  const t: TestContext = Object.assign(recorder(collected), {
    session,
    ...sharedParts(session, collected),
    sendQuietly: (operation: Operation, request: RequestSpec = {}) => send(operation, request),
    judge(operation: Operation, exchange: Exchange, expect?: Expectation) {
      const mustSucceed = knowledge.guarantees('valid-requests-succeed', operation);
      const expectation = expect === 'success' && !mustSucceed ? 'valid' : expect;
      const found = judgeExchange(contract, operation, exchange, expectation);
      const isInferred = mayBeFull(session, operation, exchange);
      for (const each of found.filter((violation) => isGuaranteed(session, violation))) {
        const graded = isInferred ? { ...each, grade: 'inferred' as const } : each;
        const violation = withRequest(graded, exchange, collected.labels.get(exchange.id));
        const fingerprint = add(violation);
        collected.judged.set(exchange.id, [...judgedIn(collected, exchange), { violation, fingerprint }]);
        collected.stopped ||= isUnusable(violation);
      }
      return exchange;
    },
    send: async (operation: Operation, request: RequestSpec = {}) =>
      t.judge(operation, await send(operation, request), request.expect),
    report(violation: Violation) {
      if (violation.exchanges.slice(-1).some(isTooLarge)) t.skip(TOO_LARGE);
      if (!isGuaranteed(session, violation)) return;
      collected.stopped = true;
      for (const each of violation.exchanges) judgeOtherItem(t, each);
      const judged = violation.exchanges.flatMap((each) => judgedIn(collected, each));
      const cause = judged.find((each) => explains(each.violation, violation));
      const before = violation.exchanges.slice(0, -1).flatMap((each) => judgedIn(collected, each));
      const isOfOtherItem = [...before, ...(cause === undefined ? [] : [cause])].some(isOtherItem);
      if (!isOfOtherItem) add(violation, cause?.fingerprint);
    },
    holds: (evaluate: Evaluate) => holds(t, evaluate),
    takesEffect: (evaluate: Evaluate) => takesEffect(t, evaluate),
  });
  return {
    t,
    responses: collected.responses,
    created: collected.created,
    meta: (outcome) => ({
      ...metaOf(head, collected, outcome),
      ...(session.target.lost === undefined ? {} : { lost: session.target.lost }),
    }),
  };
}

async function sendFor(
  t: TestContext,
  collected: Collected,
  operation: Operation,
  request: RequestSpec,
): Promise<Exchange> {
  const { knowledge, session } = t;
  if (knowledge.endsSession?.(operation) === true && !session.options.only.some((each) => each.includes(operation.id)))
    throw new Skip(`${operation.id} would end the session of the token; --only '${operation.id}' runs it`);
  if (!knowledge.guarantees('effects', operation) && request.proof !== true) await proveReversible(t, operation);
  const { why } = request.identity === undefined ? await untraced(t, operation) : {};
  if (why !== undefined) throw new Skip(why);
  await pauseBefore(operation, session);
  const sent = await sendSpec(session, operation, request).catch((error: unknown) => reportSilence(t, error));
  const exchange = await withRouting(t, operation, sent);
  note(collected, operation, exchange, request);
  noteChange(exchange, session);
  await noteRemoval(t, operation, request, exchange);
  session.history.add(exchange);
  session.outages.note(operation, request, exchange);
  if (exchange.operation.startsWith('GET')) reportMissed(t, operation, exchange);
  const item = session.creations.get(exchange.id);
  if (item !== undefined && collected.sharing === 0) collected.created.push(item);
  if (exchange.failure?.isUnclear === true)
    throw new Disturbed(`${operation.id}: the connection was closed, perhaps before the request was received`);
  const isFull = request.expect === 'success' && mayBeFull(session, operation, exchange);
  if (!isFull || !(await session.finished.makeRoom())) return exchange;
  t.judge(operation, exchange, request.expect);
  return sendFor(t, collected, operation, request);
}

/** Reports an empty list in the midst of answers that show an own item which nobody changed meanwhile. */
function reportMissed(t: TestContext, operation: Operation, read: Exchange): void {
  const { knowledge, session, settleMs } = t;
  const resource = knowledge.resources.find(({ list }) => list === operation);
  if (resource === undefined || !knowledge.guarantees('storage', resource.create)) return;
  const missed = session.history.missedIn(read, settleMs);
  if (missed === undefined || !t.isOwn(missed.id)) return;
  const { empty, id, created } = missed;
  reportViolation(t, 'created-reads-back/not-listed', operation, {
    subject: 'at times',
    requirement: knowledge.lifecycleRequirements(resource).listed,
    message: `${operation.id} returns an empty list at times`,
    expected: `${id}, as in the answers before and after`,
    received: 'an empty list',
    exchanges: [created, empty, read],
  });
}

/** True for a read that returned a different item: what is found about the content of such a response is no finding of its own. */
function isOtherItem({ violation: { code, grade } }: CollectedViolation): boolean {
  return code === 'own-id/other' && grade === undefined;
}

/** Judges a read that returned a different item, where the test did not have it judged. */
function judgeOtherItem(t: TestContext, exchange: Exchange): void {
  const { contract } = t;
  const operation = contract.operation(exchange.operation);
  const subject = operation === undefined ? undefined : { contract, operation, exchange, expectation: 'any' as const };
  if (subject !== undefined && ownId(subject).some(({ code }) => code === 'own-id/other'))
    t.judge(subject.operation, exchange);
}

/** The first test that finds that an operation does not answer reports it; the error is thrown on. */
async function reportSilence(t: TestContext, error: unknown): Promise<never> {
  if (error instanceof NotAnswering) {
    const { exchange } = error;
    const operation = t.contract.operation(exchange.operation);
    if (operation !== undefined)
      await t.once(`silence of ${operation.id}`, () => Promise.resolve(t.judge(operation, exchange)));
  }
  throw error;
}

/** What the contexts of all tests have in common. */
function sharedParts(
  session: Session,
  collected: Collected,
): Omit<ApiContext, 'send' | 'sendQuietly' | 'report' | 'recordLateChange'> {
  const { contract, knowledge, options, tag, journal } = session;
  return {
    contract,
    knowledge,
    settleMs: options.settleMs,
    tag,
    journal,
    allows: (effect) => session.allows(effect),
    once: (key, make) =>
      session.once(key, async () => {
        collected.sharing += 1;
        try {
          return await make();
        } finally {
          collected.sharing -= 1;
        }
      }),
    isOwn: (id) => session.createdIds.has(id),
    otherCreation: (id, created) => session.history.otherCreation(id, created),
    creationsBeside: (created) => session.history.latest.beside(created),
    async acknowledge(created, id, listed) {
      const entry = session.creations.get(created.id)?.entry;
      if (entry !== undefined) await journal.acknowledge(entry, id);
      session.createdIds.add(id.toLowerCase());
      if (listed !== undefined) session.history.addOrigin(id, { ...created, listed });
    },
  };
}

function findingOf(
  session: Session,
  { labels, findings }: Collected,
  test: string,
  given: Violation,
  cause: string | undefined,
): Finding {
  const { contract, options, target, history } = session;
  const violation = blamedOnUpdate(session, given);
  const last = violation.exchanges.at(-1);
  // Where the last exchange shows that the operation serves another request, there is room for more items.
  const isFull = violation.exchanges.some(
    (each) =>
      each.response?.status === 403 &&
      !(isServed(last) && last.operation === each.operation) &&
      mayBeFull(session, contract.operation(each.operation), each),
  );
  const isInferred = isFull || isOfFirewall(session, violation);
  const graded = isInferred ? { ...violation, grade: 'inferred' as const } : violation;
  return toFinding(graded, {
    contract,
    seed: options.seed,
    connection: target.connection,
    redact: (text) => target.redact(text),
    labels,
    ...history.sources,
    isKnown: (fingerprint) => findings.has(fingerprint),
    replay: replayCommand(options, test, violation.path),
    hint: hintOf(session, violation),
    cause,
    sharedId: history.nameSharedId(violation.exchanges),
  });
}

function note(collected: Collected, operation: Operation, exchange: Exchange, request: RequestSpec): void {
  collected.responses.add(operation, exchange, request);
  collected.last = exchange.operation;
  collected.slowestMs = Math.max(collected.slowestMs, exchange.durationMs);
  if (request.label !== undefined) collected.labels.set(exchange.id, request.label);
}

function metaOf(head: TestHead, collected: Collected, outcome: Outcome): TestMeta {
  const { verdict, reason, lacks, outOfTime } = outcome;
  return {
    test: {
      suite: head.suite,
      ...defined({ operation: head.operation?.id, form: head.form, reason, lacks, outOfTime }),
      ...defined({ cutShort: collected.cutShort }),
      checks: head.checks.filter((each) => !collected.open.has(each)),
      requirements: head.requirements.filter((each) => !collected.open.has(each)),
      verdict,
      startedAt: collected.startedAt.toISOString(),
      durationMs: performance.now() - collected.started,
      statuses: collected.responses.all,
      cases: collected.cases,
      findings: [...collected.findings.values()],
      ...(verdict === 'failed' && reason === undefined && !collected.stopped ? { completed: true as const } : {}),
      slowestMs: collected.slowestMs,
      ...(collected.late.length === 0 ? {} : { late: collected.late }),
    },
    observations: collected.observations,
  };
}

/** When the last change was answered, by session. */
const CHANGED_AT = new WeakMap<Session, number>();

/** Before a read, in the replay of a finding that shows only some time after a change: waits for that time. */
async function pauseBefore({ method }: Operation, session: Session): Promise<void> {
  const { pauseMs } = session.options;
  const changedAt = CHANGED_AT.get(session);
  if (pauseMs === undefined || changedAt === undefined || method !== 'GET') return;
  await sleep(Math.max(0, changedAt + pauseMs - Date.now()));
}

function noteChange({ request }: Exchange, session: Session): void {
  if (request.method !== 'GET') CHANGED_AT.set(session, Date.now());
}
