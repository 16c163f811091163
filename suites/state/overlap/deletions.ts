import { pagingOf, searchParameterOf } from '../../../domain/read-list.ts';
import type { Form } from '../../../spec/index.ts';
import type { Evaluation, TestContext } from '../../kit/context.ts';
import { persists } from '../../kit/polling.ts';
import { formAt } from '../define.ts';
import { createTracked } from '../sequences/items.ts';
import type { Family, TrackedItem } from '../sequences/items.ts';
import { prepareCall, sendCall } from './calls.ts';
import { findLacking } from './creations.ts';

/** Items that are created at the same time, so that they probably follow each other in lists; every second one is deleted. */
const ITEMS = 6;

/** Most lists that are read for one item during the deletions. */
const MOST_LISTS = 8;

/** Repetitions after a list lacked an item: one of them must lack one too. */
const REPETITIONS = 3;

/** Deletes items while lists are read: these show the other items. Returns false where a violation was reported. */
export async function runDeletions(t: TestContext, family: Family): Promise<boolean> {
  if ((await deleteWhileListing(t, family, 0)) === undefined) return true;
  for (let turn = 1; turn <= REPETITIONS; turn += 1) {
    const again = await deleteWhileListing(t, family, turn);
    if (again === undefined) continue;
    t.report(again);
    return false;
  }
  return true;
}

async function deleteWhileListing(t: TestContext, family: Family, turn: number): Evaluation {
  const items = await Promise.all(Array.from({ length: ITEMS }, () => createTracked(t, family)));
  const [list] = items.flatMap(({ resource }) => resource.list ?? []);
  // Deletions move what follows to an earlier page.
  if (list === undefined || (pagingOf(list) !== undefined && searchParameterOf(list) === undefined)) return undefined;
  const kept = items.filter((_, at) => at % 2 === 1);
  const lacks = async (item: TrackedItem, label: string, form?: Form): Evaluation =>
    findLacking(t, item, list, { label, ...(form === undefined ? {} : { form }) });
  // The list of each form may be cached on its own.
  const waits = kept.flatMap((item) =>
    list.forms.map((form) => persists(t, () => lacks(item, 'list the items', form))),
  );
  const late = await Promise.all(waits);
  if (late.some((each) => each !== undefined)) return undefined;
  const others = items.filter((item) => !kept.includes(item));
  const calls = await Promise.all(others.map((each) => prepareCall(t, family, each, { kind: 'delete' })));
  const work = { isRunning: true };
  const deletions = Promise.all(calls.map((call, at) => sendCall(t, call, turn + at))).finally(() => {
    work.isRunning = false;
  });
  const listing = kept.map(async (item) => {
    for (let count = 0; count < MOST_LISTS && work.isRunning; count += 1) {
      const violation = await lacks(item, 'list during deletions', formAt(list, turn + count));
      if (violation !== undefined) return violation;
    }
    return undefined;
  });
  // A deletion that fails before the lists are read ends the test.
  const [done, ...lacking] = await Promise.all([deletions, ...listing]);
  const found = lacking.find((each) => each !== undefined);
  return found && { ...found, exchanges: found.exchanges.toSpliced(-1, 0, ...done.map(({ exchange }) => exchange)) };
}
