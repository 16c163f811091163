import { isOwnIdempotencyKey } from '../../../spec/index.ts';
import type { FindingScript, ScriptRequest } from '../../../spec/index.ts';
import { hasCaptures, idAt } from './captured.ts';
import { literal, namesOf, quoted } from './literal.ts';
import type { Names } from './literal.ts';
import { racing } from './overlapping.ts';
import type { RaceRead } from './overlapping.ts';
import { largePageOf, pageNumberIn, pageSizeIn } from './pages.ts';

export interface Answered {
  readonly request: ScriptRequest;
  readonly answer: string;
}

export interface ScriptCode {
  readonly sent: readonly Answered[];
  readonly names: Names;
  /** Headers that all requests have in common. */
  readonly common: Readonly<Record<string, string>>;
  literal(text: string): string;
  /** Lines that send the requests from one position to another. */
  lines(from: number, to: number): readonly string[];
  /** Lines that send what was under way in the run; none if that does not matter. */
  readonly alongside: readonly string[];
  call(sent: Answered): string;
  /** The call that reads all pages of the list of which a request reads one; undefined where the request names no page. */
  allPages(sent: Answered): string | undefined;
  pathOf(url: string): string;
  /** Lines that send a read, under the name `before`, until it lists something. */
  readBefore(position: number): readonly string[];
}

const NAME = /assay-[0-9a-z]+-[0-9a-z]+/gi;

/** Headers that are of the run, or that fetch sets itself. */
const DROPPED: ReadonlySet<string> = new Set(['user-agent', 'traceparent', 'host', 'content-length', 'connection']);

interface ScenarioOptions {
  readonly race?: RaceRead | undefined;
  /** A read of a first, large page reads all. */
  readonly readsAllPages?: boolean;
  /** Default: what the requests have in common. */
  readonly common?: Readonly<Record<string, string>>;
}

/** Prepares the code for a script whose URLs begin with `baseUrl`. */
export function scenarioOf(given: FindingScript, baseUrl: string, options: ScenarioOptions = {}): ScriptCode {
  const { race, readsAllPages = false } = options;
  const { requests, alongside = [], ...rest } = race === undefined ? given : racing(given, race);
  // Without a read of the list, what a shortened list leaves out is unknown.
  const script =
    requests.at(-1)?.method === 'GET'
      ? { ...rest, requests }
      : { ...rest, requests: requests.map(({ gap: _gap, ...each }) => each) };
  const names = namesOf(script);
  const used = new Set<string>();
  const sent = script.requests.map((request) => ({ request, answer: answerName(request, used) }));
  const common = options.common ?? commonHeaders([...script.requests, ...alongside]);
  const awaited = awaitedIn(script);
  const placeOf = (request: ScriptRequest): Place => ({
    names,
    common,
    baseUrl,
    defaults: script.defaults,
    readsAllPages,
    delay: race === 'read-during' ? delayOf(request, script.requests) : undefined,
    awaited: awaited(request),
    isSearched: script.requests.some(isSearch),
  });
  const line = ({ request, answer }: Answered): readonly string[] => [
    ...sending(request, answer, placeOf(request)),
    ...(request.captures ?? []).map(
      (each) => `const ${names.get(each.id) ?? ''} = ${idAt(request, answer, names, each)};`,
    ),
  ];
  const call = (each: Answered): string => callIn(line(each));
  const read = sent.at(-1);
  const first = sent.findIndex(isShortened);
  return {
    call,
    alongside:
      alongside.length === 0
        ? []
        : scenarioOf({ ...rest, requests: alongside }, baseUrl, { common }).lines(0, alongside.length),
    allPages: ({ request }) => {
      const size = pageSizeIn(request.url, script.defaults);
      return size === undefined ? undefined : pagesCall(request, size, placeOf(request));
    },
    pathOf: (url) => pathOf(url, baseUrl),
    readBefore: (position) =>
      sent
        .slice(position, position + 1)
        .map((each) => `const before = await until(() => ${call(each)}, ({ json }) => items(json).length > 0);`),
    sent,
    names,
    common,
    literal: (text) => literal(text, names),
    lines: (from, to) =>
      read === undefined || first < from || first >= to
        ? together(sent.slice(from, to), line)
        : [
            ...together(sent.slice(from, first), line),
            `const whole = await ${call(read)};`,
            ...together(sent.slice(first, to), line),
          ],
  };
}

const isShortened = ({ request: { gap } }: Answered): boolean => gap !== undefined;

/** True for a read whose query has a name of the run. */
export const isSearch = ({ method, url }: ScriptRequest): boolean => method === 'GET' && /\?.*assay-/iu.test(url);

