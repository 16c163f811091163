import { ifSkipped } from '../../domain/context.ts';
import { create } from '../../domain/create.ts';
import type { CreatedItem } from '../../domain/create.ts';
import { idForPath } from '../../domain/items.ts';
import { createMany, MANY, removeMany } from '../../domain/many-items.ts';
import { itemsWithIds, pagingOf } from '../../domain/read-list.ts';
import type { Resource } from '../../domain/resources.ts';
import { isObject } from '../../spec/index.ts';
import type { Json, Violation } from '../../spec/index.ts';
import type { TestContext } from '../kit/context.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { violationOf } from '../kit/violation.ts';
import { findOddMember } from './listed-members.ts';

const session = await openSession();

/** Beginnings of names: a list may sort, group or match by the first letter. */
const BEGINNINGS = ['', '1 ', '(', '"', '_', '#', '\u00E9', '\u0416', '\u65E5', '\u{1F642}'];

for (const resource of session.knowledge.resources) {
  const { list, create: creation } = resource;
  if (list === undefined || pagingOf(list) !== undefined || !session.knowledge.guarantees('storage', creation))
    continue;
  defineTest(session, {
    suite: 'contract/long-lists',
    title: 'a list without paging holds all items, however many there are',
    operation: list,
    checks: ['created-reads-back'],
    requirements: [session.knowledge.lifecycleRequirements(resource).listed].flatMap((each) => each ?? []),
    effects: ['read', 'reversible'],
    cost: 3 * MANY + 2 * BEGINNINGS.length,
    run: (t) => holdsAll(t, resource),
  });
}

async function holdsAll(t: TestContext, resource: Resource): Promise<void> {
  const items = [...(await createMany(t, resource))];
  let isWhole = await t.holds((t) => findLeftOut(t, resource, items));
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
    if (isWhole) isWhole = await t.holds((t) => findLeftOut(t, resource, items));
  }
  await removeMany(t, items);
}

async function findLeftOut(
  t: TestContext,
  resource: Resource,
  items: readonly CreatedItem[],
): Promise<Violation | undefined> {
  const { list } = resource;
  if (list === undefined) return undefined;
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
