import { create, idInBody } from '../../../domain/create.ts';
import type { Made } from '../../../domain/create.ts';
import { settled } from '../../../domain/context.ts';
import { itemsOf, mentions, sameId, spelledId } from '../../../domain/items.ts';
import type { Resource } from '../../../domain/resources.ts';
import { isServed } from '../../../spec/index.ts';
import type { Exchange, Form, Json, Operation, Violation } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { violationOf } from '../../kit/violation.ts';
import type { Evidence } from '../../kit/violation.ts';

/** An item of which a read showed the unique text that was sent: so the service, unlike a mock, stores what it is given. */
interface Shown {
  readonly t: TestContext;
  readonly item: Made;
  readonly form: Form;
  readonly read: Operation;
}

/**
 * For a description that does not say what is stored: once a read shows a new item as it was sent, the same read must show its id,
 * its update, and nothing after its deletion. What was not seen to work says nothing, and is skipped.
 */
export async function keepsWhatItShows(t: TestContext, resource: Resource, form: Form): Promise<void> {
  const { read } = resource;
  if (read === undefined) return;
  const item = await create(t, resource, { form });
  const shown = { t, item, form, read };
  const seen = await readItem(shown);
  if (!showsText(seen, item.name)) return t.skip(`${read.id} does not show what ${resource.create.id} was sent`);
  reportOtherId(shown, seen);
  await updates(shown);
  await removes(shown);
}

function readItem({ t, item, form, read }: Shown, label = 'read'): Promise<Exchange> {
  return t.send(read, { form, path: { [item.resource.idName]: item.id }, label });
}

function showsText(exchange: Exchange, text: string): boolean {
  return isServed(exchange) && mentions(exchange.response.json, text);
}

/** Reports the violation as inferred: the description does not state it. */
function report(
  { t }: Shown,
  code: Parameters<typeof violationOf>[0],
  operation: Operation,
  evidence: Omit<Evidence, 'grade'>,
): void {
  t.report(violationOf(code, operation, { ...evidence, grade: 'inferred' }) satisfies Violation);
}

function reportOtherId(shown: Shown, seen: Exchange): void {
  const { item, read } = shown;
  const { idName } = item.resource;
  const id = spelledId(seen.response?.json, idName);
  if (idInBody(item.created, idName) === undefined || id === undefined || sameId(id, item.id)) return;
  report(shown, 'created-reads-back/other-id', read, {
    expected: `the id ${item.id} of the path`,
    received: id,
    exchanges: [item.created, seen],
  });
}

/** Sends an update whose text is new, and looks for it; what the read still shows instead is the text from before. */
async function updates(shown: Shown): Promise<void> {
  const { t, item, form } = shown;
  const { replace, idName } = item.resource;
  if (replace === undefined || !t.allows(replace.effect)) return;
  const path = { [idName]: item.id };
  const name = `${item.name.slice(0, -2)}zz`;
  const references = await t.knowledge.references(t, replace, path);
  const json: Json | undefined = t.knowledge.sampleBody(replace, name, references);
  if (json === undefined || !mentions(json, name)) return;
  const changed = await t.send(replace, { form, path, json, label: 'update' });
  if (!isServed(changed)) return;
  let last: Exchange = changed;
  const isStored = await settled(t, async () => {
    last = await readItem(shown);
    return !showsText(last, item.name);
  });
  if (isStored) return;
  report(shown, 'updated-reads-back/member', replace, {
    expected: `${name}, as it was sent`,
    received: `${item.name}, as before`,
    exchanges: [item.created, changed, last],
  });
}

async function removes(shown: Shown): Promise<void> {
  const { t, item, form } = shown;
  const { remove, list, idName } = item.resource;
  const path = { [idName]: item.id };
  const before = await readItem(shown);
  if (!isServed(before)) return;
  const removed = await t.send(remove, { form, path, label: 'delete' });
  if (!isServed(removed) || removed.response.status === 202) return;
  let last: Exchange = removed;
  const isGone = await settled(t, async () => {
    last = await readItem(shown, 'read what was deleted');
    return !isServed(last) || !isSameItem(before, last);
  });
  if (!isGone)
    return report(shown, 'deleted-is-gone/readable', remove, {
      expected: 'not found',
      received: `status ${last.response?.status ?? 'none'} and the item`,
      exchanges: [item.created, removed, last],
    });
  if (list === undefined) return;
  const isUnlisted = await settled(t, async () => {
    last = await t.send(list, { form, label: 'list' });
    return itemsOf(last.response?.json)?.some((each) => sameId(spelledId(each, idName), item.id)) !== true;
  });
  if (!isUnlisted)
    report(shown, 'deleted-is-gone/listed', remove, {
      expected: `no item ${item.id} in the list`,
      received: 'it is in the list',
      exchanges: [item.created, removed, last],
    });
}

/** A service may mark an item as deleted and go on showing it: then it shows something else than before. */
function isSameItem(before: Exchange, after: Exchange): boolean {
  return JSON.stringify(before.response?.json) === JSON.stringify(after.response?.json);
}
