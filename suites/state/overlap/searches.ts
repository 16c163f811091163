import { settled } from '../../../domain/context.ts';
import { keysOf } from '../../../domain/items.ts';
import { searchParameterOf } from '../../../domain/read-list.ts';
import type { Exchange, Operation } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { reportViolation } from '../../kit/violation.ts';
import { formAt } from '../define.ts';
import { createTracked } from '../sequences/items.ts';
import type { TrackedItem } from '../sequences/items.ts';

const ROUNDS = 6;
/** Reads of each of the two lists that are sent at the same time. */
const AT_ONCE = 4;

interface Search {
  readonly item: TrackedItem;
  readonly exchange: Exchange;
}

/** Lists that are read at the same time and search for two items: each shows the item that it asks for, and not the other one. */
export async function runSearches(t: TestContext, list: Operation): Promise<void> {
  const search = searchParameterOf(list) ?? t.skip('the list has no search');
  const items = [await createTracked(t, 'policy'), await createTracked(t, 'policy')] as const;
  const read = async (item: TrackedItem, at: number): Promise<Search> => {
    const query = { [search]: `${item.name}-${item.known.content}` };
    const label = 'search beside other searches';
    return { item, exchange: await t.send(list, { form: formAt(list, at), query, valid: true, label }) };
  };
  const isRight = async (): Promise<boolean> =>
    shows(await read(items[0], 0), items[0]) &&
    !shows(await read(items[0], 0), items[1]) &&
    shows(await read(items[1], 1), items[1]) &&
    !shows(await read(items[1], 1), items[0]);
  // What searches find one after another is a matter of filters.
  if (!(await settled(t, isRight))) return t.skip('the search does not find one item only');
  for (let round = 0; round < ROUNDS; round += 1) {
    t.countCases(1);
    const reads = await Promise.all(
      items.flatMap((item) => Array.from({ length: AT_ONCE }, (_, at) => read(item, at))),
    );
    const other = (item: TrackedItem): TrackedItem => (item === items[0] ? items[1] : items[0]);
    const swapped = reads.find((each) => shows(each, other(each.item)) && !shows(each, each.item));
    if (swapped === undefined) continue;
    const right = reads.find(({ item }) => item !== swapped.item);
    return reportViolation(t, 'overlap/other-response', list, {
      message: `${list.id} returned the response to another request that was sent at the same time`,
      expected: `the item named ${swapped.item.name}`,
      received: `the item named ${other(swapped.item).name}, which another request searched for`,
      exchanges: [right?.exchange, swapped.exchange],
    });
  }
}

const shows = ({ exchange }: Search, { key }: TrackedItem): boolean =>
  keysOf(exchange.response?.json)?.includes(key) === true;
