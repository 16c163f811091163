import { isUtf8 } from 'node:buffer';
import { defined } from '../../spec/defined.ts';
import { isObject, parsedJson, pointerTokens, readPointer, scalarText } from '../../spec/index.ts';
import type { Contract, Exchange, FindingScript, Json, Operation, ScriptRequest, Violation } from '../../spec/index.ts';
import { idsInResponse, bodyText } from './ids.ts';
import { variantsOf } from './setup.ts';
import { itemWith } from './pick-id.ts';
import { lengthOf, partsOf } from './repeated-text.ts';
import { idsMadeBy, MOST_REQUESTS, overlaps, planIn } from './script-plan.ts';
import { gapIn } from './short-lists.ts';
import type { Planned, ScriptSources } from './script-plan.ts';

/** Longer bodies are omitted, because they would fill the log. */
const LONGEST_BODY = 256 * 1024;

/** The requests that reproduce a violation, preceded by those that they depend on; undefined if there are too many. */
export function toScript(
  { code, exchanges, setup = [], schemaPointer, subject }: Violation,
  operation: Operation,
  sources: ScriptSources,
): FindingScript | undefined {
  const plan = planIn({ code, exchanges, setup }, sources);
  if (isTooLong(plan)) return undefined;
  const requests = requestsIn(plan, exchanges, setup, sources);
  const others = planIn({ exchanges: alongsideOf(exchanges, sources) }, sources);
  const alongside = others.order.length === 0 || isTooLong(others) ? undefined : requestsIn(others, [], [], sources);
  const tag = tagIn(requests);
  const rule = ruleAt(schemaPointer, sources.contract);
  const permission = subject === undefined ? undefined : sources.contract.operation(subject)?.permission;
  return {
    requests,
    ...defined({ tag, rule, permission, alongside }),
    ...(operation.security?.flat().every(({ kind }) => kind === 'bearer') === true ? { usesBearer: true } : {}),
    statuses: operation.responses.map(({ status }) => status).filter((status) => /^[23]/.test(status)),
    mediaTypes: mediaTypesOf(operation),
    defaults: defaultsOf(
      [
        ...exchanges.flatMap((each) => sources.contract.operation(each.operation) ?? []),
        ...listsOf(plan.order, sources.contract),
        operation,
      ],
      sources.contract,
    ),
    version: sources.contract.version,
  };
}

/** What was sent to other items meanwhile, without what costs something each time, or cannot be undone. */
function alongsideOf(exchanges: readonly Exchange[], { alongside, contract }: ScriptSources): readonly Exchange[] {
  const effectOf = ({ operation }: Exchange): string | undefined => contract.operation(operation)?.effect;
  return (alongside?.(exchanges) ?? []).filter((each) => !['costly', 'irreversible'].includes(effectOf(each) ?? ''));
}

const isTooLong = ({ order }: Planned): boolean =>
  order.length >= MOST_REQUESTS || order.some(({ request: { body } }) => isLong(body) && !isRepetition(body));

/** True for a text that is long because it repeats short ones. */
const isRepetition = (body: Uint8Array): boolean => isUtf8(body) && lengthOf(partsOf(bodyText(body))) <= LONGEST_BODY;

const isLong = (body: Uint8Array | undefined): body is Uint8Array => (body?.byteLength ?? 0) > LONGEST_BODY;

/** The planned requests; `exchanges` are the steps among them. */
function requestsIn(
  { order, captured }: Planned,
  exchanges: readonly Exchange[],
  setup: readonly Exchange[],
  sources: ScriptSources,
): readonly ScriptRequest[] {
  const repeated = new Map(setup.length > 1 ? variantsOf(setup).map(([{ id }, times]) => [id, times]) : []);
  const ownIds = new Set([
    ...captured.keys(),
    ...order.filter(({ request }) => request.method === 'POST').flatMap((each) => idsMadeBy(each).slice(0, 1)),
  ]);
  // The answer to a creation may lack the id, which a list then shows.
  const isOwn = (id: string): boolean => {
    const origin = ownIds.has(id) ? undefined : sources.origin?.(id);
    return ownIds.has(id) || order.some((each) => each.id === origin?.id);
  };
  const stepOf = (exchange: Exchange): number => exchanges.findIndex(({ id }) => id === exchange.id);
  return order.map((each, index): ScriptRequest => {
    const provided = [...captured].filter(([, { source }]) => source.id === each.id);
    const captures = provided.map(([id, { source, place }]) => ({
      id,
      place,
      ...defined({ item: itemWith(id, source) }),
    }));
    const listed = each.listed ?? provided[0]?.[1].source.listed;
    const before = order[index - 1];
    const step = stepOf(each);
    const label = sources.labels?.get(each.id);
    const gap = gapIn(each, exchanges[step], exchanges.at(-1));
    return {
      ...(step < 0 ? {} : { step }),
      ...(label === undefined ? {} : { label }),
      ...requestOf(each),
      ...(step < 0 || each.response === undefined ? {} : { received: receivedBy(each, isOwn, order) }),
      ...(each.response === undefined && index < order.length - 1 ? { unanswered: true } : {}),
      ...(captures.length > 0 ? { captures } : {}),
      ...(isRemovable(each, sources.contract)
        ? succeeded(each)
          ? { creates: true, ...defined({ idMember: idMember(each, captures[0]?.id) }) }
          : { mayCreate: true }
        : {}),
      ...defined({ listed, gap, times: repeated.get(each.id) }),
      ...(before !== undefined && step >= 0 && stepOf(before) >= 0 && overlaps(before, each) ? { overlaps: true } : {}),
    };
  });
}

