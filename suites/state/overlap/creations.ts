import { setTimeout as sleep } from 'node:timers/promises';
import { keysShowing, mentions } from '../../../domain/items.ts';
import { pagingOf, searchParameterOf, walkUntil } from '../../../domain/read-list.ts';
import type { FindingCode, Operation, Violation } from '../../../spec/index.ts';
import type { Evaluation, RequestSpec, TestContext } from '../../kit/context.ts';
import { persists } from '../../kit/polling.ts';
import { violationOf } from '../../kit/violation.ts';
import { formAt } from '../define.ts';
import { createTracked } from '../sequences/items.ts';
import type { Family, TrackedItem } from '../sequences/items.ts';

/** Creations that are sent at the same time. */
const CREATIONS = 6;

/** When the list is read, in milliseconds: creations are sent only after the journal was written. */
const LIST_AFTER_MS = [0, 3, 6, 10, 15, 25];

/** Most repetitions after a list lacked an item: the first time, the item may only have become visible late. */
const MOST_REPETITIONS = 2;

/** Creates items while lists are read: each item has its own id and is listed once, and no other item disappears. */
export async function runCreations(t: TestContext, family: Family): Promise<boolean> {
  const began = Date.now();
  const before = await createTracked(t, family);
  const { list } = before.resource;
  if (list === undefined) return true;
  const isListed = await checkBaseline(t, list, before);
  if (isListed !== undefined) return isListed;
  const first = await createWhileListing(t, family, before, list);
  const created = [...first.created];
  let lacking: Violation | undefined;
  if (first.lacking !== undefined) {
    await sleep(Math.max(0, began + t.settleMs - Date.now()));
    for (let count = 0; count < MOST_REPETITIONS && lacking === undefined; count += 1) {
      const again = await createWhileListing(t, family, before, list);
      created.push(...again.created);
      lacking = again.lacking;
    }
  }
  // Between two pages, other tests remove items: what is found by the next reading of the pages was no late change.
  const polling = pagingOf(list) === undefined ? t : { settleMs: t.settleMs, recordLateChange: () => undefined };
  const look = (): Evaluation => findNotListedOnce(t, list, [before, ...created], OVERLAPPING);
  const violation = lacking ?? findSharedId(created) ?? (await remains(t, await persists(polling, look), look));
  if (violation !== undefined) t.report(violation);
  return violation === undefined;
}

/** What is found again after each of several settle times: pages that a cache keeps may not fit together while others change the list. */
async function remains(t: TestContext, found: Violation | undefined, look: () => Evaluation): Evaluation {
  let violation = found;
  for (let count = 0; count < MOST_REPETITIONS && violation !== undefined; count += 1) {
    await sleep(t.settleMs);
    violation = await look();
  }
  return violation;
}

interface ListedCodes {
  readonly missing: FindingCode;
  readonly repeated: FindingCode;
}

const OVERLAPPING: ListedCodes = { missing: 'overlap/lost-update', repeated: 'overlap/created-twice' };
const ALONE: ListedCodes = { missing: 'created-reads-back/not-listed', repeated: 'created-reads-back/created-twice' };

/**
 * Checks that a single creation is listed once; without that, overlapping creations show nothing. Returns the result of the test where
 * it ends here. `state/lifecycle` reports an item that is never listed.
 */
async function checkBaseline(t: TestContext, list: Operation, item: TrackedItem): Promise<boolean | undefined> {
  const violation = await persists(t, () => findNotListedOnce(t, list, [item], ALONE));
  if (violation === undefined) return undefined;
  const isMissing = violation.code === ALONE.missing;
  if (!isMissing) t.report(violation);
  return isMissing;
}

interface Creations {
  readonly created: readonly TrackedItem[];
  /** A list without the item that existed before. */
  readonly lacking: Violation | undefined;
}

async function createWhileListing(
  t: TestContext,
  family: Family,
  before: TrackedItem,
  list: Operation,
): Promise<Creations> {
  const { create } = before.resource;
  const [created, ...lacking] = await Promise.all([
    Promise.all(Array.from({ length: CREATIONS }, (_, at) => createTracked(t, family, formAt(create, at)))),
    ...LIST_AFTER_MS.map(async (delayMs, at) => {
      await sleep(delayMs);
      return findLacking(t, before, list, { label: 'list during creations', form: formAt(list, at) });
    }),
  ]);
  return { created, lacking: lacking.find((each) => each !== undefined) };
}

/** The violation where a list, which is searched for the item as far as it can be, does not show it. */
export async function findLacking(
  t: TestContext,
  item: TrackedItem,
  list: Operation,
  request: RequestSpec,
): Evaluation {
  const search = searchParameterOf(list);
  const query = search === undefined ? {} : { query: { [search]: `${item.name}-${item.known.content}` } };
  const seen = await walkUntil(t, list, { ...query, ...request }, ({ ids }) => ids.includes(item.key));
  const last = seen?.pages.at(-1);
  if (seen === undefined || last === undefined || seen.ids.includes(item.key)) return undefined;
  return violationOf('overlap/list-incomplete', list, {
    expected: `${item.name} in the list`,
    received: `${seen.ids.length} other items`,
    exchanges: [item.created, last],
  });
}

function findSharedId(items: readonly TrackedItem[]): Violation | undefined {
  const second = items.find((item, at) => items.findIndex(({ key }) => key === item.key) < at);
  const first = items.find(({ key }) => key === second?.key);
  if (first === undefined || second === undefined) return undefined;
  return violationOf('overlap/same-id', second.resource.create, {
    expected: 'a new id for each creation',
    received: second.key,
    exchanges: [first.created, second.created],
  });
}

async function findNotListedOnce(
  t: TestContext,
  list: Operation,
  items: readonly TrackedItem[],
  codes: ListedCodes,
): Evaluation {
  const seen = await walkUntil(t, list, { label: 'list the created items' }, (all) =>
    items.every(({ name, known }) => all.items.some((each) => mentions(each, `${name}-${known.content}`))),
  );
  const last = seen?.pages.at(-1);
  if (seen === undefined || last === undefined) return undefined;
  for (const { key, name, known, resource, created } of items) {
    // The same item on two pages is a matter of paging.
    const count = keysShowing(`${name}-${known.content}`, seen.items, key).length;
    if (count === 1) continue;
    return violationOf(count === 0 ? codes.missing : codes.repeated, resource.create, {
      subject: codes === OVERLAPPING ? 'create' : undefined,
      expected: `${name} is listed once`,
      received: `it is listed ${count} times`,
      exchanges: [created, last],
    });
  }
  return undefined;
}
