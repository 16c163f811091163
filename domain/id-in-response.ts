import { decodePercent, isObject } from '../spec/index.ts';
import type { Exchange, Json } from '../spec/index.ts';
import { idForPath, isIdText, isUuid } from './items.ts';
import { keyInLink } from './listed-key.ts';

/**
 * The id in the response to a creation: of the item, also in a wrapper, or the last part of the header Location, its own link or its
 * resource name. `idName`: the path parameter that takes it.
 */
export function idInResponse({ request, response }: Exchange, idName: string): string | undefined {
  const json = response?.json;
  const inLocation = idInLocation(request.url, response);
  // A word alone, such as "created", is an answer in words.
  if (isIdText(json)) return /\d/u.test(json) ? json : inLocation;
  const text =
    response?.mediaType === 'text/plain' ? new TextDecoder().decode(response.body).trim().replaceAll('"', '') : '';
  if (isUuid(text)) return text;
  return (
    idForPath(json, idName) ??
    idInWrapper(request.url, json, idName) ??
    inLocation ??
    (isObject(json) ? keyInLink(json, request.url) : undefined)
  );
}

/**
 * The id of the item in a wrapper: its member `data`, its only member, or the one that is named as the collection (`ticket` of
 * `/tickets`). Other objects in it are other items, which this run must not touch.
 */
function idInWrapper(url: string, json: Json | undefined, idName: string): string | undefined {
  if (!isObject(json)) return undefined;
  const collection = new URL(url).pathname.split('/').filter(Boolean).at(-1)?.toLowerCase() ?? '';
  const isItem = (name: string): boolean => name.toLowerCase() === 'data' || collection === `${name.toLowerCase()}s`;
  const members = Object.entries(json);
  const [, item] = members.find(([name]) => isItem(name)) ?? (members.length === 1 ? members[0] : []) ?? [];
  return isObject(item) ? idForPath(item, idName) : undefined;
}

/** The id in the URL of the new item, where that is the URL of the creation and one part more; it may be in another form of the path. */
function idInLocation(url: string, response: Exchange['response']): string | undefined {
  const location = response?.headers.find(([name]) => name === 'location')?.[1];
  if (response?.status !== 201 || location === undefined || !URL.canParse(location, url)) return undefined;
  const [from, to] = [new URL(url), new URL(location, url)].map(({ pathname }) => pathname.replace(/\/$/, ''));
  const last = to?.slice(to.lastIndexOf('/') + 1) ?? '';
  const collection = from?.slice(from.lastIndexOf('/')) ?? '';
  const isItem = last !== '' && to !== undefined && to.endsWith(`${collection}/${last}`);
  return isItem ? decodePercent(last) : undefined;
}
