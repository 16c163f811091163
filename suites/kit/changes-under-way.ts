import { idsCreatedBy, idsIn } from '../../client/index.ts';
import { escapeRegExp } from '../../spec/escape.ts';
import type { Exchange } from '../../spec/index.ts';
import { areTogether } from './latest-changes.ts';
import { unparsed } from './latest-reads.ts';

const MOST = 500;
const LARGEST = 8 * 1024;
/** Of so many kinds. */
const MOST_SHOWN = 5;
/** Statuses of requests that change nothing: those with an altered token, or to an item that no longer exists. */
const WITHOUT_EFFECT: readonly (number | undefined)[] = [401, 403, 404];

/** The last requests of all tests that change something. */
export class ChangesUnderWay {
  readonly #last: Exchange[] = [];

  add(change: Exchange): void {
    if ((change.request.body?.byteLength ?? 0) > LARGEST) return;
    this.#last.push(unparsed(change, LARGEST));
    if (this.#last.length > MOST) this.#last.shift();
  }

  /**
   * What was sent to other items of the same resource during the exchanges, as requests to the item that these change; or to the same
   * URL, where that names no item. One of each operation and status, the nearest to the last change of those with other values;
   * deletions are last.
   */
  during(exchanges: readonly Exchange[]): readonly Exchange[] {
    const [first, last] = [exchanges[0], exchanges.at(-1)];
    const change = exchanges.findLast(({ request }) => request.method !== 'GET');
    if (first === undefined || last === undefined || change === undefined) return [];
    const whole = { ...first, durationMs: last.sentAt + last.durationMs - first.sentAt };
    const namesNone = idsIn(pathOf(change)).length === 0;
    const known = namesNone ? idsCreatedBy(change) : idsIn(pathOf(change));
    // Where the path names no item, other items need a creation of their own.
    const creation = known.length > 0 ? undefined : this.#lastCreation(change);
    const [item] = creation === undefined ? known : idsCreatedBy(creation);
    const own = new Set(exchanges.map(({ id }) => id));
    const asOwn = (each: Exchange): readonly Exchange[] => {
      if (own.has(each.id) || resourceOf(each) !== resourceOf(change) || !areTogether(each, whole)) return [];
      const [other, ...more] = idsIn(pathOf(each));
      if (other === undefined) return namesNone && inForm(each) === inForm(change) ? [each] : [];
      if (item === undefined || other === item || more.length > 0 || WITHOUT_EFFECT.includes(each.response?.status))
        return [];
      return [{ ...each, request: { ...each.request, url: replaced(each.request.url, other, item) } }];
    };
    const distance = ({ sentAt }: Exchange): number => Math.abs(sentAt - change.sentAt);
    // If both items had the same values, a mix-up of the two would not be visible.
    const isAlike = (each: Exchange): number => Number(valuesIn(each) === valuesIn(change));
    const farthestFirst = this.#last
      .flatMap(asOwn)
      .toSorted((a, b) => isAlike(b) - isAlike(a) || distance(b) - distance(a));
    const ofEachKind = new Map(farthestFirst.map((each) => [`${each.operation} ${each.response?.status}`, each]));
    const nearest = [...ofEachKind.values()].toSorted((a, b) => distance(a) - distance(b)).slice(0, MOST_SHOWN);
    const sorted = nearest.toSorted((a, b) => Number(isDeletion(a)) - Number(isDeletion(b)));
    const all = creation === undefined || sorted.length === 0 ? sorted : [creation, ...sorted];
    // Scripts send in the order of time.
    return all.map((each, index) => ({ ...each, sentAt: last.sentAt + index }));
  }

  #lastCreation(change: Exchange): Exchange | undefined {
    return this.#last.findLast(
      (each) =>
        resourceOf(each) === resourceOf(change) && idsIn(pathOf(each)).length === 0 && idsCreatedBy(each).length > 0,
    );
  }
}

/** A body without ids and names of the run. */
const valuesIn = ({ request: { body } }: Exchange): string =>
  new TextDecoder().decode(body).replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|assay-[\w-]+/gi, '');

const isDeletion = ({ request }: Exchange): boolean => request.method === 'DELETE';

const replaced = (url: string, id: string, by: string): string => url.replace(new RegExp(escapeRegExp(id), 'i'), by);

/** The path without the form of the API. */
const inForm = (exchange: Exchange): string => pathOf(exchange).split(`${exchange.form.toLowerCase()}/`).at(-1) ?? '';

const pathOf = ({ request }: Exchange): string => request.url.split('?', 1)[0]?.toLowerCase() ?? '';

/** `aiagent` of `PUT /aiagent/{id}`. */
const resourceOf = ({ operation }: Exchange): string | undefined => operation.split('/')[1];
