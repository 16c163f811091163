import { isRead } from '../../oracle/index.ts';
import type { Request } from '../../oracle/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { persists } from '../sequences/patience.ts';
import { prepare } from '../sequences/prepare.ts';
import { newContent } from '../sequences/subject.ts';
import type { Subject } from '../sequences/subject.ts';
import { breachAlone } from './alone.ts';
import { inventedBreach, unexplained } from './contest.ts';
import { oracleOf, ready, record } from './history.ts';
import type { Recorded } from './history.ts';
import { linearize } from './linearizability.ts';
import { staleness } from './reads.ts';

const POLICIES = 4;
const CLIENTS = 6;

const KINDS = ['read', 'update', 'read', 'activate', 'read', 'deactivate'] as const;

/** Clients that work on the same policies at once; tells how consistent what they saw was, and reports what is lost or invented. */
export async function holdCrowd(t: TestContext, calls: number): Promise<void> {
  const shared = await prepare(t, 'createPolicy');
  const subjects = await Promise.all(Array.from({ length: POLICIES }, () => shared.make()));
  const history = (
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => work(t, subjects, client, calls)))
  ).flat();
  t.countCases(history.length);
  if (history.some((each) => t.hasViolation(each.exchange))) return;
  const title = `${CLIENTS} clients on the same policies`;
  const contest = { family: 'createPolicy', title, calls: [] } as const;
  for (const subject of subjects) {
    const own = history.filter((each) => each.subject === subject);
    const violation =
      inventedBreach(t, contest, own) ??
      (await persists(t, () => unexplained(t, { contest, subject, own, all: own, search: shared.search })));
    if (violation === undefined) continue;
    t.report(
      (await breachAlone(t, 'createPolicy', shared, [
        'update',
        'activate',
        'activate',
        'deactivate',
        'deactivate',
      ])) ?? { ...violation, exchanges: violation.exchanges.slice(-5) },
    );
    break;
  }
  t.observe('consistency of overlapping calls on policies', consistency(subjects, history));
}

async function work(
  t: TestContext,
  subjects: readonly Subject[],
  client: number,
  calls: number,
): Promise<readonly Recorded[]> {
  const done: Recorded[] = [];
  for (let turn = 0; turn < calls; turn += 1) {
    const subject = subjects[(turn * 3 + client) % subjects.length];
    const kind = KINDS[(turn + client * 2) % KINDS.length] ?? 'read';
    if (subject !== undefined)
      done.push(await record(t, await ready(t, 'createPolicy', subject, requestOf(kind)), client + turn));
  }
  return done;
}

function requestOf(kind: (typeof KINDS)[number]): Request {
  return kind === 'update' ? { kind, content: newContent() } : { kind };
}

/** The consistency report in words. */
export function consistency(subjects: readonly Subject[], history: readonly Recorded[]): string {
  const whole = subjects.filter(
    (subject) =>
      linearize(
        history.filter((each) => each.subject === subject),
        oracleOf(subject.known),
      ) !== undefined,
  ).length;
  if (whole === subjects.length) return `linearizable: ${history.length} calls on ${subjects.length} policies`;
  const reads = history.filter((each) => isRead(each.request));
  const stale = reads
    .map((read) =>
      staleness(
        history.filter((each) => each.subject === read.subject),
        read,
      ),
    )
    .sort((a, b) => a - b);
  const at = (share: number): string =>
    `${Math.round(stale[Math.min(stale.length - 1, Math.floor(stale.length * share))] ?? 0)} ms`;
  return `not linearizable (${whole} of ${subjects.length} policies are): of ${reads.length} reads ${stale.filter((each) => each > 0).length} were stale, p50 ${at(0.5)}, p99 ${at(0.99)}, max ${at(1)}`;
}
