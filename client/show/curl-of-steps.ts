import type { Exchange, Violation } from '../../spec/index.ts';
import { isWrittenOut, toCurl } from './curl.ts';
import type { CurlOptions } from './curl.ts';
import { idsInRequest, idsInResponse } from './ids.ts';
import { captureId, pickId, pickListed, UUID } from './pick-id.ts';
import { overlaps, planIn } from './script-plan.ts';
import type { ScriptSources } from './script-plan.ts';
import { sleepFor } from './pause.ts';
import { namesIn, variantsOf } from './setup.ts';

const MOST_STEPS = 14;

/** Folder for responses of overlapping requests, and of those that ids are read from. */
const FOLDER = 'd=$(mktemp -d)';

/** A shell line that sends overlapping requests in parallel and repeats reads until they contain an id; undefined if too long. */
export function toCurlOfSteps(
  violation: Violation,
  sources: ScriptSources,
  curlOptions: CurlOptions,
  pauseSeconds?: number,
): string | undefined {
  const options = { ...curlOptions, pauseSeconds };
  const { changes: _changes, ...fewer } = sources;
  const short = planIn(violation, fewer);
  // A read returns the ids of what the changes started.
  const readsIds = [...short.captured.values()].some(({ source }) => source.request.method === 'GET');
  return (
    lineOf(violation, planIn(violation, sources), sources, options) ??
    (readsIds ? undefined : lineOf(violation, short, sources, options))
  );
}

/** True if the steps alone do not reproduce it: some overlapped, or they need more than the creation of their items. */
export function needsAllSteps(violation: Violation, sources: ScriptSources): boolean {
  const { order, captured } = planIn(violation, sources);
  const isStep = isStepOf(violation);
  if (sendsTogether(violation, sources)) return true;
  const creates = ({ id, request }: Exchange): boolean =>
    request.method === 'POST' && [...captured.values()].some(({ source }) => source.id === id);
  return order.some((each) => !isStep(each) && !creates(each));
}

export function sendsTogether(violation: Violation, sources: ScriptSources): boolean {
  return together(planIn(violation, sources).order, isStepOf(violation)).some(({ length }) => length > 1);
}

type IsStep = (each: Exchange) => boolean;

const isStepOf =
  ({ exchanges }: Violation): IsStep =>
  ({ id }) =>
    exchanges.some((each) => each.id === id);

interface LineOptions extends CurlOptions {
  /** Seconds to wait before the last request. */
  readonly pauseSeconds: number | undefined;
}

function lineOf(
  violation: Violation,
  { order, captured }: ReturnType<typeof planIn>,
  { origin }: ScriptSources,
  { pauseSeconds, ...options }: LineOptions,
): string | undefined {
  const setup = new Map(variantsOf(violation.setup ?? []).map(([first, count]) => [first.id, count]));
  // Requests that create items under different names are no copies of each other.
  if ((violation.setup ?? []).length > 1 && order.some((each) => setup.has(each.id) && namesIn(each).length > 0))
    return undefined;
  const isStep = isStepOf(violation);
  const groups = together(order, isStep);
  const last = order.find(({ id }) => id === violation.exchanges.at(-1)?.id);
  const sent = order.filter((each) => each === last || !isStep(each) || isNeeded(each, last, captured));
  const isSource = (each: Exchange): boolean => [...captured.values()].some(({ source }) => source.id === each.id);
  const repeats = repeatsOf(sent, (each) => isStep(each) || isSource(each));
  if (sent.length - repeats.size > MOST_STEPS || !sent.every(isWrittenOut)) return undefined;
  const ids = sent.flatMap((each) => [...captured].flatMap(([id, { source }]) => (source.id === each.id ? [id] : [])));
  const names = new Map(ids.map((id, at) => [id, `id${at + 1}`]));
  const starts = sent.some((each) => each.request.method === 'POST' && !isSource(each));
  const copies = (each: Exchange): number => [...repeats.values()].filter((id) => id === each.id).length;
  const times = (each: Exchange): number => setup.get(each.id) ?? 1 + copies(each);
  const writer = { captured, names, options, pauseSeconds, last, origin, starts, times, awaited: new Set<string>() };
  const parts = groups.flatMap((group) =>
    write(
      group.filter((each) => sent.includes(each) && !repeats.has(each.id)),
      writer,
    ),
  );
  const usesFolder = parts.some((part) => part.includes('"$d/'));
  return [...(usesFolder ? [FOLDER] : []), ...parts].join(' && ') + (usesFolder ? '; rm -r "$d"' : '');
}

/** Requests that repeat the one before, such as those that queue several runs of a job; by the id of the first one in a row. */
function repeatsOf(sent: readonly Exchange[], isUnique: IsStep): ReadonlyMap<string, string> {
  const repeats = new Map<string, string>();
  for (const [at, each] of sent.entries()) {
    const before = sent[at - 1];
    const isSame = before !== undefined && !isUnique(before) && !isUnique(each) && toCurl(before) === toCurl(each);
    if (isSame) repeats.set(each.id, repeats.get(before.id) ?? before.id);
  }
  return repeats;
}

type Captured = ReadonlyMap<string, { readonly source: Exchange; readonly place: number }>;