function mediaTypesOf({ responses }: Operation): readonly string[] {
  const successes = responses.filter(({ status }) => status.startsWith('2'));
  return [...new Set(successes.flatMap(({ content }) => content.map(({ type }) => type)))];
}

function requestOf({ request: { method, url, headers, body } }: Exchange): ScriptRequest {
  if (body === undefined) return { method, url, headers };
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (isLong(body)) return { method, url, headers, parts: partsOf(bodyText(body)) };
  return isUtf8(bytes)
    ? { method, url, headers, body: bytes.toString('utf8') }
    : { method, url, headers, base64: bytes.toString('base64') };
}

function receivedBy(
  exchange: Exchange,
  isOwn: (id: string) => boolean,
  order: readonly Exchange[],
): NonNullable<ScriptRequest['received']> {
  const ids = [...new Set(idsInResponse(exchange))].filter(isOwn);
  const { status = 0, json } = exchange.response ?? {};
  // An object with an id is an item, even if one of its members is a list.
  const wrapper = isObject(json) && !Object.hasOwn(json, 'id') ? json : {};
  const lists = Array.isArray(json) ? [json] : Object.values(wrapper).filter(Array.isArray);
  const [items = []] = lists;
  const changed = order.flatMap((each) => changedIn(items, each));
  return {
    status,
    ids,
    ...(lists.length === 1 ? { length: items.length } : {}),
    ...(changed.length > 0 ? { changed } : {}),
  };
}

/** A text that a list shows otherwise than it was sent when the item was created. */
function changedIn(
  items: readonly Json[],
  creation: Exchange,
): readonly { readonly id: string; readonly member: string }[] {
  const [id] = creation.request.method === 'POST' ? idsMadeBy(creation) : [];
  const sent = parsedJson(bodyText(creation.request.body));
  const item = items.find((each) => isObject(each) && scalarText(each['id']).toLowerCase() === id);
  if (id === undefined || !isObject(sent) || !isObject(item)) return [];
  const isText = (value: Json | undefined): boolean => typeof value === 'string';
  const member = Object.keys(sent).find(
    (name) => isText(sent[name]) && isText(item[name]) && item[name] !== sent[name],
  );
  return member === undefined ? [] : [{ id, member }];
}

const succeeded = ({ response }: Exchange): boolean => response !== undefined && response.status < 300;

/** True for a creation of an item that can be removed. */
function isRemovable({ operation, request }: Exchange, { operations }: Contract): boolean {
  if (request.method !== 'POST') return false;
  const path = operation.replace(/^\S+ /, '');
  const rest = (each: Operation): string => (each.path.startsWith(`${path}/`) ? each.path.slice(path.length) : '');
  return operations.some((each) => each.method === 'DELETE' && /^\/\{[^{}/]+\}$/.test(rest(each)));
}

/** The member with the id of a created item, for example `fileId`. */
function idMember(creation: Exchange, id = idsInResponse(creation)[0]): string | undefined {
  const json = parsedJson(bodyText(creation.response?.body));
  if (!isObject(json) || Object.hasOwn(json, 'id')) return undefined;
  return Object.keys(json).find((name) => scalarText(json[name]).toLowerCase() === id);
}

/** The lists in which created items were found. */
function listsOf(sent: readonly Exchange[], contract: Contract): readonly Operation[] {
  const creations = sent.filter(({ listed }) => listed !== undefined);
  return creations.flatMap(({ operation }) => contract.operation(operation.replace(/^POST /, 'GET ')) ?? []);
}

function defaultsOf(operations: readonly Operation[], contract: Contract): Readonly<Record<string, number>> {
  const parameters = operations.flatMap((each) => each.parameters);
  const defaults = parameters.flatMap(({ name, in: place, schema }): [string, number][] => {
    const resolved = place !== 'query' || schema === undefined ? undefined : contract.resolve(schema).schema;
    const value = isObject(resolved) ? resolved['default'] : undefined;
    return typeof value === 'number' ? [[name, value]] : [];
  });
  return Object.fromEntries(defaults);
}

/** The part of names that belongs to the run, for example `49a87b03`. */
function tagIn(requests: readonly ScriptRequest[]): string | undefined {
  const texts = requests
    .map(({ url, body = '', parts = [] }) => [url, body, ...parts.map(({ text }) => text)].join(' '))
    .join(' ');
  return /assay-([0-9a-f]{8})\b/i.exec(texts)?.[1];
}

function ruleAt(pointer: string | undefined, { document }: Contract): FindingScript['rule'] {
  const keyword = pointerTokens(pointer ?? '').at(-1);
  const value = pointer === undefined ? undefined : readPointer(document, pointer);
  return keyword === undefined || value === undefined || pointer?.includes('schema') !== true
    ? undefined
    : { keyword, value };
}
