import { isObject } from '../spec/index.ts';
import type { Json, Operation } from '../spec/index.ts';
import { create, settled } from './create.ts';
import { bodyNamed } from './inferred/plain-request.ts';
import { idsOf } from './items.ts';
import type { Resource } from './resources.ts';
import type { RequestSpec, TestContext } from '../suites/kit/context.ts';
import { pageQuery, pagingOf } from './read-list.ts';

/** A list with enough known items to tell its promises, and how to look at them alone. */
export interface ListFixture {
  readonly operation: Operation;
  /** What every request to the list carries. */
  readonly ask: RequestSpec;
  /** Ids that must be in it, in lower case. */
  readonly ids: ReadonlySet<string>;
  /** True where requests with {@link ask} see exactly these items, whatever others do meanwhile. */
  readonly isolated: boolean;
}

/** Letters that every collation sorts alike, in an order that is no other order of the items. */
const LETTERS = Array.from('qbxjeuahwfrkczmgpnyvtsdlio');

/** Creates so many items with names that sort otherwise than they were created. */
export async function fillListFixture(
  t: TestContext,
  resource: Resource,
  list: Operation,
  count: number,
  searchBy?: string,
): Promise<ListFixture> {
  const ids = new Set<string>();
  const room = LETTERS.slice(0, count);
  const stem = `shelf${list.path.length}`;
  const work = room.map((letter, index) => async () => {
    const body = (name: string): Json | undefined => (index % 3 === 1 ? undescribed(t, resource, name) : undefined);
    ids.add(
      (
        await create(t, resource, { suffix: `${stem}${letter}`, label: 'create an item of the list', body })
      ).id.toLowerCase(),
    );
  });
  for (let at = 0; at < work.length; at += 4) await Promise.all(work.slice(at, at + 4).map((each) => each()));
  const ask: RequestSpec = searchBy === undefined ? {} : { query: { [searchBy]: `${t.session.tag}-${stem}` } };
  const isolated =
    searchBy !== undefined && (await settled(t, async () => sees(t, { operation: list, ask, ids, isolated: true })));
  return { operation: list, ask: isolated ? ask : {}, ids, isolated };
}

/** An item without its description, by which a list may be ordered. */
function undescribed({ session: { contract } }: TestContext, resource: Resource, name: string): Json | undefined {
  const body = contract.builtIn ? bodyNamed(contract, resource.create, name) : undefined;
  if (!isObject(body)) return undefined;
  const { description: _description, ...rest } = body;
  return rest;
}

async function sees(t: TestContext, fixture: ListFixture): Promise<boolean> {
  const ids = await readPage(t, fixture, 0, fixture.ids.size + 10);
  return ids !== undefined && ids.length === fixture.ids.size && ids.every((each) => fixture.ids.has(each));
}

/** Ids of one page, counted from 0; undefined where the answer held no list. */
export async function readPage(
  t: TestContext,
  fixture: ListFixture,
  index: number,
  size: number,
): Promise<readonly string[] | undefined> {
  const { exchange } = await askPage(t, fixture, index, size);
  return idsOf(exchange.response?.json);
}

/** One page with its exchange. */
export async function askPage(
  t: TestContext,
  fixture: ListFixture,
  index: number,
  size: number,
): Promise<{ exchange: Awaited<ReturnType<TestContext['send']>>; ids: readonly string[] | undefined }> {
  const paging = pagingOf(fixture.operation);
  const query: Record<string, Json | undefined> = {
    ...fixture.ask.query,
    ...(paging === undefined ? {} : pageQuery(paging, index, size)),
  };
  const exchange = await t.send(fixture.operation, {
    ...fixture.ask,
    query,
    label: `page ${index + (paging?.first ?? 0)} of ${size}`,
  });
  return { exchange, ids: idsOf(exchange.response?.json) };
}
