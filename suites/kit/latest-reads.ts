import { idsInRequest, idsInResponse } from '../../client/index.ts';
import { idsOf } from '../../domain/items.ts';
import type { Exchange } from '../../spec/index.ts';
import { keep } from './last-answers.ts';

const MOST_READS = 500;
const MOST_PATHS = 300;
const LARGEST_BODY = 32 * 1024;
const SHORTEST_BODY = 32;
/** Bytes that are kept of another body. */
const LONGEST_START = 2_000;
/** An answer from a cache is assumed to be no older. */
const CACHED_MS = 10_000;

/** A read, and the ids of its items. */
interface Read {
  readonly exchange: Exchange;
  readonly ids: string;
  /** The first read of the URL. */
  readonly first: Exchange;
}

/** The last response to each of the latest reads; of a list, the first response with the same items. */
export class LatestReads {
  readonly #reads = new Map<string, Read>();
  /** By path, the read that showed most items: those of paths that are read with many queries would be replaced soon. */
  readonly #longest = new Map<string, Read>();
  /** By URL, the first and the last read whose answers are too short or too long to look for ids in them. */
  readonly #others = new Map<string, Pick<Read, 'exchange' | 'first'>>();

  /** Changed items contain more ids. A reproduction reads the list before the change, so the earlier response shows where an id is found. */
  add(exchange: Exchange): void {
    const { url } = exchange.request;
    const { byteLength = 0 } = exchange.response?.body ?? {};
    if (byteLength < SHORTEST_BODY || byteLength > LARGEST_BODY) {
      const read = shortened(exchange);
      return keep(this.#others, url, { exchange: read, first: this.#others.get(url)?.first ?? read }, MOST_READS);
    }
    const ids = idsOf(exchange.response?.json)?.join(' ') ?? '';
    const earlier = this.#reads.get(url);
    const isSame = earlier !== undefined && ids !== '' && ids === earlier.ids;
    // An answer with another item than the one asked for does not replace a correct one.
    const named = idsInRequest(exchange).at(-1);
    const isWrong = named !== undefined && earlier !== undefined && !contains(exchange, named);
    const isKept = isSame || (isWrong && contains(earlier.exchange, named));
    const read = unparsed(exchange);
    const kept = isKept ? earlier : { exchange: read, ids, first: earlier?.first ?? read };
    keep(this.#reads, url, kept, MOST_READS);
    const [path = ''] = url.split('?');
    const longest = this.#longest.get(path);
    keep(this.#longest, path, longest !== undefined && longest.ids.length >= ids.length ? longest : kept, MOST_PATHS);
  }

  /**
   * A read whose response contains the id and whose URL does not: of the nearest list under which the id is used, or else the one with
   * the shortest URL, if possible with another id that is used with it.
   */
  showing(id: string, user: Exchange): Exchange | undefined {
    const others = idsInRequest(user).filter((each) => each !== id);
    const used = `${user.request.url.split('?', 1)[0]?.toLowerCase()}/`;
    const distance = (url: string): number => {
      const [path = ''] = url.split('?', 1);
      if (used.startsWith(`${path}/`)) return -path.length;
      return others.some((each) => url.includes(each)) ? 1 : 2;
    };
    // Sorted first, so that few bodies are searched: there are megabytes of them.
    return [...this.#reads.values(), ...this.#longest.values()]
      .map(({ exchange }) => ({ exchange, url: exchange.request.url.toLowerCase() }))
      .filter(({ url }) => !url.includes(id))
      .map((read) => ({ ...read, distance: distance(read.url) }))
      .toSorted((a, b) => a.distance - b.distance || a.url.length - b.url.length)
      .find(({ exchange }) => contains(exchange, id))?.exchange;
  }

  /** Another read of the same URL that succeeded earlier; `inAnyForm`: or through another form of the path. */
  before(exchange: Exchange, inAnyForm = false): Exchange | undefined {
    const { id, request, sentAt } = exchange;
    const withoutForm = ({ form, request: { url } }: Exchange): string => url.replace(form, '');
    const isSame = (read: Exchange): boolean =>
      inAnyForm && read.operation === exchange.operation && withoutForm(read) === withoutForm(exchange);
    const reads = [this.#reads, this.#others].flatMap((each) => [
      ...[each.get(request.url) ?? []].flat(),
      ...[...each.values()].filter((read) => isSame(read.exchange)),
    ]);
    return reads
      .flatMap(({ exchange, first }) => [exchange, first])
      .find((read) => read !== undefined && read.id !== id && read.sentAt < sentAt);
  }

  /** A recent read of the same path with another query and the same answer: it may have been kept by a cache that ignores the query. */
  sameAnswer({ request, response, sentAt }: Exchange): Exchange | undefined {
    const [path, query] = request.url.split('?');
    if (request.method !== 'GET' || response === undefined || response.body.byteLength < SHORTEST_BODY)
      return undefined;
    return [...this.#reads.values()]
      .map(({ exchange }) => exchange)
      .findLast((each) => {
        const [otherPath, otherQuery] = each.request.url.split('?');
        const isRecent = each.sentAt < sentAt && sentAt - each.sentAt < CACHED_MS;
        if (!isRecent || path !== otherPath || query === otherQuery || each.response === undefined) return false;
        return Buffer.compare(each.response.body, response.body) === 0;
      });
  }
}

/** True for a response with an id, in lower or upper case. */
function contains({ response }: Exchange, id: string): boolean {
  const { body = new Uint8Array() } = response ?? {};
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return [id, id.toUpperCase()].some((each) => bytes.includes(each));
}

/** With the start of the body only: enough to recognise it. */
function shortened(exchange: Exchange): Exchange {
  if (exchange.response === undefined) return exchange;
  const { json: _json, ...response } = exchange.response;
  const body = Buffer.from(response.body.subarray(0, LONGEST_START));
  return { ...exchange, response: { ...response, body, truncated: body.length < response.body.length } };
}

/** Without the value of the body, which takes several times the memory of its text; of a long text only its ids. */
export function unparsed(exchange: Exchange, longest = LARGEST_BODY): Exchange {
  if (exchange.response === undefined) return exchange;
  const { json: _json, body, ...response } = exchange.response;
  return {
    ...exchange,
    response: { ...response, body: body.byteLength > longest ? Buffer.from(idsInResponse(exchange).join(' ')) : body },
  };
}
