import { operationOf } from '../../../domain/builtin/operations.ts';
import { findsByAnyWord } from '../../../domain/builtin/search-by-words.ts';
import type { CreatedItem } from '../../../domain/create.ts';
import { idsOf } from '../../../domain/items.ts';
import { isObject, isServed } from '../../../spec/index.ts';
import type { Exchange, FindingCode, Operation, Violation } from '../../../spec/index.ts';
import type { Evaluation, TestContext } from '../../kit/context.ts';
import { violationOf } from '../../kit/violation.ts';
import { findListedTwice } from '../lifecycle/listed.ts';

/** The items that a query selects: their ids in lower case, and the pages that list them. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly pages: readonly Exchange[];
}

/** An item to find in a selection, and the request that changed its state after its creation. */
export interface ItemToFind extends CreatedItem {
  readonly moved?: Exchange;
}

/** Items that a selection must, or must not, hold. */
export type SelectionExpectation = readonly [selection: Selection, items: readonly ItemToFind[], isSelected: boolean];

/** What a violation is about; default code: that of a filter. */
interface About {
  readonly subject: string;
  readonly requirement: string;
  readonly code?: FindingCode;
  readonly message?: string;
  readonly grade?: 'inferred' | undefined;
}

/** Most items and most pages in the evidence of a finding. */
const MOST_ITEMS = 2;
const MOST_PAGES = 4;

/** The first expectation that a served selection does not meet, as a violation. */
export function findWrongSelection(
  operation: Operation,
  { code, ...about }: About,
  expectations: readonly SelectionExpectation[],
): Violation | undefined {
  const all = expectations.flatMap(([, items]) => items);
  for (const [{ ids, pages }, items, isSelected] of expectations) {
    const wrong = items.find(({ id }) => ids.has(id.toLowerCase()) !== isSelected);
    const [first] = pages;
    const repeating = findListedTwice(operation, pages, all);
    if (repeating !== undefined) return repeating;
    if (wrong === undefined || first === undefined || !isServed(first)) continue;
    const page = pages.find(({ response }) => idsOf(response?.json)?.includes(wrong.id.toLowerCase()));
    const others = isSelected ? items.filter((each) => each !== wrong).slice(0, MOST_ITEMS - 1) : [];
    const isDeleted = wrong.moved?.request.method === 'DELETE';
    return violationOf(code ?? (isSelected ? 'filters/not-found' : 'filters/wrongly-found'), operation, {
      ...about,
      ...(isDeleted ? { message: `${operation.id}: a filter returns a deleted item (${about.subject})` } : {}),
      expected: `${wrong.name} (${wrong.id}) is ${isSelected ? 'in' : 'not in'} the list`,
      received: `it is ${isSelected ? 'not in' : 'in'} the list (${ids.size} in all)`,
      exchanges: [
        ...[wrong, ...others].flatMap(({ created, moved }) => (moved === undefined ? [created] : [created, moved])),
        ...(page === undefined ? pages.slice(0, MOST_PAGES) : [page]),
      ],
    });
  }
  return undefined;
}

/** The common beginning of the names of these policies. */
export function stemOf({ name }: CreatedItem): string {
  return name.slice(0, name.lastIndexOf('-') + 4);
}

/** The creator of a policy, where the deployment shows it. */
export async function creatorOf(t: TestContext, policy: CreatedItem | undefined): Promise<string | undefined> {
  if (policy === undefined) return undefined;
  const { response } = await t.send(operationOf(t, 'readPolicy'), { path: { id: policy.id } });
  const creator = isObject(response?.json) ? response.json['createdBy'] : undefined;
  return typeof creator === 'string' && creator !== '' ? creator : undefined;
}

/** Drops a violation about an item that a search found, where searches find by any word of a name. */
export async function unlessByWord(t: TestContext, violation: Violation | undefined): Evaluation {
  const { code, subject = '', exchanges = [] } = violation ?? {};
  const isSearch = exchanges.at(-1)?.request.url.includes('searchName=') === true;
  const isByName = code === 'filters/wrongly-found' && ['searchName', 'filterCreator'].includes(subject);
  return isSearch && isByName && (await findsByAnyWord(t)) ? undefined : violation;
}
