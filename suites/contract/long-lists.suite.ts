import { ifSkipped } from '../../domain/context.ts';
import { create } from '../../domain/create.ts';
import type { CreatedItem } from '../../domain/create.ts';
import { idForPath } from '../../domain/items.ts';
import type { ItemFilter } from '../../domain/knowledge.ts';
import { createMany, MANY, removeMany } from '../../domain/many-items.ts';
import { itemsWithIds, pagingOf, walk, walkUntil } from '../../domain/read-list.ts';
import type { Walk } from '../../domain/read-list.ts';
import type { Resource } from '../../domain/resources.ts';
import { isObject } from '../../spec/index.ts';
import type { Form, Json, Operation } from '../../spec/index.ts';
import type { Evaluation, TestContext } from '../kit/context.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { violationOf } from '../kit/violation.ts';
import { findOddMember } from './listed-members.ts';

const session = await openSession();

/** Beginnings of names: a list may sort, group or match by the first letter. */
const BEGINNINGS = ['', '1 ', '(', '"', '_', '#', '\u00E9', '\u0416', '\u65E5', '\u{1F642}'];

for (const resource of session.knowledge.resources) {
  const { list, create: creation } = resource;
  if (list === undefined || !session.knowledge.guarantees('storage', creation)) continue;
  const filter = session.knowledge.itemFilter?.(list);
  const isPaged = pagingOf(list) !== undefined;
  if (isPaged && filter === undefined) continue;
  const { listed } = session.knowledge.lifecycleRequirements(resource);
  defineTest(session, {
    suite: 'contract/long-lists',
    title: isPaged
      ? 'a filter finds the first and the last item of a long list'
      : 'a list without paging holds all items, however many there are',
    operation: list,
    checks: [
      ...(isPaged ? [] : (['created-reads-back'] as const)),
      ...(filter === undefined ? [] : (['filters'] as const)),
    ],
    requirements: [isPaged ? undefined : listed, filter?.requirement].flatMap((each) => each ?? []),
    effects: ['read', 'reversible'],
    cost: isPaged ? 2 * MANY : 3 * MANY + 2 * BEGINNINGS.length,
    run: async (t) => {
      const items = await createMany(t, resource);
      if (filter !== undefined) await t.holds((t) => findNotSelected(t, list, filter, items));
      const more = isPaged ? [] : await holdsAll(t, resource, list, items);
      await removeMany(t, [...items, ...more]);
    },
  });
}

/** The list holds the items, and further ones that are created; returns these. */
async function holdsAll(
  t: TestContext,
  resource: Resource,
  list: Operation,
  many: readonly CreatedItem[],
): Promise<readonly CreatedItem[]> {
  const items = [...many];
  let isWhole = await t.holds((t) => findLeftOut(t, resource, list, items));
  // One after the other: the length of the list may matter, its last digit for example.
  const references = await t.knowledge.references(t, resource.create, {});
  const named = (beginning: string, name: string): Json | undefined => {
    const sample = t.knowledge.sampleBody(resource.create, name, references);
    return isObject(sample) ? { ...sample, name: `${beginning}${name}` } : undefined;
  };
  for (const beginning of BEGINNINGS) {
    const body = (name: string): Json | undefined => named(beginning, name);
    const item = await create(t, resource, { suffix: 'one', references, expect: 'any', body }).catch(ifSkipped);
    if (item === undefined) continue;
    items.push(item);
    if (isWhole) isWhole = await t.holds((t) => findLeftOut(t, resource, list, items));
  }
  return items.slice(many.length);
}

async function findLeftOut(
  t: TestContext,
  resource: Resource,
  list: Operation,
  items: readonly CreatedItem[],
): Evaluation {
  for (const exchange of await Promise.all(
    list.forms.map((form) => t.send(list, { form, label: 'read the whole list' })),
  )) {
    const shown = itemsWithIds(exchange, list, resource.idName);
    if (shown === undefined) continue;
    const listed = new Set(shown.flatMap((item) => idForPath(item, resource.idName)?.toLowerCase() ?? []));
    const missing = items.find(({ id }) => !listed.has(id.toLowerCase()));
    const creations = items.map(({ created }) => created);
    const odd = missing === undefined ? findOddMember(t, resource, creations, exchange) : undefined;
    if (odd !== undefined) return odd;
    if (missing === undefined) continue;
    return violationOf('created-reads-back/not-listed', list, {
      requirement: t.knowledge.lifecycleRequirements(resource).listed,
      message: `${list.id} leaves out items of a long list`,
      expected: `all ${items.length} new items, ${missing.name} among them`,
      received: `${listed.size} items`,
      exchanges: [missing.created, exchange],
    });
  }
  return undefined;
}

/** The first or the last item of a long list, where a filter finds the other one only. */
async function findNotSelected(
  t: TestContext,
  list: Operation,
  { requirement, query }: ItemFilter,
  items: readonly CreatedItem[],
): Evaluation {
  const ends = [items[0], items.at(-1)].filter((each) => each !== undefined);
  for (const form of list.forms) {
    const selected = await Promise.all(
      ends.map(async (item) => {
        const walked = await walk(t, list, { form, query: query(item), label: `select ${item.name}`, expect: 'any' });
        const isFound = walked?.ids.includes(item.id.toLowerCase()) === true;
        return { item, pages: walked?.pages ?? [], isFound };
      }),
    );
    const found = selected.find(({ isFound }) => isFound);
    const lost = selected.find(({ pages, isFound }) => pages.length > 0 && !isFound);
    if (found === undefined || lost === undefined) continue;
    const unlisted = await findUnlisted(t, list, form, lost.item);
    if (unlisted !== undefined) return unlisted;
    const [filter = ''] = Object.keys(query(lost.item));
    return violationOf('filters/not-found', list, {
      subject: filter,
      requirement,
      message: `${list.id}: a filter leaves out an item of a long list (${filter})`,
      expected: `${lost.item.name}, as ${found.item.name} is found`,
      received: 'a list without it',
      setup: items.filter((item) => item !== lost.item).map(({ created }) => created),
      exchanges: [lost.item.created, ...found.pages.slice(0, 1), ...lost.pages.slice(0, 1)],
    });
  }
  return undefined;
}

/** An item that the list lacks without a filter, too. */
async function findUnlisted(t: TestContext, list: Operation, form: Form, item: CreatedItem): Evaluation {
  const isListed = ({ ids }: Walk): boolean => ids.includes(item.id.toLowerCase());
  const whole = await walkUntil(t, list, { form }, isListed);
  if (whole === undefined || isListed(whole)) return undefined;
  return violationOf('created-reads-back/not-listed', list, {
    requirement: t.knowledge.lifecycleRequirements(item.resource).listed,
    message: `${list.id} leaves out items of a long list`,
    expected: `${item.name} among the items`,
    received: `${whole.ids.length} others`,
    exchanges: [item.created, ...whole.pages.slice(0, 1)],
  });
}
