import { isSuccess } from '../../../spec/index.ts';
import type { Operation } from '../../../spec/index.ts';
import { isRead, ONE_THING } from '../../oracle/index.ts';
import type { Known, Kind, Request } from '../../oracle/index.ts';
import type { Violation, TestContext } from '../../kit/context.ts';
import { told } from '../sequences/look.ts';
import { persists } from '../sequences/patience.ts';
import { prepare } from '../sequences/prepare.ts';
import type { Real } from '../sequences/real.ts';
import { newContent, operationIdFor } from '../sequences/subject.ts';
import type { Family, Subject } from '../sequences/subject.ts';
import type { Contest } from './contests.ts';
import { breachAlone } from './alone.ts';
import { finalCalls } from './final.ts';
import { oracleOf, ready, record } from './history.ts';
import type { Recorded } from './history.ts';
import { linearize } from './linearizability.ts';
import { inventedRead } from './reads.ts';

/** Milliseconds between one call and the next, by round: some defects need the second call to come while the first is served. */
const STAGGER_MS = [0, 0, 1, 2];

/** Sends the calls of a contest at once, and holds what they leave against every order of them. Answers false where that was a violation. */
export async function holdContest(t: TestContext, contest: Contest, round: number): Promise<boolean> {
  const shared = await prepare(t, contest.family);
  const count = 1 + Math.max(...contest.calls.map((each) => each.on));
  const subjects = await Promise.all(Array.from({ length: count }, () => shared.make()));
  if (contest.active === true) await Promise.all(subjects.map((each) => switchOn(t, each, shared.search)));
  const calls = round % 2 === 0 ? contest.calls : contest.calls.toReversed();
  const waiting = await Promise.all(
    calls.flatMap(({ on, kind }) => {
      const subject = subjects[on];
      return subject === undefined ? [] : [ready(t, contest.family, subject, requestOf(kind))];
    }),
  );
  const recorded = await Promise.all(
    waiting.map((call, at) => record(t, call, at + round, at * (STAGGER_MS[round % STAGGER_MS.length] ?? 0))),
  );
  if (recorded.some((each) => t.hasViolation(each.exchange))) return false;
  for (const subject of subjects) {
    const own = recorded.filter((each) => each.subject === subject);
    const violation =
      inventedBreach(t, contest, own) ??
      (await persists(t, () => unexplained(t, { contest, subject, own, all: recorded, search: shared.search })));
    if (violation === undefined) continue;
    const kinds = [
      ...(contest.active === true ? ['activate' as const] : []),
      ...contest.calls.map(({ kind }) => kind).filter((kind) => kind !== 'read'),
    ];
    t.report((await breachAlone(t, contest.family, shared, kinds)) ?? violation);
    return false;
  }
  return true;
}

function requestOf(kind: Kind): Request {
  if (kind === 'update' || kind === 'patch') return { kind, content: newContent() };
  return kind === 'list-active' ? { kind, filterActive: true } : { kind };
}

/** Makes a policy active and waits until it is seen to be. */
async function switchOn(t: TestContext, subject: Subject, search: Real['search']): Promise<void> {
  const switched = await record(t, await ready(t, 'createPolicy', subject, { kind: 'activate' }), 0);
  if (!isSuccess(switched.exchange.response?.status ?? 0) && switched.exchange.response?.status !== 409)
    t.skip('a policy could not be made active');
  subject.known = { ...subject.known, active: true };
  const late = await persists(t, () =>
    unexplained(t, { contest: { family: 'createPolicy', title: '', calls: [] }, subject, own: [], all: [], search }),
  );
  if (late !== undefined) t.skip('a policy could not be made active: see the findings of activation');
}

/** A read that no lateness explains, as a violation. */
export function inventedBreach(
  t: TestContext,
  { family, title }: Contest,
  own: readonly Recorded[],
): Violation | undefined {
  const [first] = own;
  const found = first === undefined ? undefined : inventedRead(first.subject.known, own);
  if (found === undefined) return undefined;
  const { read, expected } = found;
  const operation = operationFor(t, family, read.request.kind);
  const got = read.answer?.status === 200 ? 'what was never there' : `status ${read.answer?.status ?? 'none'}`;
  return {
    check: 'overlap',
    ...(operation === undefined ? {} : { operation }),
    cause: `${title}: a read answers ${got}`,
    message: `${title}: a read answers ${got}`,
    expected,
    received: told(read.answer ?? { status: 0 }),
    exchanges: [
      read.subject.made.created,
      ...own
        .filter((each) => each !== read)
        .map((each) => each.exchange)
        .slice(0, 3),
      read.exchange,
    ],
  };
}

/** What calls on one subject left, and what was sent with them. */
export interface After {
  readonly contest: Contest;
  readonly subject: Subject;
  readonly own: readonly Recorded[];
  /** Everything that was sent at once. */
  readonly all: readonly Recorded[];
  readonly search: Real['search'];
}

/** Looks at what the calls left; a violation where no order of them leaves that. */
export async function unexplained(
  t: TestContext,
  { contest, subject, own, all, search }: After,
): Promise<Violation | undefined> {
  const looks = await finalCalls(t, contest.family, subject, search);
  const writes = own.filter((each) => !isRead(each.request));
  if (looks.length === 0 || linearize([...writes, ...looks], oracleOf(subject.known)) !== undefined) return undefined;
  const blamed = writes.length > 0 ? writes : all;
  const operation = operationFor(t, contest.family, blamed.at(-1)?.request.kind ?? 'read');
  const guilty =
    looks.find((look) => linearize([...writes, look], oracleOf(subject.known)) === undefined) ?? looks.at(-1);
  return {
    check: 'overlap',
    ...(operation === undefined ? {} : { operation }),
    cause: `${contest.title}: one is lost`,
    message: `${contest.title}: what they leave is what no order of them leaves`,
    expected: `as after some order of them: ${ends(subject.known, writes).map(words).join(', or ')} (api.md 3, 4, 7)`,
    received: told(guilty?.answer ?? { status: 0 }),
    exchanges: [
      subject.made.created,
      ...all.map((each) => each.exchange),
      ...(guilty === undefined ? [] : [guilty.exchange]),
    ].slice(-5),
  };
}

function operationFor(t: TestContext, family: Family, kind: Kind): Operation | undefined {
  return t.session.contract.operation(operationIdFor(family, kind) ?? '');
}

/** Everything that some order of the calls leaves. */
function ends(known: Known, writes: readonly Recorded[]): readonly Known[] {
  if (writes.length === 0) return [known];
  const all = writes.flatMap((call, at) =>
    ONE_THING.step(known, call.request, call.answer).flatMap((after) =>
      ends(
        after,
        writes.filter((_, other) => other !== at),
      ),
    ),
  );
  return [...new Map(all.map((each) => [ONE_THING.key(each), each])).values()];
}

function words({ there, content, active }: Known): string {
  return there ? `${content}${active === undefined ? '' : active ? ', active' : ', inactive'}` : 'gone';
}
