import { isObject } from '../../spec/index.ts';
import type { Json, Operation } from '../../spec/index.ts';
import { create, settled } from './create.ts';
import { bodyNamed } from './plain.ts';
import { idsOf } from './lists.ts';
import type { Resource } from './resources.ts';
import type { Ask, Trial } from './trial.ts';
import { pageQuery, pagingOf } from './walk.ts';

/** A list with enough known items to tell its promises, and how to look at them alone. */
export interface Shelf {
  readonly operation: Operation;
  /** What every request to the list carries. */
  readonly ask: Ask;
  /** Ids that must be in it, in lower case. */
  readonly ids: ReadonlySet<string>;
  /** True where requests with {@link ask} see exactly these items, whatever others do meanwhile. */
  readonly isolated: boolean;
}

/** Letters that every collation sorts alike, in an order that is no other order of the items. */
const LETTERS = Array.from('qbxjeuahwfrkczmgpnyvtsdlio');

/** Creates so many items with names that sort otherwise than they were created. */
export async function fillShelf(
  trial: Trial,
  resource: Resource,
  list: Operation,
  count: number,
  searchBy?: string,
): Promise<Shelf> {
  const ids = new Set<string>();
  const room = LETTERS.slice(0, count);
  const stem = `shelf${list.path.length}`;
  const work = room.map((letter, index) => async () => {
    const body = (name: string): Json | undefined => (index % 3 === 1 ? undescribed(trial, resource, name) : undefined);
    ids.add(
      (
        await create(trial, resource, { suffix: `${stem}${letter}`, label: 'create an item of the list', body })
      ).id.toLowerCase(),
    );
  });
  for (let at = 0; at < work.length; at += 4) await Promise.all(work.slice(at, at + 4).map((each) => each()));
  const ask: Ask = searchBy === undefined ? {} : { query: { [searchBy]: `${trial.session.tag}-${stem}` } };
  const isolated =
    searchBy !== undefined &&
    (await settled(trial, async () => sees(trial, { operation: list, ask, ids, isolated: true })));
  return { operation: list, ask: isolated ? ask : {}, ids, isolated };
}

/** An item without its description, by which a list may be ordered. */
function undescribed({ session: { contract } }: Trial, resource: Resource, name: string): Json | undefined {
  const body = contract.builtIn ? bodyNamed(contract, resource.create, name) : undefined;
  if (!isObject(body)) return undefined;
  const { description: _description, ...rest } = body;
  return rest;
}

async function sees(trial: Trial, shelf: Shelf): Promise<boolean> {
  const ids = await readPage(trial, shelf, 0, shelf.ids.size + 10);
  return ids !== undefined && ids.length === shelf.ids.size && ids.every((each) => shelf.ids.has(each));
}

/** Ids of one page, counted from 0; undefined where the answer held no list. */
export async function readPage(
  trial: Trial,
  shelf: Shelf,
  index: number,
  size: number,
): Promise<readonly string[] | undefined> {
  const { exchange } = await askPage(trial, shelf, index, size);
  return idsOf(exchange.response?.json);
}

/** One page with its exchange. */
export async function askPage(
  trial: Trial,
  shelf: Shelf,
  index: number,
  size: number,
): Promise<{ exchange: Awaited<ReturnType<Trial['send']>>; ids: readonly string[] | undefined }> {
  const paging = pagingOf(shelf.operation);
  const query: Record<string, Json | undefined> = {
    ...shelf.ask.query,
    ...(paging === undefined ? {} : pageQuery(paging, index, size)),
  };
  const exchange = await trial.send(shelf.operation, {
    ...shelf.ask,
    query,
    label: `page ${index + (paging?.first ?? 0)} of ${size}`,
  });
  return { exchange, ids: idsOf(exchange.response?.json) };
}
