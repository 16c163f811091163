import { isObject, isSuccess } from '../../../spec/index.ts';
import type { Exchange, Json, JsonObject, Operation } from '../../../spec/index.ts';
import { idInBody } from '../../../domain/create.ts';
import { idOf, itemsOf } from '../../../domain/items.ts';
import type { TestContext } from '../../kit/context.ts';
import { pageQuery, pagingOf } from '../../../domain/read-list.ts';
import type { Case } from '../hunt/case.ts';
import { exchangeFlaws } from '../hunt/flaw.ts';
import type { Flaw } from '../hunt/flaw.ts';
import { mismatches } from '../../kit/read-back.ts';
import type { Mismatch } from '../../kit/read-back.ts';
import { textNames } from './listing.ts';
import type { Item, Listing } from './listing.ts';
import { eventually } from './patience.ts';
import { readAs } from './read-as.ts';
import { sendCase } from './stage.ts';
import type { Stage } from './stage.ts';

/** A list of more pages than these is not read to its end. */
const MOST_PAGES = 20;
const PAGE = 100;

/** Creates what the cases say, looks at the list once, and removes all again: the cases that something is wrong with. */
export async function oddlyListed(t: TestContext, listing: Listing, cases: readonly Case[]): Promise<readonly Case[]> {
  const items = await createAll(t, listing, cases);
  const { flaws, ...seen } = await pagesOf(t, listing.list);
  const visited = await Promise.all(items.map((each) => visit(t, listing, each)));
  const odd =
    flaws.length > 0
      ? items
      : items.filter(
          (each, index) =>
            (visited[index] ?? []).length > 0 || unlike(listing, each, seen, t.session.tag) !== undefined,
        );
  await Promise.all(items.map((each) => removeItem(t, listing, each.id)));
  t.countCases(cases.length);
  return odd.map((each) => each.value);
}

/** Creates what the case says, compares how it is listed with how it reads, and asks all else of it. */
export async function tryListed(
  t: TestContext,
  listing: Listing,
  value: Case,
  patient: boolean,
): Promise<readonly Flaw[]> {
  const [item] = await createAll(t, listing, [value]);
  if (item === undefined) return [];
  const wrong = await eventually(t.session, patient, async () => {
    const { flaws, ...seen } = await pagesOf(t, listing.list);
    const found =
      flaws.length > 0 ? flaws : [unlike(listing, item, seen, t.session.tag)].filter((each) => each !== undefined);
    return found.length === 0 ? undefined : found;
  });
  const visited = await visit(t, listing, item);
  await removeItem(t, listing, item.id);
  return [...(wrong ?? []), ...visited].map((each) => ({ ...each, exchanges: [item.created, ...each.exchanges] }));
}

/** Asks of an item all that needs no body, in all that answers are offered as. */
async function visit(t: TestContext, listing: Listing, item: Item): Promise<readonly Flaw[]> {
  const { resource, visits } = listing;
  const { id, value } = item;
  const found: Flaw[] = [...(await readAs(t, listing, item))];
  for (const operation of visits) {
    const form = operation.forms[value.form % Math.max(1, operation.forms.length)];
    const exchange = await t.sendQuietly(operation, {
      path: { [resource.idName]: id },
      ...(form === undefined ? {} : { form }),
      label: 'ask it of the item',
    });
    found.push(...exchangeFlaws(t.session, operation, exchange));
  }
  return found;
}

async function createAll(t: TestContext, listing: Listing, cases: readonly Case[]): Promise<readonly Item[]> {
  const made = await Promise.all(
    cases.map((value) => listing.bench.stages.use((stage) => createItem(t, listing, value, stage))),
  );
  return made.filter((each) => each !== undefined);
}

