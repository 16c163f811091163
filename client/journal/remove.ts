import { eachConcurrently } from '../../spec/each-concurrently.ts';
import type { Contract, Form, Operation, ReceivedResponse } from '../../spec/index.ts';
import { isObject, isSuccess } from '../../spec/index.ts';
import { oneLine } from '../one-line.ts';
import type { Target } from '../pipeline.ts';
import { undone } from './leftovers.ts';
import { groupBy } from '../../spec/group-by.ts';
import type { CleanUpWork, Leftover } from './leftovers.ts';
import { preferredForm } from './list-items.ts';

/** Concurrent removals; the client sends fewer if the target slows down. */
const AT_ONCE = 32;
const PASSES = 3;
const GIVE_UP_AFTER = 4;

/** In place of a status where the description has no operation that removes such an item. */
export const NOT_DESCRIBED = 0;

interface Obstacle {
  readonly reason: string;
  /** The status of the response; undefined without one. */
  readonly status?: number;
}

async function removeThrough(
  target: Target,
  operation: Operation,
  form: Form,
  path: Readonly<Record<string, string>>,
): Promise<Obstacle | undefined> {
  const { request, response, failure } = await target.send({ operation, form, path });
  if (!response) return { reason: failure?.message ?? 'no response' };
  const { status } = response;
  if (isSuccess(status)) return undefined;
  if (status === 401) return { status, reason: 'the token is not accepted (401)' };
  const sent = `${request.method} ${new URL(request.url).pathname}`;
  return { status, reason: `${sent} returned ${status}${explanationOf(response)}` };
}

/** The text of a problem (RFC 9457). */
function explanationOf({ json }: ReceivedResponse): string {
  const text = isObject(json) ? (json['detail'] ?? json['title']) : undefined;
  return typeof text !== 'string' || text.trim() === '' ? '' : `: ${oneLine(text, 120)}`;
}

/** Removes one item. Not found (404, 410) through every form of the operation counts as removed. */
async function removeItem(
  target: Target,
  contract: Contract,
  leftover: Leftover,
  id: string,
): Promise<Obstacle | undefined> {
  const { remove, form, idName, parents } = leftover.entry;
  const operation = contract.operation(remove);
  if (!operation) return { status: NOT_DESCRIBED, reason: `the description has no ${remove}` };
  const preferred = preferredForm(operation, form);
  const forms = preferred ? [preferred, ...operation.forms.filter((each) => each !== preferred)] : [];
  for (const each of leftover.isStillListed === true ? forms.toReversed() : forms) {
    const obstacle = await removeThrough(target, operation, each, { ...parents, [idName]: id });
    if (obstacle?.status === 404 || obstacle?.status === 410) continue;
    if (obstacle === undefined) leftover.isGone = false;
    return obstacle;
  }
  leftover.isGone ??= true;
  return undefined;
}

/** Refusals of a removal that the state of the item may explain. */
const OF_STATE: readonly (number | undefined)[] = [400, 409];

/** Removes an item; if its state may be the reason why that is refused, brings it into another one, once. */
async function removeReleased(work: CleanUpWork, leftover: Leftover, id: string): Promise<Obstacle | undefined> {
  const remove = (): Promise<Obstacle | undefined> => removeItem(work.target, work.contract, leftover, id);
  const obstacle = await remove();
  const { released = [] } = leftover;
  if (!OF_STATE.includes(obstacle?.status) || work.release === undefined || released.includes(id)) return obstacle;
  leftover.released = [...released, id];
  return (await work.release(leftover.entry.remove, id)) ? remove() : obstacle;
}

async function removeLeftover(work: CleanUpWork, leftover: Leftover): Promise<void> {
  const left: string[] = [];
  for (const id of leftover.ids) leftover.known.add(id.toLowerCase());
  await eachConcurrently(AT_ONCE, leftover.ids, async (id) => {
    if (work.unanswered >= GIVE_UP_AFTER) {
      leftover.reason ??= work.stopped ?? 'the target does not respond';
      left.push(id);
      return;
    }
    const obstacle = await removeReleased(work, leftover, id);
    const isHopeless = obstacle !== undefined && (obstacle.status === undefined || obstacle.status === 401);
    work.unanswered = isHopeless ? work.unanswered + 1 : 0;
    work.stopped = obstacle?.status === 401 ? obstacle.reason : undefined;
    if (obstacle === undefined) return;
    leftover.reason = obstacle.reason;
    leftover.status = obstacle.status;
    left.push(id);
  });
  if (left.length === 0) leftover.done = 'removed';
  else leftover.ids = left;
}

async function removeKind(work: CleanUpWork, kind: readonly Leftover[]): Promise<void> {
  const latestFirst = undone(kind)
    .filter(({ ids, isDoubtful }) => ids.length > 0 && isDoubtful !== true)
    .toReversed();
  await eachConcurrently(AT_ONCE, latestFirst, (leftover) => removeLeftover(work, leftover));
}

/** Removes the items with known ids in reverse order of creation, since later ones refer to earlier ones; then the refused ones again. */
export async function removeAll(work: CleanUpWork, leftovers: readonly Leftover[]): Promise<void> {
  const kinds = [...groupBy(leftovers, ({ entry }) => entry.remove).values()].toReversed();
  for (let pass = 0; pass < PASSES && undone(leftovers).some(({ ids }) => ids.length > 0); pass += 1) {
    for (const kind of kinds) await removeKind(work, kind);
  }
}
