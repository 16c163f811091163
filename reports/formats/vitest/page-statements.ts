import type { FindingEvidence } from './evidence.ts';
import { literal } from './literal.ts';
import { pageSizeIn, queryOf } from './pages.ts';
import type { Answered } from './scenario.ts';
import type { Statement } from './statements.ts';

/** Items of a page that is to show a whole list. */
const LARGE = 500;

/** Names of the parameters that number and size pages: the number has the smaller default, or varies between the steps. */
export function paging({
  steps,
  script,
}: FindingEvidence): { readonly number: string; readonly size: string } | undefined {
  const queries = steps.map(({ request }) => queryOf(request.url)).filter((query) => query.size > 0);
  const numeric = [...new Set(queries.flatMap((query) => [...query.keys()]))].filter((name) => name in script.defaults);
  const values = (name: string): number => new Set(queries.map((query) => query.get(name))).size;
  const number = numeric.toSorted(
    (a, b) => (script.defaults[a] ?? 0) - (script.defaults[b] ?? 0) || values(b) - values(a),
  )[0];
  const size = numeric.find((name) => name !== number);
  return number === undefined || size === undefined ? undefined : { number, size };
}

/** How many items the set-up adds to a list: those that it creates, or one for each action on the owner of the list. */
function filled({ scenario }: FindingEvidence, list: Answered): { readonly made: number; readonly isCreated: boolean } {
  const ownerOf = ({ request: { url } }: Answered): string | undefined => url.split('?')[0]?.split('/').at(-2);
  const fills = scenario.sent.filter(
    (each) => each.request.times !== undefined && (each.request.creates ?? ownerOf(each) === ownerOf(list)),
  );
  const made = fills.reduce((sum, { request: { times = 0 } }) => sum + times, 0);
  return { made, isCreated: fills.some(({ request }) => request.creates === true) };
}

/** The pages together are the whole list, in its order. */
export const pagesArePartition: Statement = (evidence) => {
  const { steps, scenario, script } = evidence;
  const names = paging(evidence);
  const sizeOf = ({ request }: Answered): string | null =>
    names === undefined ? null : queryOf(request.url).get(names.size);
  const pages = steps.filter((each) => sizeOf(each) !== null && sizeOf(each) === sizeOf(evidence.last));
  const [first] = pages;
  if (names === undefined || first === undefined) return undefined;
  const size = Number(queryOf(first.request.url).get(names.size));
  const { made, isCreated } = filled(evidence, first);
  const isShort = `expect(items(${first.answer}.json).length).toBeLessThanOrEqual(${size});`;
  const isTooLong = evidence.finding.code === 'paging-partition/page-too-long';
  if (pages.length === 1 && ((made === 0 && steps.length === 1) || isTooLong)) return [isShort];
  const start = script.defaults[names.number] ?? 0;
  const [path = '', query = ''] = scenario.pathOf(first.request.url).split('?');
  const whole = new URLSearchParams(query);
  const places = pages.map(({ request: { url } }) => (Number(queryOf(url).get(names.number) ?? start) - start) * size);
  const [from = 0] = places;
  const most = Math.max(50, made, ...places.map((place) => place + 2 * size));
  whole.set(names.size, String(most));
  whole.set(names.number, String(start));
  const { headers: _headers, ...rest } = first.request;
  const read = `send('${rest.method}', ${literal(`${path}?${whole.toString()}`, scenario.names)}, common)`;
  const expected = places.every((place, index) => place === from + index * size)
    ? `idsOf(whole.json).slice(${from}, ${from + pages.length * size})`
    : `[${places.join(', ')}].flatMap((at) => idsOf(whole.json).slice(at, at + ${size}))`;
  return [
    ...(made > 0
      ? [
          `const whole = await until(() => ${read}, ({ json }) => items(json).length >= ${made});`,
          `expect(items(whole.json).length).toBeGreaterThanOrEqual(${made});`,
        ]
      : [`const whole = await ${read};`, ...hasItems(evidence, first, 'whole')]),
    ...(isCreated && [...scenario.names.values()].includes('tag')
      ? [
          `const own = items(whole.json).filter((item) => JSON.stringify(item).includes(tag));`,
          `if (items(whole.json).length < ${most}) expect(own).toHaveLength(${made});`,
        ]
      : []),
    ...(pages.length === 1 ? [isShort] : []),
    ...(isBelowOwn(evidence, first) && !isCreated
      ? [
          '// The list may still grow.',
          'const both = async () => {',
          `  const whole = await ${read};`,
          `  return [[${pages.map((each) => `...idsOf((await ${scenario.call(each)}).json)`).join(', ')}], ${expected}];`,
          '};',
          'const [paged, expected] = await until(both, (lists) => String(lists[0]) === String(lists[1]));',
          'expect(paged).toEqual(expected);',
        ]
      : [`expect([${pages.map(({ answer }) => `...idsOf(${answer}.json)`).join(', ')}]).toEqual(${expected});`]),
  ];
};

