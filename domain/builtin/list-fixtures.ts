import type { Exchange, Operation } from '../../spec/index.ts';
import { idsOf } from '../items.ts';
import { resourcesOf } from '../resources.ts';
import { fillListFixture } from '../list-fixture.ts';
import type { ListFixture } from '../list-fixture.ts';
import { pathValues } from '../path-values.ts';
import type { PathValues } from '../path-values.ts';
import { Skip } from '../../suites/kit/context.ts';
import type { TestContext } from '../../suites/kit/context.ts';
import { pagingOf, walk } from '../read-list.ts';
import { domainHint, READS_RUNS } from './requests.ts';
import { auditTypeOf, freshPolicy, operationOf, OPERATIONS, ranJob } from './world.ts';

/** Items on a list beyond the default page. */
const BEYOND = 3;

/** A list with more items than its default page, for all tests of it. */
export function listFixtureFor(t: TestContext, operation: Operation): Promise<ListFixture> {
  return t.session.once(`shelf ${operation.id}`, () => makeListFixture(t, operation));
}

async function makeListFixture(t: TestContext, operation: Operation): Promise<ListFixture> {
  const { session } = t;
  const wanted = (pagingOf(operation)?.defaultSize ?? 0) + BEYOND;
  const resource = resourcesOf(session.contract).find((each) => each.list === operation);
  if (resource !== undefined) {
    if (!session.allows('reversible')) return existingListFixture(t, operation, {}, false);
    const search = operation.parameters.find((each) => each.in === 'query' && /^search/i.test(each.name))?.name;
    return fillListFixture(t, resource, operation, wanted, search);
  }
  if (operation.id === OPERATIONS.audit) return auditListFixture(t, operation, wanted);
  const path = await pathValues(t, operation, {
    role: 'shared',
    ...(session.contract.builtIn ? { hint: domainHint } : {}),
  });
  const own = session.contract.builtIn && READS_RUNS.has(operation.id) && (await ranJob(t)).own;
  return existingListFixture(t, operation, path, own);
}

/** A list as it is; `own` where nothing changes it any more. */
async function existingListFixture(
  t: TestContext,
  operation: Operation,
  path: PathValues,
  own: boolean,
): Promise<ListFixture> {
  const paging = pagingOf(operation);
  const all = await walk(t, operation, { path, label: 'read all' }, 50);
  const ids = all?.ids;
  const [first] = all?.pages ?? [];
  if (paging !== undefined && own && first?.response?.status === 200) await firstPageIsFirst(t, operation, path, first);
  if (ids === undefined || ids.length === 0)
    throw new Skip(`${operation.id} lists nothing that pages could be told by`);
  return {
    operation,
    ask: { path },
    ids: own ? new Set([...ids, ...(await turnedRound(t, operation, path))]) : new Set(),
    isolated: own,
  };
}

/** What the list holds in either direction: an item that is lost at its end may be at its beginning. */
async function turnedRound(t: TestContext, operation: Operation, path: PathValues): Promise<readonly string[]> {
  if (!operation.parameters.some((each) => each.in === 'query' && each.name === 'sortDirection')) return [];
  const walks = await Promise.all(
    [0, 1].map((sortDirection) =>
      walk(t, operation, { path, query: { sortDirection }, label: 'read all, in this direction' }, 50),
    ),
  );
  return walks.flatMap((seen) => (seen?.pages.every((page) => page.response?.status === 200) === true ? seen.ids : []));
}

/** A large first page holds what the default page shows; else the first page has another number. */
async function firstPageIsFirst(t: TestContext, operation: Operation, path: PathValues, all: Exchange): Promise<void> {
  const paging = pagingOf(operation);
  const bare = await t.send(operation, { path, label: 'without paging parameters' });
  const known = new Set(idsOf(all.response?.json));
  const lost = idsOf(bare.response?.json)?.find((id) => !known.has(id));
  if (lost === undefined || paging === undefined) return;
  t.report({
    check: 'paging-base',
    requirement: paging.first === 1 ? 'paging.page-number-one-based' : 'paging.page-zero-based',
    operation,
    cause: `${paging.number}=${paging.first} is not the first page`,
    message: `${operation.id}: ${paging.number}=${paging.first} is not the first page`,
    expected: `what the default page shows, ${lost} among them`,
    received: `${known.size} other items`,
    exchanges: [bare, all],
  });
}

/** A policy that was changed more often than a page of its log is long. */
async function auditListFixture(t: TestContext, operation: Operation, wanted: number): Promise<ListFixture> {
  if (!t.session.allows('reversible')) throw new Skip('a long audit log needs the effect reversible');
  const policy = await freshPolicy(t, 'audited');
  for (let change = 0; change < wanted; change += 1) {
    await t.send(operationOf(t.session, 'updatePolicy'), {
      path: { id: policy.id },
      json: { ...(policy.sent as Record<string, never>), description: `change ${change}` },
      expect: 'success',
      label: 'change the policy',
    });
  }
  const objectTypeId = await auditTypeOf(t, policy.id);
  const fixture = await existingListFixture(t, operation, { objectId: policy.id, objectTypeId }, true);
  if (fixture.ids.size > 0 && fixture.ids.size < wanted)
    throw new Skip('the audit log has fewer entries than changes: see the audit suite');
  return fixture;
}
