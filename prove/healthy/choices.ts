import { hit, itemId, served, withBody, withQuery } from '../proxy/call.ts';
import { at, listAt } from '../proxy/handler.ts';
import { asList, asObject, idOf, items } from '../proxy/json.ts';
import { json, parsed, problem, relisted, succeeded } from '../proxy/reply.ts';
import type { Call, Make } from '../proxy/message.ts';
import { clueParts, orderOf, POLICIES_PATH } from '../defects/items.ts';
import { str } from '../defects/kit.ts';
import { eachMember, objects } from './changes.ts';
import { pageOf } from './pages.ts';
import { FIELDS, INVALID, NOT_SHOWN, variation } from './variation.ts';
import type { Variation } from './variation.ts';
import { LIST, RESULTS, SET, UPDATE } from '../defects/operations.ts';

const textOf = (item: unknown, name: string): string => str(asObject(item)[name]);

/** Answers lists of policies that meet a condition from the whole list, read without some parameters and changed. */
const listed = (
  when: (search: URLSearchParams) => boolean,
  without: readonly string[],
  change: (all: readonly unknown[], search: URLSearchParams) => readonly unknown[],
): Make =>
  at({ op: LIST, when: (call) => served(call) && when(call.search) }).relists(async (list, call, context) => {
    const all = withQuery(call, {
      ...Object.fromEntries(without.map((name) => [name, undefined])),
      page: undefined,
      take: 100_000,
    });
    return pageOf(call, change(await listAt(context, `${POLICIES_PATH}?${all.query}`), call.search)) ?? list;
  });

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Finds by searchName in another way. */
const finding = (fits: (name: string, wanted: string) => boolean): Make =>
  listed(
    (search) => (search.get('searchName') ?? '') !== '',
    ['searchName'],
    (all, search) => all.filter((item) => fits(textOf(item, 'name'), search.get('searchName') ?? '')),
  );

/** Orders by name in another way. */
const ordering = (compare: (a: string, b: string) => number): Make =>
  listed(
    (search) => /^name$/i.test(search.get('orderBy') ?? ''),
    ['orderBy', 'orderAsc'],
    (all, search) => {
      const sign = /^false$/i.test(search.get('orderAsc') ?? '') ? -1 : 1;
      return all.toSorted((a, b) => sign * compare(textOf(a, 'name'), textOf(b, 'name')));
    },
  );

/** Lists what matches any key of a metadataFilter. */
const matchingAny: Make = at({ op: ['GET /aijob', 'GET /aiagent'], when: served }).handles(async (call, next) => {
  const keys = [...call.search.keys()].filter((key) => key.startsWith('metadataFilter['));
  const reply = await next();
  if (keys.length < 2 || !succeeded(reply)) return reply;
  const found = new Map<string, unknown>();
  for (const key of keys) {
    const others = keys.filter((each) => each !== key).map((each) => [each, undefined]);
    const one = await next(withQuery(call, Object.fromEntries(others)));
    for (const item of items(parsed(one))) found.set(idOf(item), item);
  }
  return relisted(reply, () => [...found.values()]);
});

const collator = new Intl.Collator('de', { sensitivity: 'base', numeric: true });
const ordinal = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Puts the policies that a partial order names behind the others. */
const partialOrderLast: Make = at({ op: SET, when: served }).handles(async (call, next, context) => {
  if (!Array.isArray(call.json)) return next();
  const order = (await orderOf(context)).map(idOf);
  const named = asList(call.json).map(idOf);
  if (new Set(named).size !== named.length || named.some((id) => !order.includes(id))) return next();
  const whole = [...order.filter((id) => !named.includes(id)), ...named];
  return next(withBody(whole.map((id, index) => ({ id, order: index }))));
});

const MOST = 'maximum page size: not shown (api.md 8)';

/** Limits the page size given by some parameters. */
const atMost =
  (most: Readonly<Record<string, number>>): Make =>
  () =>
  (call, next) =>
    next(
      withQuery(
        call,
        Object.fromEntries(Object.entries(most).filter(([name, size]) => Number(call.search.get(name) ?? 0) > size)),
      ),
    );