const isBelowOwn = (evidence: FindingEvidence, { request }: Answered): boolean =>
  evidence.idsIn(request.url).some((id) => evidence.isMade(id));

/** A list below an item of the test has items, as in the run: without any, all pages are equal. */
function hasItems(evidence: FindingEvidence, first: Answered, list: string): readonly string[] {
  const hadItems = (first.request.received?.length ?? 0) > 0;
  return hadItems && isBelowOwn(evidence, first) ? [`expect(items(${list}.json)).not.toEqual([]);`] : [];
}

/** A page holds no more items than it was asked for, without a number. */
export const notTooLong: Statement = ({ answer, last, script }) => {
  const [size, ...others] = [...queryOf(last.request.url)].filter(([name]) => name in script.defaults);
  if (size === undefined || others.length > 0) return undefined;
  return [`expect(items(${answer}.json).length).toBeLessThanOrEqual(${Number(size[1])});`];
};

/** Most pages that are read besides those of the finding. */
const MOST_OTHER_PAGES = 12;

/**
 * Adds the pages of an own list before the last one that are not in the finding: in the test, other items may be on two pages, or the
 * pages may show items that are not in the list.
 */
function otherPages(evidence: FindingEvidence, pages: readonly Answered[]): readonly string[] {
  const { last, scenario, script } = evidence;
  const { number = '', size = '' } = paging(evidence) ?? {};
  const query = queryOf(last.request.url);
  const isOwn = [...scenario.names.keys()].some((name) => query.toString().includes(name));
  if (!isOwn || !query.has(number) || pageSizeIn(last.request.url, script.defaults) === undefined) return [];
  const read = pages.map(({ request: { url } }) => Number(queryOf(url).get(number)));
  const from = script.defaults[number] ?? 0;
  const all = Array.from({ length: Math.min(Math.max(...read) - from, MOST_OTHER_PAGES) }, (_, at) => at + from);
  const [path = ''] = last.request.url.split('?');
  const idsAt = (page: number): string => {
    query.set(number, String(page));
    const request = { ...last.request, url: `${path}?${query.toString()}` };
    return `idsOf((await ${scenario.call({ ...last, request })}).json)`;
  };
  const others = all.filter((each) => !read.includes(each)).map((each) => `ids.push(...${idsAt(each)});`);
  query.set(size, String(LARGE));
  return [...others, `expect(${idsAt(from)}).toEqual(expect.arrayContaining(ids));`];
}

/** No item is on two of the pages, or twice on one. */
export const noItemTwice: Statement = (evidence) => {
  const { steps, last } = evidence;
  const size = paging(evidence)?.size ?? '';
  const sizeOf = ({ request }: Answered): string | null => queryOf(request.url).get(size);
  const lists = steps.filter((each) => each.request.method === 'GET' && sizeOf(each) === sizeOf(last));
  const pages = [...new Map(lists.map((each) => [each.request.url, each])).values()];
  return [
    `const ids = [${pages.map(({ answer }) => `...idsOf(${answer}.json)`).join(', ')}];`,
    ...otherPages(evidence, pages),
    'expect(ids).toEqual([...new Set(ids)]);',
  ];
};

