import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from '../../client/index.ts';
import { isObject, isSuccess } from '../../spec/index.ts';
import type { Contract, Json, JsonObject } from '../../spec/index.ts';
import { itemsIn, memberOf } from '../items.ts';
import { findOperation } from './operations.ts';

/** Name under which the journal saves the processing order before the run changes it. */
export const ORDER_NAME = 'processing-order';

/** Most attempts to restore the order while others change it. */
const ATTEMPTS = 5;

/**
 * Restores the saved processing order, as {@link inSavedOrder} describes. Returns the reason of a failure, else undefined. It is none
 * where the order still lacks an inactive policy after it was set with it: a deployment may list active policies only.
 */
export async function restoreOrder(target: Target, contract: Contract, saved: Json): Promise<string | undefined> {
  const read = findOperation(contract, 'order');
  const write = findOperation(contract, 'setOrder');
  const form = read?.forms.at(-1);
  if (read === undefined || write === undefined || form === undefined) return 'the description has no processing order';
  const writeForm = write.forms.find((each) => each.name === form.name) ?? form;
  let reason: string | undefined = 'the order could not be read';
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const now = itemsIn(await target.send({ operation: read, form }))?.filter(isEntry);
    if (now === undefined) continue;
    const before = Array.isArray(saved) ? saved.filter((each: Json): each is string => typeof each === 'string') : [];
    const missing = await missingPolicies(target, contract, before, now);
    const wanted = inSavedOrder([...now, ...missing.map(({ entry }) => entry)], before);
    const isInOrder = inSavedOrder(now, before).every((each, at) => each.id === now[at]?.id);
    if (missing.length === 0 && isInOrder) return undefined;
    const content = JSON.stringify(wanted.map((each, order) => ({ ...each, order })));
    const { response } = await target.send({
      operation: write,
      form: writeForm,
      body: { type: 'application/json', content },
    });
    if (response === undefined || !isSuccess(response.status))
      reason = `setting it was answered with ${response?.status ?? 'nothing'}`;
    else if (!isInOrder) reason = 'it was set, and reads return another order';
    else reason = missing.some(({ isActive }) => isActive) ? 'it was set, and reads lack an active policy' : undefined;
    await sleep(50 * attempt);
  }
  return reason;
}

/** Entries for policies that are no longer in the order and still exist: a deployment may take the order that was set as the whole one. */
async function missingPolicies(
  target: Target,
  contract: Contract,
  before: readonly string[],
  now: readonly Entry[],
): Promise<readonly Missing[]> {
  const read = findOperation(contract, 'readPolicy');
  const form = read?.forms.at(-1);
  const shown = new Set(now.map(({ id }) => id.toLowerCase()));
  const found: Missing[] = [];
  for (const id of before.filter((each) => !shown.has(each.toLowerCase()))) {
    if (read === undefined || form === undefined) break;
    const { response } = await target.send({ operation: read, form, path: { id } });
    const name = memberOf(response?.json, 'name');
    const isActive = memberOf(response?.json, 'isActive') === true;
    if (response?.status === 200) found.push({ entry: { id, ...(name === undefined ? {} : { name }) }, isActive });
  }
  return found;
}

interface Entry extends JsonObject {
  readonly id: string;
}

/** An entry for a policy that the order lacks. */
interface Missing {
  readonly entry: Entry;
  readonly isActive: boolean;
}

function isEntry(value: Json): value is Entry {
  return isObject(value) && typeof value['id'] === 'string';
}

/**
 * The current entries, rearranged: those that were saved share the places that they have now, in their saved order; the others keep
 * their places.
 */
export function inSavedOrder<T extends Entry>(now: readonly T[], saved: readonly string[]): readonly T[] {
  const rank = new Map(saved.map((id, at) => [id.toLowerCase(), at]));
  const known = (entry: T): number | undefined => rank.get(entry.id.toLowerCase());
  const sorted = now.filter((each) => known(each) !== undefined).sort((a, b) => (known(a) ?? 0) - (known(b) ?? 0));
  return now.map((each) => (known(each) === undefined ? each : (sorted.shift() ?? each)));
}