/** Creates what a case says and reads it; undefined where it was refused. */
export async function createItem(
  t: TestContext,
  { resource, read }: Pick<Listing, 'resource' | 'read'>,
  value: Case,
  stage: Stage,
): Promise<Item | undefined> {
  const exchange = await sendCase(t, resource.create, value, stage);
  const id = isSuccess(exchange.response?.status ?? 0) ? idInBody(exchange) : undefined;
  if (id === undefined) return undefined;
  const entry = t.session.creations.get(exchange.id);
  if (entry !== undefined) await t.session.journal.acknowledge(entry, id);
  return {
    value,
    id,
    created: exchange,
    read: await t.sendQuietly(read, { path: { [resource.idName]: id }, label: 'read it' }),
  };
}

/** Removes an item. */
export async function removeItem(t: TestContext, { resource }: Pick<Listing, 'resource'>, id: string): Promise<void> {
  await t.sendQuietly(resource.remove, { path: { [resource.idName]: id }, label: 'remove it' });
}

/** A list as it was read. */
interface Pages {
  readonly pages: readonly Exchange[];
  /** True where it was read to its end. */
  readonly whole: boolean;
}

async function pagesOf(t: TestContext, list: Operation): Promise<Pages & { readonly flaws: readonly Flaw[] }> {
  const paging = pagingOf(list);
  const pages: Exchange[] = [];
  for (let index = 0; index < MOST_PAGES; index += 1) {
    const page = await t.sendQuietly(list, {
      query: paging === undefined ? {} : pageQuery(paging, index, PAGE),
      label: 'list',
    });
    const flaws = exchangeFlaws(t.session, list, page);
    pages.push(page);
    if (flaws.length > 0 || paging === undefined || (itemsOf(page.response?.json)?.length ?? 0) < PAGE)
      return { pages, flaws, whole: itemsOf(page.response?.json) !== undefined };
  }
  return { pages, flaws: [], whole: false };
}

/** What the list shows otherwise than reading does. */
function unlike({ list }: Listing, { value, id, read }: Item, { pages, whole }: Pages, tag: string): Flaw | undefined {
  const single = read.response?.json;
  const page = pages.find((each) => listedIn(each, id) !== undefined);
  const listed = page === undefined ? undefined : listedIn(page, id);
  const last = pages.at(-1);
  if (page === undefined && whole && last !== undefined && read.response?.status === 200) {
    return {
      check: 'created-reads-back',
      operation: list,
      kind: 'an item that can be read is not listed',
      message: `${list.id} leaves out an item that can be read`,
      expected: `${id} in the list`,
      received: 'a list without it',
      exchanges: [read, last],
      final: false,
    };
  }
  if (page === undefined || listed === undefined || !isObject(single)) return undefined;
  const names = textNames(value.request.body?.value).filter(
    (name) => Object.hasOwn(single, name) && Object.hasOwn(listed, name),
  );
  const stray = [
    ...mismatches(Object.fromEntries(names.map((name) => [name, single[name] ?? null])), listed, new Set()),
  ].find((each) => !isSummary(each, tag));
  if (stray === undefined) return undefined;
  const name = stray.pointer.split('/')[1] ?? '';
  return {
    check: 'created-reads-back',
    operation: list,
    kind: `another ${name} in the list`,
    message: `${list.id} shows another ${name} than reading the item does`,
    expected: `${stray.pointer} = ${cut(stray.sent)}, as the item reads`,
    received: `${stray.pointer} = ${cut(stray.read)}`,
    exchanges: [read, page],
    instancePointer: stray.pointer,
    final: false,
  };
}

/** A list may show the beginning of a long text; a name is shown whole. */
function isSummary({ sent, read }: Mismatch, tag: string): boolean {
  return (
    typeof sent === 'string' &&
    typeof read === 'string' &&
    read !== '' &&
    !sent.includes(tag) &&
    sent.startsWith(read.replace(/(\.{3}|\u2026)$/, ''))
  );
}

function listedIn(page: Exchange, id: string): JsonObject | undefined {
  const found = itemsOf(page.response?.json)?.find((item) => idOf(item) === id.toLowerCase());
  return isObject(found) ? found : undefined;
}

function cut(value: Json | undefined): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 200);
}
