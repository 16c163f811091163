import { nameIn } from '../client/index.ts';
import { isObject, parsedJson } from '../spec/index.ts';
import type { Exchange, Json, Violation } from '../spec/index.ts';
import type { ApiContext } from './context.ts';
import { mentions } from './items.ts';
import type { Resource } from './resources.ts';

const inOrder = (a: Exchange, b: Exchange): readonly [Exchange, Exchange] => (a.sentAt < b.sentAt ? [a, b] : [b, a]);

/** Two creations that returned one id, at the same time or one after the other. */
export function sameIdAgain(resource: Resource, id: string, other: Exchange, created: Exchange): Violation {
  const [first, second] = inOrder(other, created);
  const overlap = second.sentAt < first.sentAt + first.durationMs;
  return {
    code: overlap ? 'overlap/same-id' : 'created-reads-back/same-id',
    operation: resource.create,
    message: `${resource.create.id} returned one id for two items`,
    expected: 'a new id for each creation',
    received: id,
    exchanges: [first, second],
  };
}

/** True where an item shows all texts of a creation: one that has only its name may have been updated since. */
function showsTextsOf({ request }: Exchange, item: Json | undefined): boolean {
  const sent = parsedJson(request.body ?? '');
  const texts = isObject(sent) ? Object.values(sent).filter((value) => typeof value === 'string') : [];
  return texts.every((text) => mentions(item, text));
}

/** A creation that returned the id of the item that another one made at the same time; `read`: the item with that id. */
export function swappedResponse(
  t: ApiContext,
  { create: operation }: Resource,
  created: Exchange,
  read: Exchange,
): Violation | undefined {
  const [other] = (t.creationsBeside?.(created) ?? [])
    .map((exchange) => ({ exchange, name: nameIn(exchange.request.body ?? '', t.tag) ?? '' }))
    .filter(({ name }) => name !== '' && mentions(read.response?.json, name))
    .filter(({ exchange }) => showsTextsOf(exchange, read.response?.json))
    // A name may begin with another one.
    .toSorted((a, b) => b.name.length - a.name.length);
  if (other === undefined) return undefined;
  return {
    code: 'overlap/other-response',
    operation,
    expected: 'the id of the item that it created',
    received: `the id of ${other.name}, which another creation made at the same time`,
    message: `${operation.id} returned the response to another creation that was sent at the same time`,
    exchanges: [...inOrder(other.exchange, created), read],
  };
}