/** A success shows a list; undefined for other answers. */
export const isList: Statement = ({ answer, shown }) =>
  (shown?.response?.status ?? 0) < 300
    ? [
        `expect([${answer}.json, ...Object.values(${answer}.json ?? {})].some((each) => Array.isArray(each))).toBe(true);`,
      ]
    : undefined;

/** Without parameters a page has its default size. */
export const defaultSize: Statement = ({ answer, finding, last, scenario, script }) => {
  const [[name, size] = ['', 0]] = Object.entries(script.defaults).toSorted(([, a], [, b]) => b - a);
  if (size < 2) return undefined;
  if (finding.subject === undefined) return [`expect(items(${answer}.json)).toHaveLength(${size});`];
  // On a service whose filter works, the filter selects another number of items.
  const { url } = last.request;
  const large = { ...last.request, url: `${url}${url.includes('?') ? '&' : '?'}${name}=${LARGE}` };
  return [
    `const whole = await ${scenario.call({ ...last, request: large })};`,
    `expect(items(${answer}.json)).toHaveLength(Math.min(${size}, items(whole.json).length));`,
  ];
};

export const ofLastTwo =
  (line: (before: string, last: string) => string): Statement =>
  ({ steps }) => {
    const [a, b] = steps.slice(-2);
    return a === undefined || b === undefined
      ? undefined
      : [line(`idsOf(${a.answer}.json)`, `idsOf(${b.answer}.json)`)];
  };

/** The larger page holds the items of the other one. */
export const holdsFirst = ofLastTwo((a, b) => `expect(${b}).toEqual(expect.arrayContaining(${a}));`);

/** Some items of the first list are in the other one. */
export const keepsSome = ofLastTwo((a, b) => `expect(${b}.some((id) => ${a}.includes(id))).toBe(true);`);

/** The last two answers, if they are lists, have no item in common; those of a stream are wrapped. */
export const shareNone: Statement = ({ last, steps }) => {
  const before = steps.at(-2);
  if (before === undefined || [before, last].some(({ request }) => request.received?.length === undefined))
    return undefined;
  return [
    'const own = (each: any) => [each, ...Object.values(each ?? {})].find((value: any) => value?.id !== undefined)?.id;',
    // Two empty lists have nothing in common either.
    `expect([...items(${before.answer}.json), ...items(${last.answer}.json)]).not.toEqual([]);`,
    `const ids = items(${before.answer}.json).map((each) => own(each) ?? JSON.stringify(each));`,
    `expect(items(${last.answer}.json).filter((each) => ids.includes(own(each) ?? JSON.stringify(each)))).toEqual([]);`,
  ];
};

export const otherItems = ofLastTwo((a, b) => `expect(${b}).not.toEqual(${a});`);

/** The last two reads, which were answered alike in the run, list other items. */
export const othersThanBefore: Statement = (evidence) => {
  const { finding, last, steps, shown } = evidence;
  const before = steps.at(-2)?.request;
  const isList = [before, last.request].every((each) => each?.method === 'GET' && each.received?.length !== undefined);
  const body = finding.steps[before?.step ?? -1]?.response?.body;
  return isList && body === shown?.response?.body ? otherItems(evidence) : undefined;
};

/** The last two lists have the same items, in whatever order. */
export const sameItems = ofLastTwo((a, b) => `expect(${b}.sort()).toEqual(${a}.sort());`);