/** How many items a list has to show before the requests after it are sent. */
function awaitedIn({ requests }: FindingScript): (request: ScriptRequest) => number {
  const isFilled = ({ received }: ScriptRequest): boolean => (received?.length ?? 0) > 0;
  if (!requests.some(({ step, method }) => step !== undefined && method !== 'GET')) {
    const first = requests.slice(0, -1).find(isFilled);
    return (request) => (request === first ? (request.received?.length ?? 0) : 0);
  }
  const lastChange = requests.findLastIndex(({ method }) => method !== 'GET');
  return (request) => (requests.indexOf(request) < lastChange && isFilled(request) ? 1 : 0);
}

interface Place {
  readonly names: Names;
  readonly common: Readonly<Record<string, string>>;
  readonly baseUrl: string;
  readonly defaults: FindingScript['defaults'];
  readonly readsAllPages: boolean;
  /** How long the request waits for those that it is sent together with, in ms, as code. */
  readonly delay: string | undefined;
  /** How many items a list has to show before the requests after it are sent. */
  readonly awaited: number;
  /** A list is searched by a name of the run. */
  readonly isSearched: boolean;
}

/** Items with other names, made before and after those of a list that is searched: a defect may show only among others. */
const OTHERS = 3;

/** The last read begins after the calls that it is sent together with, or before the first of them. */
function delayOf(request: ScriptRequest, requests: readonly ScriptRequest[]): string | undefined {
  const [last, others] = [requests.at(-1), requests.slice(0, -1)];
  if (request === last) return '5';
  return request === others.findLast(({ overlaps }) => overlaps !== true) ? 'Math.random() * 10' : undefined;
}

function sending(request: ScriptRequest, answer: string, place: Place): readonly string[] {
  const { method, captures, times, step, listed, idMember } = request;
  const path = pathOf(request.url, place.baseUrl);
  const call = (body: string): string => {
    const args = [literal(path, place.names), headersText(request, place), ...(body === '' ? [] : [body])].join(', ');
    if (listed !== undefined)
      return `createListed(${literal(listed.name, place.names)}, ${pagesText(listed.url, place)}, ${args})`;
    const size = method === 'GET' && place.readsAllPages ? largePageOf(request.url, place.defaults) : undefined;
    if (size !== undefined) return pagesCall(request, size, place);
    const id = idMember === undefined ? '' : `${body === '' ? ', undefined' : ''}, ${quoted(idMember)}`;
    const isCreation = request.creates === true || request.mayCreate === true;
    return isCreation ? `create(${args}${id})` : `send('${method}', ${args})`;
  };
  if (times !== undefined) return repeated(request, { answer, times }, place, call);
  const body = bodyText(request, place.names);
  const now = call(request.gap === undefined ? body : `withOthers(${body}, whole.json, ${request.gap})`);
  const text = place.delay === undefined ? now : `pause(${place.delay}).then(() => ${now})`;
  if (request.unanswered === true) return [`await ${text}.catch(() => undefined);`];
  const isThere = hasCaptures(captures ?? [], place.names);
  if (method === 'GET' && isThere !== undefined) return [`const ${answer} = await until(() => ${text}, ${isThere});`];
  const { awaited } = place;
  if (method === 'GET' && awaited > 0 && request.overlaps !== true)
    return [`const ${answer} = await until(() => ${text}, ({ json }) => items(json).length >= ${awaited});`];
  if (step === undefined && isThere === undefined) return [`await ${text};`];
  return [`const ${answer} = await ${text};`];
}

const pagesCall = (request: ScriptRequest, size: number, place: Place): string =>
  `sendPages(${pagesText(request.url, place)}, ${headersText(request, place)}, ${size})`;

/** The pages of a list as code: a function of the position of a page, from 0. */
function pagesText(url: string, { names, baseUrl, defaults }: Place): string {
  const path = pathOf(url, baseUrl);
  const query = new URLSearchParams(path.split('?')[1] ?? '');
  const number = pageNumberIn(query, defaults);
  if (number === undefined) return `() => ${literal(path, names)}`;
  const first = defaults[number] ?? 0;
  const numbered = path.replace(`${number}=${query.get(number) ?? ''}`, `${number}=assay-page`);
  return `(page) => ${literal(numbered, new Map([...names, ['assay-page', first === 0 ? 'page' : `page + ${first}`]]))}`;
}

/** The call of which the first line takes the answer. */
function callIn([first = '']: readonly string[]): string {
  return /(?:^|= )await (.*);$/s.exec(first)?.[1] ?? '';
}