/** The steps that the violation compares: changes, reads that provide ids, and reads like the last one. */
function isNeeded(each: Exchange, last: Exchange | undefined, captured: Captured): boolean {
  if (each.request.method !== 'GET' || each.operation === last?.operation) return true;
  return [...captured.values()].some(({ source }) => source.id === each.id);
}

/** The requests in groups that overlap. */
function together(order: readonly Exchange[], isStep: IsStep): readonly (readonly Exchange[])[] {
  const groups: Exchange[][] = [];
  for (const each of order) {
    const group = groups.at(-1);
    if (group !== undefined && isStep(each) && group.some((other) => isStep(other) && overlaps(other, each)))
      group.push(each);
    else groups.push([each]);
  }
  return groups;
}

interface Writer {
  readonly captured: Captured;
  readonly names: ReadonlyMap<string, string>;
  readonly options: CurlOptions;
  readonly pauseSeconds: number | undefined;
  readonly last: Exchange | undefined;
  readonly origin: ScriptSources['origin'];
  /** True where a request is sent that is no creation of an item, such as one that queues a run. */
  readonly starts: boolean;
  /** Paths of lists that the line waits for. */
  readonly awaited: Set<string>;
  /** How often a request is sent in a row. */
  readonly times: (each: Exchange) => number;
}

function write(group: readonly Exchange[], writer: Writer): readonly string[] {
  const [only] = group;
  if (only === undefined) return [];
  if (group.length === 1) return writeOne(only, writer);
  const lines = group.map((each) => {
    const ids = idsOf(each, writer);
    if (ids.length > 0 && each.listed === undefined) return `${curl(each, writer, 'body')} >${fileOf(ids)}`;
    return curl(each, writer, each.request.method === 'GET' ? undefined : 'none');
  });
  const picks = group.flatMap((each) => pick(each, idsOf(each, writer), writer));
  return [`{ ${lines.join(' & ')} & wait; }`, ...picks];
}

function writeOne(each: Exchange, writer: Writer): readonly string[] {
  const ids = idsOf(each, writer);
  const isShown = each === writer.last || each.operation === writer.last?.operation;
  if (ids.length === 0)
    return [
      ...(each === writer.last ? sleepFor(writer.pauseSeconds) : []),
      ...(listsStarted(each, writer) ? [awaitList(each, writer)] : []),
      repeated(curl(each, writer, isShown ? undefined : 'none'), writer.times(each)),
    ];
  const [id = ''] = ids;
  if (ids.length === 1 && each.request.method !== 'GET')
    return captureId(each, id, writer.names.get(id) ?? '', (exchange, output) => curl(exchange, writer, output));
  const fetch = `${curl(each, writer, 'body')} >${fileOf(ids)}`;
  if (each.request.method !== 'GET') return [fetch, ...pick(each, ids, writer)];
  const picks = pick(each, ids, writer).join(' && ');
  const areKnown = ids.map((one) => `[ "$${writer.names.get(one) ?? ''}" ]`).join(' && ');
  return [`for n in $(seq 30); do ${fetch} && ${picks} && ${areKnown} && break; sleep 1; done`];
}

/** Only uuids can be counted in any response. */
const IS_UUID = new RegExp(`^${UUID}$`);

/** True for a read whose response lists what the deployment added after a request, for example the results of a run. */
function listsStarted(each: Exchange, { captured, origin, starts, awaited }: Writer): boolean {
  const path = each.request.url.split('?', 1)[0] ?? '';
  if (!starts || awaited.has(path)) return false;
  const ids = each.request.method === 'GET' ? idsInResponse(each).filter((id) => !idsInRequest(each).includes(id)) : [];
  const isStarted =
    ids.some((id) => IS_UUID.test(id)) && ids.every((id) => origin?.(id) === undefined && !captured.has(id));
  if (isStarted) awaited.add(path);
  return isStarted;
}

/** Repeats a read until two responses contain the same number of ids. */
function awaitList(each: Exchange, writer: Writer): string {
  const count = `$(${curl(each, writer, 'body')} | grep -Eio '${UUID}' | wc -l)`;
  return `for n in $(seq 30); do was=$now; now=${count}; [ $now -gt 0 ] && [ "$now" = "$was" ] && break; sleep 1; done`;
}

const repeated = (line: string, times: number): string =>
  times === 1 ? line : `for n in $(seq ${times}); do ${line}; done`;

const idsOf = ({ id }: Exchange, { captured }: Writer): readonly string[] =>
  [...captured].filter(([, { source }]) => source.id === id).map(([each]) => each);

const fileOf = ([id = '']: readonly string[]): string => `"$d/${id.slice(0, 8)}"`;

const pick = (source: Exchange, ids: readonly string[], writer: Writer): readonly string[] =>
  ids.flatMap((id) => {
    const variable = writer.names.get(id) ?? '';
    const shown = idsInResponse(source);
    const rank = ids.filter((other) => shown.indexOf(other) < shown.indexOf(id)).length;
    if (source.request.method === 'GET') return [`${variable}=$(${pickListed(source, id, fileOf(ids), rank)})`];
    if (source.listed === undefined) return [`${variable}=$(${pickId(source, id, fileOf(ids))})`];
    return captureId(source, id, variable, (exchange, output) => curl(exchange, writer, output)).slice(1);
  });

const curl = (each: Exchange, { names, options }: Writer, output: CurlOptions['output']): string =>
  toCurl(each, { ...options, variables: names, ...(output === undefined ? {} : { output }) });