/** The list of the test may be longer than that of the run: then a page after its own last one is empty. */
export const noItems: Statement = (evidence) => {
  const { answer, last, scenario, script } = evidence;
  const query = queryOf(last.request.url);
  const { number = '', size = '' } = paging(evidence) ?? {};
  if (!query.has(number) || !query.has(size)) return [`expect(items(${answer}.json)).toEqual([]);`];
  const [path = ''] = scenario.pathOf(last.request.url).split('?');
  const first = script.defaults[number] ?? 1;
  const read = (page: string, items: string): string => {
    const asked = new URLSearchParams(query);
    for (const name of [number, size]) asked.delete(name);
    const own = scenario.literal(`${path}?${asked.size === 0 ? '' : `${asked.toString()}&`}`);
    return `send('GET', ${own} + ${page} + '&${size}=${items}', common)`;
  };
  const most = String(Math.max(LARGE, Number(query.get(size))));
  return [
    'const pastEnd = async () => {',
    `  const whole = items((await ${read(`'${number}=${first}'`, most)}).json).length;`,
    `  const past = Math.max(${Number(query.get(number))}, Math.ceil(whole / ${Number(query.get(size))}) + ${first});`,
    `  return ${read(`\`${number}=\${past}\``, query.get(size) ?? '')};`,
    '};',
    '// The list may still grow.',
    'const page = await until(pastEnd, ({ json }) => items(json).length === 0);',
    'expect(items(page.json)).toEqual([]);',
  ];
};

/** Path and query of a list without the parameters of paging and order, which select the same items. */
function selectionIn({ script }: FindingEvidence, { request: { method, url } }: Answered): string {
  const query = [...queryOf(url)].filter(([name]) => !(name in script.defaults) && !/^(?:sort|order)/i.test(name));
  return `${method} ${url.split('?')[0]}?${query.join('&')}`;
}

/** True where the last two lists were asked for in another order only. */
export function isInAnyOrder(evidence: FindingEvidence): boolean {
  const pair = evidence.steps.slice(-2);
  const sizes = pair.map(({ request }) =>
    [...queryOf(request.url)].filter(([name]) => name in evidence.script.defaults),
  );
  return isOneSelection(evidence, pair) && String(sizes[0]) === String(sizes[1]);
}

/** The last two lists, if they were asked for in another order only, have the same items. */
export const sameInAnyOrder: Statement = (evidence) => (isInAnyOrder(evidence) ? sameItems(evidence) : undefined);

const isOneSelection = (evidence: FindingEvidence, steps: readonly Answered[]): boolean =>
  evidence.last.request.method === 'GET' &&
  steps.length > 1 &&
  new Set(steps.map((each) => selectionIn(evidence, each))).size === 1;

/** The first list is the whole list. All items of the pages after it are in it, and these pages are full. */
export const pagesOfWhole: Statement = (evidence) => {
  const { finding, steps } = evidence;
  const [whole, ...pages] = steps;
  const size = Number(queryOf(evidence.last.request.url).get(paging(evidence)?.size ?? '') ?? 0);
  if (whole === undefined || size === 0 || !isOneSelection(evidence, steps)) return undefined;
  return [
    `const whole = idsOf(${whole.answer}.json);`,
    `const paged = [${pages.map(({ answer }) => `...idsOf(${answer}.json)`).join(', ')}];`,
    'expect(whole).toEqual(expect.arrayContaining(paged));',
    ...(pages.length < 2 && finding.code !== 'filters/lost-on-page'
      ? []
      : [
          `expect(paged).toHaveLength(Math.min(whole.length, ${pages.length * size}));`,
          'if (new Set(whole).size === whole.length) expect(new Set(paged).size).toBe(paged.length);',
        ]),
  ];
};

/** Nothing is found by a filter that matches nothing of the test, once the list has something without the filter. */
export const noneMatching: Statement = ({ finding: { subject = '' }, last, scenario, showedSubject }) => {
  const query = new URLSearchParams(queryOf(last.request.url));
  const filters = subject.split('+').filter((name) => query.has(name));
  if (filters.length === 0 || showedSubject) return undefined;
  for (const name of filters) query.delete(name);
  const [path = ''] = scenario.pathOf(last.request.url).split('?');
  const whole = scenario.literal(`${path}?${query.toString()}`);
  return [
    `await until(() => send('GET', ${whole}, common), ({ json }) => items(json).length > 0);`,
    `expect(items((await ${scenario.call(last)}).json)).toEqual([]);`,
  ];
};