function together(sent: readonly Answered[], line: (each: Answered) => readonly string[]): readonly string[] {
  const groups: Answered[][] = [];
  for (const each of sent) {
    if (each.request.overlaps === true && groups.length > 0) groups.at(-1)?.push(each);
    else groups.push([each]);
  }
  return groups.flatMap((group) => {
    if (group.length === 1) return group.flatMap(line);
    const calls = group.map((each) => callIn(line(each)));
    const rest = group.flatMap((each) => line(each).slice(1));
    return [
      `const [${group.map(({ answer }) => answer).join(', ')}] = await Promise.all([\n  ${calls.join(',\n  ')},\n]);`,
      ...rest,
    ];
  });
}

/** Repeats a creation with names that are new and in no order; where the answer is needed, keeps the last one. */
function repeated(
  request: ScriptRequest,
  { answer, times }: { readonly answer: string; readonly times: number },
  place: Place,
  call: (body: string) => string,
): readonly string[] {
  const own = [...new Set((request.body ?? '').match(NAME))];
  const names = new Map([
    ...own.map((name, index) => [name.toLowerCase(), `name${index + 1}`] as const),
    ...place.names,
  ]);
  const isKept = request.step !== undefined || (request.captures ?? []).length > 0;
  const others = place.isSearched ? OTHERS : 0;
  const last = others + times;
  const isOther = `n <= ${others}${isKept ? '' : ` || n > ${last}`}`;
  const nameOf = (name: string): string => {
    const text = literal(name, place.names).slice(1, -1);
    return others === 0 ? text : `\${${isOther} ? \`assay-other-\${tag}\` : \`${text}\`}`;
  };
  const given = own.map((name, index) => `  const name${index + 1} = \`${nameOf(name)}-\${(n * 7) % 10}\${n}\`;`);
  const sent = `await ${call(bodyText(request, names))};`;
  return [
    ...(isKept ? [`let ${answer}: any;`] : []),
    `for (let n = 1; n <= ${isKept ? last : last + others}; n += 1) {`,
    ...given,
    `  ${isKept ? `${answer} = ` : ''}${sent}`,
    '}',
  ];
}

function bodyText({ body, base64, parts }: ScriptRequest, names: Names): string {
  if (parts !== undefined)
    return parts
      .map(({ text, times }) => `${literal(text, names)}${times === 1 ? '' : `.repeat(${times})`}`)
      .join(' + ');
  if (base64 !== undefined) return `Buffer.from('${base64}', 'base64')`;
  return body === undefined ? '' : literal(body, names);
}

function headersText({ headers }: ScriptRequest, { names, common }: Place): string {
  const own = Object.entries(headers).filter(([name, value]) => !DROPPED.has(name) && common[name] !== value);
  const texts = own.map(([name, value]) => {
    const text = isOwnIdempotencyKey(name, value) ? 'crypto.randomUUID()' : literal(value, names);
    return `${/^[a-z]+$/.test(name) ? name : quoted(name)}: ${text}`;
  });
  return texts.length === 0 ? 'common' : `{ ...common, ${texts.join(', ')} }`;
}

function commonHeaders(requests: readonly ScriptRequest[]): Readonly<Record<string, string>> {
  const [first, ...others] = requests;
  return Object.fromEntries(
    Object.entries(first?.headers ?? {}).filter(
      ([name, value]) =>
        !DROPPED.has(name) &&
        !isOwnIdempotencyKey(name, value) &&
        others.every(({ headers }) => headers[name] === value),
    ),
  );
}

/** What comes after the base URL; of another origin all but the origin. */
function pathOf(url: string, baseUrl: string): string {
  const base = baseUrl.replace(/\/$/, '');
  return url.startsWith(base) ? url.slice(base.length) : url.replace(/^[a-z]+:\/\/[^/]*/i, '');
}

/** A variable from the label, for example `readTheJob`. */
function answerName({ label = '', method }: ScriptRequest, used: Set<string>): string {
  const words =
    label
      .toLowerCase()
      .match(/[a-z][a-z0-9]*/g)
      ?.slice(0, 4) ?? [];
  const camel = words.map((word, index) => (index === 0 ? word : word[0]?.toUpperCase() + word.slice(1))).join('');
  const name =
    camel === '' ? `${method.toLowerCase()}Answer` : words.length === 1 ? `${camel}Answer` : camel.slice(0, 30);
  let unique = name;
  for (let n = 2; used.has(unique); n += 1) unique = `${name}${n}`;
  used.add(unique);
  return unique;
}
