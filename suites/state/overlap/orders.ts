import { isSuccess } from '../../../spec/index.ts';
import type { Exchange, Form } from '../../../spec/index.ts';
import { departsFrom } from '../../oracle/index.ts';
import { idsOf } from '../../session/lists.ts';
import type { LawBreach, Trial } from '../../session/trial.ts';
import { saveOrder } from '../order.ts';
import { placed, PLACES } from '../sequences/arrangements.ts';
import { orderEntries, putOrder } from '../sequences/ordering.ts';
import { persists } from '../sequences/patience.ts';
import { operationOf } from '../world/index.ts';

/**
 * Two orders at once, read meanwhile: what is left is one of them, and what is read is whole. Undefined where
 * somebody else's order came in between.
 */
export async function ordersAtOnce(trial: Trial, own: readonly string[], round: number): Promise<LawBreach | undefined> {
  await saveOrder(trial);
  const [setting, reading] = [operationOf(trial.session, 'setOrder'), operationOf(trial.session, 'order')];
  const before = await putOrder(trial, undefined, placed(own, PLACES['as they were, around the others']));
  if (!isSuccess(before.exchange.response?.status ?? 0)) return undefined;
  const now = await orderEntries(trial);
  const wanted = [PLACES['turned round, around the others'], round % 2 === 0 ? PLACES['in front of the others'] : PLACES['behind the others, turned round']].map((place) => placed(own, place)([...now.keys()]));
  const set = (sent: readonly string[], form: Form | undefined): Promise<Exchange> => {
    const json = sent.map((id, order) => ({ ...now.get(id), id: now.get(id)?.id ?? id, order }));
    return trial.sendQuietly(setting, { json, label: 'set an order', ...(form === undefined ? {} : { form }) });
  };
  const [sets, reads] = await Promise.all([
    Promise.all(wanted.map((sent, at) => set(sent, setting.forms[(at + round) % setting.forms.length]))),
    Promise.all([0, 1, 2].map(async (at) => {
      await new Promise((resolve) => { setTimeout(resolve, at * 4); });
      return trial.send(reading, { label: 'read the order meanwhile' });
    })),
  ]);
  if (sets.every((each) => !isSuccess(each.response?.status ?? 0))) return undefined;
  const torn = reads.map((read) => tornRead(read, sets, own)).find((each) => each !== undefined);
  return torn ?? persists(trial, () => oneOf(trial, sets, wanted, own));
}

/** What of an order others did not delete meanwhile. */
function still(sent: readonly string[], seen: readonly string[], own: readonly string[]): readonly string[] {
  const there = new Set(seen);
  return sent.filter((id) => own.includes(id) || there.has(id));
}

/** A read that lacks policies shows no order that there ever was; one that shows an older order may just be late. */
function tornRead(read: Exchange, sets: readonly Exchange[], own: readonly string[]): LawBreach | undefined {
  const seen = read.response?.status === 200 ? idsOf(read.response.json) : undefined;
  const lacks = seen === undefined ? 0 : own.filter((id) => !seen.includes(id)).length;
  if (lacks === 0) return undefined;
  const cause = 'an order that is read while others are set lacks policies';
  return { check: 'overlap', requirement: 'policies.processing-order', cause, message: cause, expected: 'all policies, in the order before or in one of those that were set', received: `${lacks} of ${own.length} own policies are missing`, exchanges: [...sets, read] };
}

async function oneOf(trial: Trial, sets: readonly Exchange[], wanted: readonly (readonly string[])[], own: readonly string[]): Promise<LawBreach | undefined> {
  const read = await trial.send(operationOf(trial.session, 'order'), { label: 'read the order that is left' });
  const seen = idsOf(read.response?.json);
  const kept = wanted.filter((_, at) => isSuccess(sets[at]?.response?.status ?? 0));
  if (seen === undefined || kept.some((sent) => departsFrom(still(sent, seen, own), seen) === undefined)) return undefined;
  const cause = 'two orders at once leave neither of them';
  return { check: 'overlap', requirement: 'policies.processing-order', operation: operationOf(trial.session, 'setOrder'), cause, message: cause, expected: 'one of the two, as a whole (api.md 3)', received: 'another order', exchanges: [...sets, read] };
}
