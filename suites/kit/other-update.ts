import { itemOf } from '../../client/index.ts';
import { idOf, itemsOf, memberOf, mentions, sameId } from '../../domain/items.ts';
import { resourceOf } from '../../domain/resources.ts';
import { isServed } from '../../spec/index.ts';
import type { Exchange, FindingCode, Json, Violation } from '../../spec/index.ts';
import { areTogether, nameOf } from './latest-changes.ts';
import type { Session } from './session.ts';
import { violationOf } from './violation.ts';

const TWICE = 'created-reads-back/created-twice' satisfies FindingCode;

/** Codes of items that a read shows otherwise than they were sent. */
const SHOWN_OTHERWISE: readonly string[] = [
  TWICE,
  'created-reads-back/listed-member',
  'created-reads-back/member',
  'created-reads-back/not-readable',
  'form-shared-state/created-not-readable',
  'overlap/read',
  'updated-reads-back/listed-member',
  'updated-reads-back/member',
] satisfies readonly FindingCode[];

/** The violation; where its last read shows the name that an update sent to another item, that update is the violation. */
export function blamedOnUpdate(
  { contract, knowledge, history, tag }: Pick<Session, 'contract' | 'knowledge' | 'history' | 'tag'>,
  violation: Violation,
): Violation {
  const read = violation.exchanges.findLast(({ request }) => request.method === 'GET');
  if (read === undefined || !SHOWN_OTHERWISE.includes(violation.code) || !isServed(read)) return violation;
  const { json } = read.response;
  const made = itemOf(read) ?? madeBy(violation.exchanges);
  const item = (itemsOf(json) ?? [json]).find((each) =>
    violation.code === TWICE ? isRenamed(history, each, violation) : sameId(idOf(each), made),
  );
  const [own, shown] = [idOf(item), memberOf(item, 'name')];
  // Only names of the run are unique.
  if (own === undefined || typeof shown !== 'string' || !mentions(shown, tag)) return violation;
  const isOther = (each: Exchange): boolean =>
    each.request.method === 'PUT' && each.sentAt < read.sentAt && !sameId(itemOf(each), own);
  const update = history.latest.like(read).findLast((each) => isOther(each) && nameOf(each) === shown);
  const operation = contract.operation(update?.operation ?? '');
  if (update === undefined || operation === undefined) return violation;
  const resource = resourceOf(knowledge.resources, operation);
  // An update of the item itself matters only where it overlapped.
  const ownUpdates = violation.exchanges.filter(({ request }) => request.method === 'PUT');
  const first = ownUpdates.find((each) => areTogether(each, update)) ?? history.originOf(own);
  const changes = [...(first === undefined ? [] : [first]), update].toSorted((a, b) => a.sentAt - b.sentAt);
  return violationOf('updated-reads-back/other-item', operation, {
    requirement: resource && knowledge.lifecycleRequirements(resource).update[0],
    expected: violation.expected,
    received: `the name ${shown}, which ${operation.id} sent to another item`,
    exchanges: [...changes, read],
  });
}

/** The id of the item that the exchanges create or change. */
function madeBy(exchanges: readonly Exchange[]): string | undefined {
  const changes = exchanges.filter(({ request }) => request.method !== 'GET');
  return changes.map((each) => itemOf(each) ?? idOf(each.response?.json)).find((id) => id !== undefined);
}

/** True for an item with the name of another one that the exchanges create, which was created with a name of its own. */
function isRenamed(history: Session['history'], item: Json | undefined, { exchanges }: Violation): boolean {
  const origin = history.originOf(idOf(item) ?? '');
  const name = memberOf(item, 'name');
  const isShared = exchanges.some((each) => each.request.method === 'POST' && nameOf(each) === name);
  return isShared && origin !== undefined && nameOf(origin) !== undefined && nameOf(origin) !== name;
}
