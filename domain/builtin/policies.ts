import { defined } from '../../spec/defined.ts';
import { scalarText } from '../../spec/index.ts';
import type { Exchange, Form, Json, JsonObject, Operation } from '../../spec/index.ts';
import { ifSkipped, settled } from '../context.ts';
import type { ApiContext, RequestSpec } from '../context.ts';
import type { CreatedItem } from '../create.ts';
import type { PathValues } from '../path-values.ts';
import { pageWith, walkUntil } from '../read-list.ts';
import type { Walk } from '../read-list.ts';
import { freshItem } from './fresh-item.ts';
import { OPERATIONS, operationOf } from './operations.ts';

/** A new policy; `members` are added to its plain sample. */
export function freshPolicy(
  t: ApiContext,
  suffix: string,
  members: JsonObject = {},
  form?: Form,
): Promise<CreatedItem> {
  return freshItem(t, 'createPolicy', members, { suffix, label: 'create a policy', ...defined({ form }) });
}

/**
 * What to do before an operation on a policy. Activating an active policy, deactivating an inactive one, and updating or deleting an
 * active one may be refused as a conflict.
 */
const OPPOSITES: Readonly<Record<string, 'activate' | 'deactivate'>> = {
  [OPERATIONS.activate]: 'deactivate',
  [OPERATIONS.deactivate]: 'activate',
  [OPERATIONS.updatePolicy]: 'deactivate',
  [OPERATIONS.deletePolicy]: 'deactivate',
};

/** Brings a policy into the state in which activating, deactivating, updating or deleting it can succeed. */
export async function prepareActivation(t: ApiContext, operation: Operation, path: PathValues): Promise<void> {
  const opposite = OPPOSITES[operation.id];
  const wanted = opposite === 'activate';
  if (opposite === undefined || ((await initiallyActive(t).catch(ifSkipped)) ?? wanted) === wanted) return;
  await moveAndWait(t, opposite, { path, label: opposite });
}

/** Activates or deactivates a policy, and waits until it is listed in that state: a move may take effect late, or be refused. */
export async function moveAndWait(
  t: ApiContext,
  move: 'activate' | 'deactivate',
  request: RequestSpec & { readonly path: PathValues },
): Promise<Exchange> {
  const moved = await t.sendQuietly(operationOf(t, move), request);
  await settled(t, async () => (await listedAs(t, scalarText(request.path['id']), move === 'activate')).isListed);
  return moved;
}

/** The state of a new policy, which the document does not show. */
function initiallyActive(t: ApiContext): Promise<boolean> {
  return t.once('initially active', async () => {
    const policy = await freshPolicy(t, 'initial');
    let active = false;
    await settled(t, async () => {
      active = (await listedAs(t, policy.id, true)).isListed;
      return active || (await listedAs(t, policy.id, false)).isListed;
    });
    return active;
  });
}

/**
 * Whether the list with this filterActive has the policy, and the page that shows it; `isRead`: the whole list could be read. A list
 * of several pages that must show it is read again before it counts as missing: see {@link walkUntil}.
 */
export async function listedAs(
  t: ApiContext,
  id: string,
  filterActive: boolean,
  { query, ...request }: RequestSpec = {},
  mustShow = false,
): Promise<{ readonly isListed: boolean; readonly isRead: boolean; readonly exchange: Exchange | undefined }> {
  const spec = { ...request, query: { ...query, filterActive }, label: `filterActive=${filterActive}` };
  const shows = ({ ids }: Walk): boolean => ids.includes(id.toLowerCase());
  const seen = await walkUntil(t, operationOf(t, 'policies'), spec, (all) => !mustShow || shows(all));
  const isListed = seen !== undefined && shows(seen);
  const isRead = seen !== undefined && seen.pages.every(({ response }) => (response?.status ?? 500) < 500);
  return { isListed, isRead, exchange: seen === undefined ? undefined : pageWith(seen, id) };
}

/** The state of a policy according to filterActive; undefined where it is listed as both or as neither. */
export async function isActive(t: ApiContext, id: string, request: RequestSpec): Promise<boolean | undefined> {
  const active = await listedAs(t, id, true, request);
  const inactive = await listedAs(t, id, false, request);
  return active.isListed === inactive.isListed ? undefined : active.isListed;
}

/** Reason for a skip where {@link filterShowsState} is false. */
export const FILTER_SHOWS_NO_STATE =
  'filterActive lists the same policy as active and as inactive, so it does not show the state: see the check filters';

/**
 * False where filterActive, combined with that query, lists a policy both as active and as inactive even after the settle time:
 * then the filter is wrong, and says nothing about activation. Determined once per run.
 */
export function filterShowsState(t: ApiContext, query: Readonly<Record<string, Json>> = {}): Promise<boolean> {
  return t.once(`filter shows state ${JSON.stringify(query)}`, async () => {
    const policies = operationOf(t, 'policies');
    const { id } = await freshPolicy(t, 'searchName' in query ? 'seq' : 'state');
    const isContradictory = async (form: Form): Promise<boolean> =>
      (await listedAs(t, id, true, { query, form })).isListed &&
      (await listedAs(t, id, false, { query, form })).isListed;
    for (const move of ['activate', 'deactivate'] as const) {
      await t.sendQuietly(operationOf(t, move), { path: { id }, label: move });
      for (const form of policies.forms) {
        if (!(await settled(t, async () => !(await isContradictory(form))))) return false;
      }
    }
    return true;
  });
}