const ENUMS = ['sortDirection', 'runType'];
const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const BODIES: readonly Variation[] = [
  variation('metadata-matches-any-key', `combines the keys of a metadataFilter by OR: ${NOT_SHOWN}`).by(matchingAny),
  variation('empty-lists-as-null', FIELDS).json((value, call) =>
    Array.isArray(value) || /summary|byprocessingorder/i.test(call.path)
      ? value
      : eachMember((member) => (Array.isArray(member) && member.length === 0 ? null : member))(value),
  ),
  variation('names-in-pascal-case', FIELDS).json((value, call) =>
    call.path.toLowerCase().includes('policies')
      ? objects(value, (object) =>
          Object.fromEntries(Object.entries(object).map(([name, member]) => [pascal(name), member])),
        )
      : value,
  ),
  variation('other-id-in-body-400', INVALID).refuses(
    (call) => hit(call, UPDATE) && idOf(call.json) !== '' && idOf(call.json) !== itemId(call),
  ),
  variation('markup-in-query-400', INVALID).refuses((call) =>
    [...call.search.values()].some((value) => /<[a-z!/?]/i.test(value)),
  ),
  variation('lone-surrogates-400', '400 request malformed (api.md 7)').refuses((call) =>
    /\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2}/i.test(call.body.toString()),
  ),
  variation('inconsistent-clue-400', INVALID).refuses(
    (call) => hit(call, 'POST /clue') && new Set(clueParts(call.json).map((part) => part['attribute-origin'])).size > 1,
  ),
  variation('vocabulary-empty', `the response of vocabs/keys: ${NOT_SHOWN}`).handles('GET /vocabs/keys', () =>
    json([]),
  ),
];

const QUERIES: readonly Variation[] = [
  variation('search-by-prefix', `how searchName matches: ${NOT_SHOWN}`).by(
    finding((name, wanted) => name.toLowerCase().startsWith(wanted.toLowerCase())),
  ),
  variation('search-by-any-word', `how searchName matches: ${NOT_SHOWN}`).by(
    finding((name, wanted) => wordsOf(wanted).some((word) => wordsOf(name).includes(word))),
  ),
  variation('search-case-sensitive', `how searchName matches: ${NOT_SHOWN}`).by(
    finding((name, wanted) => name.includes(wanted)),
  ),
  variation('order-by-culture', `how texts are ordered: ${NOT_SHOWN}`).by(ordering((a, b) => collator.compare(a, b))),
  variation('order-by-code-point', `how texts are ordered: ${NOT_SHOWN}`).by(ordering(ordinal)),
  variation('pages-at-most-as-default', MOST).by(atMost({ take: 20, pageSize: 10 })),
  variation('suggest-needs-parameters', `parameters of search suggest: ${NOT_SHOWN}`).refuses(
    (call) => hit(call, ['GET /v2/search/suggest', 'GET /v3/search/suggest']) && call.search.size === 0,
  ),
  variation('enums-by-name-only', `values of SortDirection and RunTypeFilter: ${NOT_SHOWN}`).refuses((call) =>
    ENUMS.some((name) => /^\d+$/.test(call.search.get(name) ?? '')),
  ),
  variation('enums-by-number-only', `values of SortDirection and RunTypeFilter: ${NOT_SHOWN}`).refuses((call) =>
    ENUMS.some((name) => /[^\d]/.test(call.search.get(name) ?? '')),
  ),
  variation('unknown-state-400', `values of state: ${NOT_SHOWN}`).refuses(
    (call) => call.search.has('state') && !/^(?:pending|approved|rejected)$/i.test(call.search.get('state') ?? ''),
  ),
  variation('unknown-result-type-404', `values of type: ${NOT_SHOWN}`).by(
    at({ op: RESULTS, when: ({ search }) => search.size === 0 }).successes((reply) =>
      items(parsed(reply)).length === 0 ? problem(404) : reply,
    ),
  ),
];

/** The first members of the pointers of a patch. */
const patchedMembers = (call: Call): readonly string[] =>
  asList(call.json).map((operation) => textOf(operation, 'path').split('/')[1] ?? '');

const RULES: readonly Variation[] = [
  variation('partial-order-goes-last', `an order that names too few: ${NOT_SHOWN}`).by(partialOrderLast, {
    decides: 'orders of some policies',
  }),
  variation('patch-of-few-members-400', `which members can be patched: ${NOT_SHOWN}`).refuses(
    (call) =>
      call.method === 'PATCH' &&
      Array.isArray(call.json) &&
      (call.json.length === 0 ||
        patchedMembers(call).some((name) => !['name', 'description', 'prompt', 'metadata'].includes(name))),
  ),
  variation('patch-of-read-only-400', `which members can be patched: ${NOT_SHOWN}`).refuses(
    (call) =>
      call.method === 'PATCH' &&
      asList(call.json).some((operation) =>
        /^\/(?:id|createdAt|createdBy|modifiedAt|modifiedBy|resultsSummary|jobProgressId|providerDefinitionId|cost\w+|totalTokenCost|endpointName)\b/.test(
          textOf(operation, 'path'),
        ),
      ),
  ),
];

export const CHOICES: readonly Variation[] = [...BODIES, ...QUERIES, ...RULES];
