import { isObject, parsedJson } from '../../spec/index.ts';
import type { Exchange } from '../../spec/index.ts';

/** Creations and updates of one collection that are kept. */
const MOST = 100;

/** The last creations and updates of each collection. */
export class LatestChanges {
  readonly #byList = new Map<string, readonly Exchange[]>();

  add(change: Exchange): void {
    const list = listOf(change);
    this.#byList.set(list, [...this.of(list), change].slice(-MOST));
  }

  /** Those of the collection that an operation lists. */
  of(list: string): readonly Exchange[] {
    return this.#byList.get(list) ?? [];
  }

  /** Those of the collection that an exchange is about. */
  like(exchange: Exchange): readonly Exchange[] {
    return this.of(listOf(exchange));
  }

  /** Other creations by the same operation that were sent at the same time. */
  beside(created: Exchange): readonly Exchange[] {
    return this.#othersLike(created).filter((each) => areTogether(each, created));
  }

  /** Earlier creations by the same operation of items with the same name. */
  withSameName(created: Exchange): readonly Exchange[] {
    const name = nameOf(created);
    if (name === undefined) return [];
    return this.#othersLike(created).filter((each) => each.sentAt < created.sentAt && nameOf(each) === name);
  }

  #othersLike(created: Exchange): readonly Exchange[] {
    return this.like(created).filter(({ id, operation }) => id !== created.id && operation === created.operation);
  }
}

/** `GET /aiagent` of `PUT /aiagent/{id}`. */
const listOf = ({ operation }: Exchange): string => operation.replace(/^\S+ /, 'GET ').replace(/\/\{[^{}/]+\}$/, '');

/** True if the requests overlapped. */
export const areTogether = (a: Exchange, b: Exchange): boolean =>
  a.sentAt < b.sentAt + b.durationMs && b.sentAt < a.sentAt + a.durationMs;

/** The name in the body of a request; undefined for an empty one. */
export function nameOf({ request: { body } }: Exchange): string | undefined {
  const sent = parsedJson(Buffer.from(body ?? []).toString('utf8'));
  const name = isObject(sent) ? sent['name'] : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
}
