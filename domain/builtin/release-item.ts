import type { Target } from '../../client/index.ts';
import { isObject, isSuccess } from '../../spec/index.ts';
import type { Contract, Exchange, Json } from '../../spec/index.ts';
import { itemsIn, memberLike } from '../items.ts';
import { pageQuery, pagingOf, readLong } from '../read-list.ts';
import { isApproved } from './approved-results.ts';
import { sampleBody } from './bodies/sample-body.ts';
import { findOperation, OPERATIONS } from './operations.ts';
import type { OperationRole } from './operations.ts';

type Path = Readonly<Record<string, string>>;

/** Sends a request for an item that is to be removed; undefined where the description has no such operation. */
type Send = (role: OperationRole, path: Path, json?: Json) => Promise<Exchange | undefined>;

/** The items of all pages of a list. */
type Read = (role: OperationRole, path: Path) => Promise<readonly Json[]>;

/**
 * Brings an item whose deletion was refused into a state in which it may be possible: deactivates a policy, and rejects the approved
 * results of a job, with which a deployment may refuse to delete it (published). False where that is not known, or failed.
 */
export async function releaseItem(target: Target, contract: Contract, remove: string, id: string): Promise<boolean> {
  const send: Send = async (role, path, json) => {
    const operation = findOperation(contract, role);
    const form = operation?.forms.at(-1);
    if (operation === undefined || form === undefined) return undefined;
    const body = json === undefined ? {} : { body: { type: 'application/json', content: JSON.stringify(json) } };
    return target.send({ operation, form, path, ...body });
  };
  const read: Read = async (role, path) => {
    const operation = findOperation(contract, role);
    const form = operation?.forms.at(-1);
    const paging = operation && pagingOf(operation);
    if (operation === undefined || form === undefined) return [];
    const { pages } = await readLong(operation, PAGE_SIZE, (index, size) =>
      target.send({ operation, form, path, ...(paging && { query: pageQuery(paging, index, size) }) }),
    );
    return pages.flatMap((page) => itemsIn(page) ?? []);
  };
  if (remove === OPERATIONS.deletePolicy) return isDone(await send('deactivate', { id }));
  return remove === OPERATIONS.deleteJob && (await rejectResults(send, read, id));
}

const isDone = (exchange: Exchange | undefined): boolean => isSuccess(exchange?.response?.status ?? 0);

/** Enough for all runs of a job of a test, and for the results of one of them, where the deployment serves such pages. */
const PAGE_SIZE = 100;

/** The action of an approval that rejects. */
const REJECT = 1;

async function rejectResults(send: Send, read: Read, id: string): Promise<boolean> {
  const textsOf = (items: readonly Json[], name: string): readonly string[] =>
    items.map((item) => memberLike(item, name)).filter((each) => typeof each === 'string');
  const runIds = textsOf(await read('runs', { id }), 'id');
  const results = await Promise.all(runIds.map((runId) => read('runResults', { id, runId })));
  let isAnyRejected = false;
  for (const type of new Set(textsOf(results.flat(), 'type'))) {
    const approved = (await read('results', { id, type })).filter((result) => isApproved(memberLike(result, 'state')));
    const resultIds = textsOf(approved, 'id');
    const body = sampleBody(OPERATIONS.approve, '', { resultIds });
    if (resultIds.length === 0 || !isObject(body)) continue;
    if (isDone(await send('approve', { id, type }, { ...body, action: REJECT }))) isAnyRejected = true;
  }
  return isAnyRejected;
}
