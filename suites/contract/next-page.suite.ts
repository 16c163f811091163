import { addBelow, additionTo } from '../../domain/inner-items.ts';
import { canonical, idForPath, itemsIn } from '../../domain/items.ts';
import { keyInLink } from '../../domain/listed-key.ts';
import { pagingOf } from '../../domain/read-list.ts';
import { validRequest } from '../../domain/requests.ts';
import { idNameOf } from '../../domain/resources.ts';
import { isObject, isServed } from '../../spec/index.ts';
import type { Exchange, Json, Operation } from '../../spec/index.ts';
import type { Evaluation, TestContext } from '../kit/context.ts';
import { defineTest, firstForm } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { violationOf } from '../kit/violation.ts';
import { firstQuery, nextQuery, pageParameters } from './next-page.ts';
import type { PageParameters } from './next-page.ts';

const session = await openSession();
const TITLE = 'the second page holds no item of the first';

/** Most items that are added below another one for a page. */
const MOST_ADDED = 5;

for (const operation of session.contract.operations) {
  const paging = pageParameters(operation);
  // Where the document states the rules of paging, they are tested in full.
  if (paging === undefined || (pagingOf(operation) !== undefined && session.knowledge.guarantees('paging', operation)))
    continue;
  const form = firstForm(operation, TITLE);
  defineTest(session, {
    suite: 'contract/paging',
    title: TITLE,
    operation,
    checks: ['paging-partition'],
    requirements: ['paging.partition'],
    effects: [operation.effect],
    isOnlyForm: true,
    ...(form === undefined ? {} : { form }),
    run: async (t) => {
      const request = await validRequest(t, operation, form);
      const create = paging.least > MOST_ADDED ? undefined : await additionTo(t, operation, request.path);
      if (create !== undefined)
        for (let count = 0; count <= paging.least; count += 1) await addBelow(t, create, Object.values(request.path));
      await t.holds((t) =>
        findRepeated(t, operation, paging, (query) =>
          t.send(operation, { ...request, valid: true, query: { ...request.query, ...query } }),
        ),
      );
    },
  });
}

type Read = (query: ReturnType<typeof firstQuery>) => Promise<Exchange>;

/** An item that the second page repeats, although the first page is the same before and after it. */
async function findRepeated(t: TestContext, operation: Operation, paging: PageParameters, read: Read): Evaluation {
  const first = await read(firstQuery(paging));
  const ids = idsIn(t, operation, first);
  if (ids === undefined || ids.length < paging.least) t.skip('the list has too few items for two pages');
  if (paging.size !== undefined && ids.length > paging.least)
    t.skip(`the list holds more items than ${paging.size} asks for`);
  const query = nextQuery(paging, first);
  if (query === undefined) t.skip('the first page does not say how to request the second one');
  const second = await read(query);
  const again = await read(firstQuery(paging));
  const next = idsIn(t, operation, second);
  if (next === undefined || next.length === 0) t.skip('the second page shows no items');
  const repeated = next.find((id) => ids.includes(id));
  // Different items without ids may have equal contents.
  if (repeated?.startsWith('{') === true && (next.join() !== ids.join() || new Set(ids).size < ids.length))
    return undefined;
  if (repeated === undefined || idsIn(t, operation, again)?.join() !== ids.join()) return undefined;
  return violationOf('paging-partition/item-twice', operation, {
    requirement: 'paging.partition',
    grade: 'inferred',
    expected: 'other items on the second page than on the first one',
    received: `${repeated} is on both`,
    exchanges: [first, second],
  });
}

/** The ids of a page, or the contents of its items where they have none; undefined where it is no list of objects. */
function idsIn(t: TestContext, operation: Operation, exchange: Exchange): readonly string[] | undefined {
  const items = isServed(exchange) ? itemsIn(exchange) : undefined;
  const linked = (item: Json): string | undefined =>
    isObject(item) ? keyInLink(item, exchange.request.url) : undefined;
  const ids = items?.flatMap((item) => idForPath(item, idNameOf(t.contract, operation)) ?? linked(item) ?? []);
  if (ids?.length === items?.length) return ids;
  return items?.every(isObject) === true ? items.map(canonical) : undefined;
}
