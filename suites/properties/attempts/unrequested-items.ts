import { setTimeout as sleep } from 'node:timers/promises';
import type { Exchange, Json } from '../../../spec/index.ts';
import { idOf } from '../../../domain/items.ts';
import { walk } from '../../../domain/read-list.ts';
import type { Resource } from '../../../domain/resources.ts';
import type { TestContext } from '../../kit/context.ts';
import { reportViolation } from '../../kit/violation.ts';
import type { Case } from '../case.ts';
import { removeCreated } from './refused.ts';
import { sendCase } from './slot.ts';
import type { Slot } from './slot.ts';

/** Enough refused creations for a round, and most creations with a body that is not JSON. */
const MOST = 15;
const MOST_MALFORMED = 3;

/** Creations that are sent at the same time. */
const AT_ONCE = 8;

/** Number of rounds in which new items must appear before they are reported. */
const ROUNDS = 3;

/** Rounds without requests in which nothing may appear afterwards: others who create items at times are seen in one of them. */
const IDLE_ROUNDS = 15;

/**
 * Sends creations that are refused and reports new items in the list that this run did not create. Where items also appear while
 * nothing is sent, others create them, and nothing is reported.
 */
export async function refusedCreations(
  t: TestContext,
  resource: Resource,
  cases: Iterable<Case>,
  slot: Slot,
): Promise<void> {
  const refused = await refusedCases(t, resource, cases, slot);
  if (refused.length === 0) t.skip('the deployment refuses none of the invalid requests');
  let shown: Appeared | undefined;
  for (let round = 0; round < ROUNDS; round += 1) {
    shown = await appearing(t, resource, async () => {
      const sent = await Promise.all(
        refused.map(async (value) => {
          const each = await sendCase(t, resource.create, value, slot, false);
          // It may have been refused for a conflict that is gone.
          await removeCreated(t, resource, each);
          return each;
        }),
      );
      return sent.findLast(({ response }) => (response?.status ?? 0) >= 400);
    });
    if (shown.items.length === 0) return;
    const { tookMs } = shown;
    const isLast = round === ROUNDS - 1;
    const idle = await appearing(t, resource, async () => sleep(isLast ? IDLE_ROUNDS * tookMs : tookMs, undefined));
    if (idle.items.length > 0) return;
  }
  if (shown?.exchange === undefined || shown.list === undefined) return;
  reportViolation(t, 'refused-changes-nothing/stored', resource.create, {
    requirement: 'errors.validation',
    expected: 'no new item in the list',
    received: JSON.stringify(shown.items[0]).slice(0, 200),
    exchanges: [shown.exchange, shown.list],
  });
}

async function refusedCases(
  t: TestContext,
  resource: Resource,
  cases: Iterable<Case>,
  slot: Slot,
): Promise<readonly Case[]> {
  const refused: Case[] = [];
  let malformed = 0;
  const tested = async (value: Case): Promise<void> => {
    const exchange = await sendCase(t, resource.create, value, slot, false);
    const status = exchange.response?.status ?? 0;
    t.countCases(1);
    await removeCreated(t, resource, exchange);
    if (status >= 400 && status < 500) refused.push(value);
  };
  let round: Promise<void>[] = [];
  for (const value of cases) {
    if (value.rawBody !== undefined && (malformed += 1) > MOST_MALFORMED) continue;
    round.push(tested(value));
    if (round.length < AT_ONCE) continue;
    await Promise.all(round);
    round = [];
    if (refused.length >= MOST) break;
  }
  await Promise.all(round);
  return refused;
}

/** Items that appeared in the list while something was done. */
interface Appeared {
  readonly items: readonly Json[];
  readonly tookMs: number;
  readonly exchange: Exchange | undefined;
  readonly list: Exchange | undefined;
}

async function appearing(
  t: TestContext,
  { list }: Resource,
  act: () => Promise<Exchange | undefined>,
): Promise<Appeared> {
  const before = list === undefined ? undefined : await walk(t, list, { label: 'list before' });
  const began = Date.now();
  const exchange = await act();
  const tookMs = Date.now() - began;
  const after = list === undefined ? undefined : await walk(t, list, { label: 'list after' });
  await sleep(20);
  const known = new Set(before?.ids ?? []);
  const items = (after?.items ?? []).filter((item) => {
    const id = idOf(item);
    return id !== undefined && !known.has(id) && !t.isOwn(id);
  });
  return { items, tookMs, exchange, list: after?.pages.at(-1) };
}
