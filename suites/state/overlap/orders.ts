import { isSuccess } from '../../../spec/index.ts';
import type { Exchange, Form } from '../../../spec/index.ts';
import { departsFrom } from '../../oracle/index.ts';
import { idsOf } from '../../../domain/items.ts';
import type { Violation, TestContext } from '../../kit/context.ts';
import { saveOrder } from '../../../domain/builtin/processing-order.ts';
import { placed, PLACES } from '../sequences/arrangements.ts';
import { othersSetTheOrder } from '../sequences/disturbed.ts';
import { lookAtOrder, orderEntries, putOrder } from '../sequences/ordering.ts';
import type { SetOrder } from '../sequences/ordering.ts';
import { persists } from '../sequences/patience.ts';
import { operationOf } from '../../../domain/builtin/operations.ts';

/** When the order is read, in milliseconds after others were sent. */
const READ_AFTER_MS = [0, 2, 4, 7, 11, 16];

/**
 * Two orders at once, read meanwhile: what is left is one of them, and what is read is whole. Undefined where
 * somebody else's order came in between. `known` gathers how the own policies ever stood among each other.
 */
export async function ordersAtOnce(
  t: TestContext,
  own: readonly string[],
  round: number,
  known: Set<string>,
): Promise<Violation | undefined> {
  await saveOrder(t);
  const [setting, reading] = [operationOf(t.session, 'setOrder'), operationOf(t.session, 'order')];
  const before = await needsOrder(t, own);
  if (!isSuccess(before.exchange.response?.status ?? 0)) return undefined;
  const now = await orderEntries(t);
  const wanted = [
    PLACES['turned round, around the others'],
    round % 2 === 0 ? PLACES['in front of the others'] : PLACES['behind the others, turned round'],
  ].map((place) => placed(own, place)([...now.keys()]));
  for (const order of [[...now.keys()], before.sent, ...wanted]) known.add(among(order, own));
  const set = (sent: readonly string[], form: Form | undefined): Promise<Exchange> => {
    const json = sent.map((id, order) => ({ ...now.get(id), id: now.get(id)?.id ?? id, order }));
    return t.sendQuietly(setting, { json, label: 'set an order', ...(form === undefined ? {} : { form }) });
  };
  const [sets, reads] = await Promise.all([
    Promise.all(wanted.map((sent, at) => set(sent, setting.forms[(at + round) % setting.forms.length]))),
    Promise.all(
      READ_AFTER_MS.map(async (delay) => {
        await new Promise((resolve) => {
          setTimeout(resolve, delay);
        });
        return t.send(reading, { label: 'read the order meanwhile' });
      }),
    ),
  ]);
  if (sets.every((each) => !isSuccess(each.response?.status ?? 0))) return undefined;
  const torn = reads.map((read) => tornRead(read, { sets, own, known })).find((each) => each !== undefined);
  return torn ?? persists(t, () => oneOf(t, sets, wanted, own));
}

/** Sets an order by itself; where it is not read back as it was set, what comes of two at once tells nothing, and the test is skipped. */
export async function needsOrder(t: TestContext, own: readonly string[]): Promise<SetOrder> {
  const set = await putOrder(t, undefined, placed(own, PLACES['as they were, around the others']));
  if (!isSuccess(set.exchange.response?.status ?? 0)) return set;
  const violation = await lookAtOrder(t, {
    known: set.sent,
    own: new Set(own),
    steps: [set.exchange],
    blame: { check: 'processing-order', cause: 'the order is not read back as it was set' },
  });
  if (violation !== undefined && !(await othersSetTheOrder(t)))
    t.skip('an order is not read back as it was set: see its finding');
  return set;
}

/** What of an order others did not delete meanwhile. */
function still(sent: readonly string[], seen: readonly string[], own: readonly string[]): readonly string[] {
  const there = new Set(seen);
  return sent.filter((id) => own.includes(id) || there.has(id));
}

/** How the own policies stand among each other. */
export function among(order: readonly string[], own: readonly string[]): string {
  return order.filter((id) => own.includes(id)).join(' ');
}

interface Meanwhile {
  readonly sets: readonly Exchange[];
  readonly own: readonly string[];
  readonly known: ReadonlySet<string>;
}

/** A read that lacks policies, or mixes orders, shows none that there ever was; one that shows an older order may just be late. */
function tornRead(read: Exchange, { sets, own, known }: Meanwhile): Violation | undefined {
  const seen = read.response?.status === 200 ? idsOf(read.response.json) : undefined;
  if (seen === undefined) return undefined;
  const lacks = own.filter((id) => !seen.includes(id)).length;
  if (lacks === 0 && known.has(among(seen, own))) return undefined;
  const cause =
    lacks > 0
      ? 'an order that is read while others are set lacks policies'
      : 'an order that is read while others are set is none of them';
  const received =
    lacks > 0 ? `${lacks} of ${own.length} own policies are missing` : 'own policies in an order that nobody set';
  return {
    check: 'overlap',
    requirement: 'policies.processing-order',
    cause,
    message: cause,
    expected: 'all policies, in the order before or in one of those that were set',
    received,
    exchanges: [...sets, read],
  };
}

async function oneOf(
  t: TestContext,
  sets: readonly Exchange[],
  wanted: readonly (readonly string[])[],
  own: readonly string[],
): Promise<Violation | undefined> {
  const read = await t.send(operationOf(t.session, 'order'), { label: 'read the order that is left' });
  const seen = idsOf(read.response?.json);
  const kept = wanted.filter((_, at) => isSuccess(sets[at]?.response?.status ?? 0));
  if (seen === undefined || kept.some((sent) => departsFrom(still(sent, seen, own), seen) === undefined))
    return undefined;
  const cause = 'two orders at once leave neither of them';
  return {
    check: 'overlap',
    requirement: 'policies.processing-order',
    operation: operationOf(t.session, 'setOrder'),
    cause,
    message: cause,
    expected: 'one of the two, as a whole (api.md 3)',
    received: 'another order',
    exchanges: [...sets, read],
  };
}
