import type { CreatedItem } from '../../../domain/create.ts';
import {
  idOf,
  isDescribed,
  itemIn,
  itemsIn,
  keysShowing,
  memberOf,
  mentions,
  repeatedId,
  sameId,
} from '../../../domain/items.ts';
import { walk, walkUntil } from '../../../domain/read-list.ts';
import type { Resource } from '../../../domain/resources.ts';
import { isObject } from '../../../spec/index.ts';
import type { Exchange, Form, Json, JsonObject, Operation, Violation } from '../../../spec/index.ts';
import type { Evaluation, TestContext } from '../../kit/context.ts';
import { bodyFormats } from '../../kit/formats.ts';
import { firstMismatch } from '../../kit/read-back.ts';
import { violationOf } from '../../kit/violation.ts';

/** Numbers of items of a long list that a line of curl may create again. */
const LONG_LIST = { least: 20, most: 200 };

/** A new item that is not listed exactly once and under its name. */
export async function findNotListed(t: TestContext, item: CreatedItem, form: Form): Evaluation {
  const { create, list } = item.resource;
  const seen =
    list === undefined
      ? undefined
      : await walkUntil(t, list, { form }, ({ ids }) => ids.includes(item.id.toLowerCase()));
  if (list === undefined || seen === undefined) return undefined;
  const exchanges = [item.created, ...seen.pages.slice(-1)];
  const count = seen.items.length;
  const listed = seen.items.find((each) => sameId(idOf(each), item.id));
  if (listed === undefined)
    return violationOf('created-reads-back/not-listed', list, {
      requirement: t.knowledge.lifecycleRequirements(item.resource).listed,
      expected: `${item.name} in the list`,
      received: `a list of ${count} other items`,
      exchanges,
      // A list may end too early only where it is long.
      setup: count < LONG_LIST.least || count > LONG_LIST.most ? [] : Array<Exchange>(count).fill(item.created),
    });
  const repeating = findListedTwice(list, seen.pages, [item]);
  if (repeating !== undefined) return repeating;
  // The same item on two pages is a violation of paging, which is judged there.
  const named = keysShowing(item.name, seen.items, item.id.toLowerCase()).length;
  if (named > 1) return createdTwice(create, item.name, named, exchanges);
  if (named === 1 && mentions(listed, item.name)) return findOtherLetters(t, item, form, listed, exchanges);
  if (hidesName(list, listed)) return undefined;
  return violationOf('created-reads-back/listed-member', list, {
    subject: 'name',
    expected: item.name,
    received: JSON.stringify(listed).slice(0, 200),
    exchanges,
  });
}

/** True for an entry without a name, such as a bare id, where the description does not show what the list holds. */
const hidesName = (list: Operation, listed: Json): boolean =>
  !isDescribed(list) && memberOf(listed, 'name') === undefined;

/** An item that one response of the list contains twice, after its creation where it is one of these items. */
export function findListedTwice(
  list: Operation,
  pages: readonly Exchange[],
  items: readonly CreatedItem[],
): Violation | undefined {
  const repeating = pages.find((page) => repeatedId(itemsIn(page) ?? []) !== undefined);
  if (repeating === undefined) return undefined;
  const id = repeatedId(itemsIn(repeating) ?? []) ?? '';
  return violationOf('created-reads-back/listed-twice', list, {
    requirement: 'paging.partition',
    expected: 'each item once',
    received: `${id} twice`,
    exchanges: [...items.filter((each) => sameId(each.id, id)).map(({ created }) => created), repeating],
  });
}

/** A name that the list shows in other letters than the item itself, which has it as it was sent. */
async function findOtherLetters(
  t: TestContext,
  { resource: { read, list }, id, path, name }: CreatedItem,
  form: Form,
  listed: Json,
  exchanges: readonly Exchange[],
): Evaluation {
  const shown = memberOf(listed, 'name');
  if (read === undefined || list === undefined || typeof shown !== 'string' || shown === name) return undefined;
  const seen = await t.send(read, { form, path, label: 'read' });
  if (memberOf(itemIn(seen.response?.json, id), 'name') !== name) return undefined;
  return violationOf('created-reads-back/listed-member', list, {
    subject: 'name',
    expected: `${name}, as in the item`,
    received: shown,
    exchanges: [...exchanges, seen],
  });
}

/** An updated item that is not listed as it was sent with `changed`: under another name, or with former values. */
export async function findListedAsBefore(
  t: TestContext,
  item: CreatedItem,
  form: Form,
  { sent, changed }: { readonly sent: JsonObject; readonly changed: Exchange },
): Evaluation {
  const { list, create } = item.resource;
  const seen = list === undefined ? undefined : await walk(t, list, { form });
  const listed = seen?.items.find((each) => sameId(idOf(each), item.id));
  if (list === undefined || !isObject(listed)) return undefined;
  const name = memberOf(sent, 'name');
  const former =
    typeof name === 'string' && !mentions(listed, name) && !hidesName(list, listed)
      ? { name: 'name', expected: name, received: JSON.stringify(listed).slice(0, 200) }
      : formerMember(t, create, listed, { sent, before: item.sent });
  if (former === undefined) return undefined;
  return violationOf('updated-reads-back/listed-member', list, {
    subject: former.name,
    expected: former.expected,
    received: former.received,
    exchanges: [changed, ...(seen?.pages.slice(-1) ?? [])],
  });
}

/** A listed member with another flag than was sent, or with the value from before the update. Lists may shorten texts. */
function formerMember(
  t: TestContext,
  create: Operation,
  listed: JsonObject,
  { sent, before }: { readonly sent: JsonObject; readonly before: Json },
): ReturnType<typeof firstMismatch> {
  const formats = bodyFormats(t.contract, create);
  const mismatch = (name: string, value: Json): ReturnType<typeof firstMismatch> =>
    firstMismatch({ [name]: value }, listed, t.knowledge.members, formats);
  for (const [name, value] of Object.entries(sent)) {
    const found = memberOf(listed, name) === undefined ? undefined : mismatch(name, value);
    if (found === undefined || found.grade !== undefined) continue;
    const former = memberOf(before, name) ?? null;
    if (typeof value === 'boolean' || (former !== null && mismatch(name, former) === undefined)) return found;
  }
  return undefined;
}

/** A name of these items that the list shows for several, or one of them that it shows twice. */
export async function findCreatedTwice(
  t: TestContext,
  { create, list }: Resource,
  form: Form,
  items: readonly CreatedItem[],
): Evaluation {
  const seen = list === undefined ? undefined : await walk(t, list, { form });
  if (list === undefined || seen === undefined) return undefined;
  for (const { name, id, created } of items) {
    const count = keysShowing(name, seen.items, id.toLowerCase()).length;
    if (count > 1) return createdTwice(create, name, count, [created, ...seen.pages.slice(-1)]);
  }
  return findListedTwice(list, seen.pages, items);
}

function createdTwice(create: Operation, name: string, count: number, exchanges: readonly Exchange[]): Violation {
  return violationOf('created-reads-back/created-twice', create, {
    expected: `one item named ${name}`,
    received: `${count} items`,
    exchanges,
  });
}
