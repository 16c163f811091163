import type { Exchange, Operation } from '../../spec/index.ts';
import { idsOf } from '../session/lists.ts';
import { resourcesOf } from '../session/resources.ts';
import { fillShelf } from '../session/shelf.ts';
import type { Shelf } from '../session/shelf.ts';
import { pathValues } from '../session/subject.ts';
import type { PathValues } from '../session/subject.ts';
import { Skip } from '../session/trial.ts';
import type { Trial } from '../session/trial.ts';
import { pagingOf, walk } from '../session/walk.ts';
import { domainHint, READS_RUNS } from './ask.ts';
import { auditTypeOf, freshPolicy, operationOf, OPERATIONS, ranJob } from './world/index.ts';

/** Items on a shelf beyond the default page. */
const BEYOND = 3;

/** A list with more items than its default page, for all tests of it. */
export function shelfFor(trial: Trial, operation: Operation): Promise<Shelf> {
  return trial.session.once(`shelf ${operation.id}`, () => makeShelf(trial, operation));
}

async function makeShelf(trial: Trial, operation: Operation): Promise<Shelf> {
  const { session } = trial;
  const wanted = (pagingOf(operation)?.defaultSize ?? 0) + BEYOND;
  const resource = resourcesOf(session.contract).find((each) => each.list === operation);
  if (resource !== undefined) {
    if (!session.allows('reversible')) return standingShelf(trial, operation, {}, false);
    const search = operation.parameters.find((each) => each.in === 'query' && /^search/i.test(each.name))?.name;
    return fillShelf(trial, resource, operation, wanted, search);
  }
  if (operation.id === OPERATIONS.audit) return auditShelf(trial, operation, wanted);
  const path = await pathValues(trial, operation, {
    role: 'shared',
    ...(session.contract.builtIn ? { hint: domainHint } : {}),
  });
  const own = session.contract.builtIn && READS_RUNS.has(operation.id) && (await ranJob(trial)).own;
  return standingShelf(trial, operation, path, own);
}

/** A list as it is; `own` where nothing changes it any more. */
async function standingShelf(trial: Trial, operation: Operation, path: PathValues, own: boolean): Promise<Shelf> {
  const paging = pagingOf(operation);
  const all = await walk(trial, operation, { path, label: 'read all' }, 50);
  const ids = all?.ids;
  const [first] = all?.pages ?? [];
  if (paging !== undefined && own && first?.response?.status === 200)
    await firstPageIsFirst(trial, operation, path, first);
  if (ids === undefined || ids.length === 0)
    throw new Skip(`${operation.id} lists nothing that pages could be told by`);
  return {
    operation,
    ask: { path },
    ids: own ? new Set([...ids, ...(await turnedRound(trial, operation, path))]) : new Set(),
    isolated: own,
  };
}

/** What the list holds in either direction: an item that is lost at its end may be at its beginning. */
async function turnedRound(trial: Trial, operation: Operation, path: PathValues): Promise<readonly string[]> {
  if (!operation.parameters.some((each) => each.in === 'query' && each.name === 'sortDirection')) return [];
  const walks = await Promise.all(
    [0, 1].map((sortDirection) =>
      walk(trial, operation, { path, query: { sortDirection }, label: 'read all, in this direction' }, 50),
    ),
  );
  return walks.flatMap((seen) => (seen?.pages.every((page) => page.response?.status === 200) === true ? seen.ids : []));
}

/** A large first page holds what the default page shows; else the first page has another number. */
async function firstPageIsFirst(trial: Trial, operation: Operation, path: PathValues, all: Exchange): Promise<void> {
  const paging = pagingOf(operation);
  const bare = await trial.send(operation, { path, label: 'without paging parameters' });
  const known = new Set(idsOf(all.response?.json));
  const lost = idsOf(bare.response?.json)?.find((id) => !known.has(id));
  if (lost === undefined || paging === undefined) return;
  trial.report({
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
async function auditShelf(trial: Trial, operation: Operation, wanted: number): Promise<Shelf> {
  if (!trial.session.allows('reversible')) throw new Skip('a long audit log needs the effect reversible');
  const policy = await freshPolicy(trial, 'audited');
  for (let change = 0; change < wanted; change += 1) {
    await trial.send(operationOf(trial.session, 'updatePolicy'), {
      path: { id: policy.id },
      json: { ...(policy.sent as Record<string, never>), description: `change ${change}` },
      expect: 'success',
      label: 'change the policy',
    });
  }
  const objectTypeId = await auditTypeOf(trial, policy.id);
  const shelf = await standingShelf(trial, operation, { objectId: policy.id, objectTypeId }, true);
  if (shelf.ids.size > 0 && shelf.ids.size < wanted)
    throw new Skip('the audit log has fewer entries than changes: see the audit suite');
  return shelf;
}
