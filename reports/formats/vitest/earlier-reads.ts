import type { FindingScript, ScriptRequest } from '../../../spec/index.ts';
import { lastSegment } from './evidence.ts';
import type { FindingEvidence } from './evidence.ts';
import { UUID } from './literal.ts';
import type { Answered, ScriptCode } from './scenario.ts';

/** The last read, of all pages where the expectations read these, done before a change too: a cache may keep its answer. */
export function cached(scenario: ScriptCode, position: number, readsPages: boolean): readonly string[] {
  const { sent } = scenario;
  const last = sent.at(-1);
  const change = sent[position]?.request;
  if (sent.slice(position).some(({ request: { captures } }) => captures !== undefined)) return [];
  const isKnown = change?.creates !== true && change?.overlaps !== true && last?.request.captures === undefined;
  if (last?.request.method !== 'GET' || !isKnown) return [];
  const read = (readsPages ? scenario.allPages(last) : undefined) ?? scenario.call(last);
  return [`await ${read}; // A cache may keep this answer.`];
}

/** The last read of a list of one state as the read of the other state: an item may have been in that list before. */
export function ofOtherState(scenario: ScriptCode): readonly string[] {
  const last = scenario.sent.at(-1);
  const url = last?.request.url.replace(/=(?:true|false)(?=&|$)/, (is) => (is === '=true' ? '=false' : '=true'));
  if (last === undefined || url === undefined || url === last.request.url) return [];
  return [`await ${scenario.call({ ...last, request: { ...last.request, url } })};`];
}

/**
 * Position after the request that creates the item of the last read, where an update or the deletion of it follows that is not the
 * last change; of a list, the item that is updated last.
 */
export function createdAt({ sent, names }: ScriptCode, lastChange: number): number {
  const last = sent.at(-1)?.request;
  const isList = last?.received?.length !== undefined;
  const updated = sent.findLast(({ request: { method } }) => method === 'PUT')?.request;
  const url = (isList ? updated : last)?.url.split('?')[0]?.toLowerCase() ?? '';
  const isOwn = (each: Answered): boolean =>
    each.request.captures?.some(({ id }) => url.endsWith(id) && names.has(id)) === true;
  const at = sent.findIndex(isOwn) + 1;
  const isChange = ({ request: { method, url: own } }: Answered): boolean =>
    ['PUT', 'DELETE'].includes(method) && own.split('?')[0]?.split('/').at(-1)?.toLowerCase() === url.split('/').at(-1);
  return at > 0 && sent.slice(at, isList ? lastChange + 1 : lastChange).some(isChange) ? at : 0;
}

/** Position of the first of the changes up to the last one that were all refused: none of them may change anything. */
export function refusedFrom({ sent }: ScriptCode, lastChange: number): number {
  const isRefused = (each?: Answered): boolean =>
    each !== undefined && each.request.method !== 'GET' && (each.request.received?.status ?? 0) >= 400;
  let at = lastChange;
  while (isRefused(sent[at]) && isRefused(sent[at - 1])) at -= 1;
  return at;
}

/** The update before the last one, once more in some of several copies: a service may keep every second update only. */
export function updatedOnceMore(scenario: ScriptCode, lastChange: number): readonly string[] {
  const { sent } = scenario;
  const last = sent[lastChange]?.request;
  const before = sent
    .slice(0, lastChange)
    .findLast(({ request: { method, url } }) => method === 'PUT' && lastSegment(url) === lastSegment(last?.url));
  return last?.method === 'PUT' && last.overlaps !== true && before !== undefined
    ? [`if (Math.random() < 0.5) await ${scenario.call(before)}; // The number of updates may matter.`]
    : [];
}

/** The last read as it may have been sent before: the service may remember that. */
export function asSentBefore({ finding: { code }, scenario, script }: FindingEvidence): readonly string[] {
  const last = scenario.sent.at(-1);
  const change = SENT_OTHERWISE[code];
  if (last?.request.method !== 'GET' || change === undefined) return [];
  const other = scenario.call({ ...last, request: change(last.request, scenario, script) });
  return other === scenario.call(last) ? [] : [`await ${other}; // The answer may be remembered.`];
}

type Change = (read: ScriptRequest, scenario: ScriptCode, script: FindingScript) => ScriptRequest;

const asJson: Change = (read) => ({ ...read, headers: { ...read.headers, accept: 'application/json' } });

const withFullToken: Change = (read, _scenario, { usesBearer = false }) => {
  if (usesBearer) return { ...read, headers: { ...read.headers, authorization: 'Bearer $ASSAY_TOKEN' } };
  const full = (value: string): string => value.replaceAll(/\$ASSAY_\w+_TOKEN/g, '$ASSAY_TOKEN');
  const headers = Object.entries(read.headers).map(([name, value]) => [name, full(value)] as const);
  return { ...read, headers: Object.fromEntries(headers) };
};

/** The list without filters, which may have another count. */
const unfiltered: Change = (read) => {
  const [path = '', query] = read.url.split('?', 2);
  const pages = (query ?? '').split('&').filter((each) => /page|size|take|limit|offset/i.test(each));
  return { ...read, url: [path, ...(pages.length > 0 ? [pages.join('&')] : [])].join('?') };
};

/** Of the item to which the part belongs that an unknown id names. */
const ofOwner: Change = (read, { sent, names }) => {
  const idsIn = (url = ''): readonly string[] => url.toLowerCase().match(UUID) ?? [];
  const ids = idsIn(read.url);
  const unknown = ids.find((id) => !names.has(id));
  const source = sent.find(({ request }) => request.captures?.some(({ id }) => ids.includes(id)) === true);
  const owner = idsIn(source?.request.url).find((id) => names.has(id));
  return unknown === undefined || owner === undefined
    ? read
    : { ...read, url: read.url.replace(new RegExp(unknown, 'i'), owner) };
};

/** How a read is sent before it is sent as in the run, by code. */
const SENT_OTHERWISE: Readonly<Record<string, Change>> = {
  'content-type-offered/not-as-asked': asJson,
  'authentication/accepted': withFullToken,
  'authorisation/accepted': withFullToken,
  'unknown-id/status': ofOwner,
  'published-behaviour/value': unfiltered,
};
