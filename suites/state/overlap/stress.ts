import type { TestContext } from '../../kit/context.ts';
import { persists } from '../../kit/polling.ts';
import { isReadRequest } from '../../oracle/index.ts';
import { requestOf } from '../sequences/items.ts';
import type { TrackedItem } from '../sequences/items.ts';
import { setUp } from '../sequences/setup.ts';
import { isLinearizable, prepareCall, sendCall } from './calls.ts';
import type { RecordedCall } from './calls.ts';
import { findReadViolation, findSequentially, findUnexplained } from './race.ts';
import { staleness } from './reads.ts';

const POLICIES = 4;
const CLIENTS = 6;
const CALLS_PER_CLIENT = 12;

const KINDS = ['read', 'update', 'read', 'activate', 'read', 'deactivate'] as const;

/** Several clients work on the same policies. Reports a lost update or an impossible read, and observes the consistency. */
export async function runStress(t: TestContext): Promise<void> {
  const setup = await setUp(t, 'policy');
  const items = await Promise.all(Array.from({ length: POLICIES }, () => setup.create()));
  const clients = Array.from({ length: CLIENTS }, (_, client) => runClient(t, items, client));
  const calls = (await Promise.all(clients)).flat();
  t.countCases(calls.length);
  if (calls.some(({ exchange }) => t.isUnusable(exchange))) return;
  for (const item of items) {
    const own = calls.filter((each) => each.item === item);
    const overlap = { family: 'policy', subject: 'stress', item, own, all: own, search: setup.search } as const;
    const violation = findReadViolation(t, overlap) ?? (await persists(t, () => findUnexplained(t, overlap)));
    if (violation === undefined) continue;
    const kinds = ['update', 'activate', 'activate', 'deactivate', 'deactivate'] as const;
    const inTurn = kinds.map((kind) => ({ kind }));
    t.report((await findSequentially(t, 'policy', setup, inTurn)) ?? violation);
    break;
  }
  t.observe('consistency of overlapping calls on policies', describeConsistency(items, calls));
}

async function runClient(
  t: TestContext,
  items: readonly TrackedItem[],
  client: number,
): Promise<readonly RecordedCall[]> {
  const calls: RecordedCall[] = [];
  for (let turn = 0; turn < CALLS_PER_CLIENT; turn += 1) {
    const item = items[(turn * 3 + client) % items.length] as TrackedItem;
    const request = requestOf(KINDS[(turn + client * 2) % KINDS.length] ?? 'read');
    calls.push(await sendCall(t, await prepareCall(t, 'policy', item, request), client + turn));
  }
  return calls;
}

function describeConsistency(items: readonly TrackedItem[], calls: readonly RecordedCall[]): string {
  const callsOn = (item: TrackedItem): readonly RecordedCall[] => calls.filter((each) => each.item === item);
  const linearizable = items.filter((item) => isLinearizable(item.known, callsOn(item))).length;
  if (linearizable === items.length) return `linearizable: ${calls.length} calls on ${items.length} policies`;
  const reads = calls.filter(({ request }) => isReadRequest(request));
  const delays = reads.map((read) => staleness(callsOn(read.item), read)).sort((a, b) => a - b);
  const stale = delays.filter((each) => each > 0).length;
  const quantile = (share: number): string =>
    `${Math.round(delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? 0)} ms`;
  return `not linearizable (${linearizable} of ${items.length} policies are): ${stale} of ${reads.length} reads were stale, p50 ${quantile(0.5)}, p99 ${quantile(0.99)}, max ${quantile(1)}`;
}
