import type { Defect } from '../defect.ts';
import { hit, withQuery } from '../proxy/call.ts';
import { at, listAt } from '../proxy/handler.ts';
import { asObject, idOf } from '../proxy/json.ts';
import { createdId, relisted, succeeded } from '../proxy/reply.ts';
import type { OperationId } from '../proxy/call.ts';
import type { Make } from '../proxy/message.ts';
import { FORMS, METADATA, defect, str, warningDefect, where } from './kit.ts';
import { CREATE, LIST, LIST_JOBS } from './operations.ts';

const CREATIONS = [CREATE, 'POST /aiagent', 'POST /aijob'] as const;
const METADATA_LISTS = ['GET /aiagent', LIST_JOBS] as const;

const OFFERED = 'responses are offered as application/json, text/json and text/plain (section 4)';

const keys = (search: URLSearchParams): readonly string[] =>
  [...search.keys()].filter((key) => key.startsWith('metadataFilter['));

/** A filter does not find what was created through a form. */
const missesCreatedThrough =
  (form: string, lists: readonly OperationId[], isFiltered: (search: URLSearchParams) => boolean): Make =>
  () => {
    const created = new Set<string>();
    return async (call, next) => {
      const reply = await next();
      if (!succeeded(reply)) return reply;
      if (hit(call, { op: CREATIONS, form })) created.add(createdId(reply));
      return hit(call, lists) && isFiltered(call.search)
        ? relisted(reply, (all) => all.filter((item) => !created.has(idOf(item))))
        : reply;
    };
  };

/** A filter selects among the first items of the list only. */
const selectsAmongFirst = (
  most: number,
  lists: readonly OperationId[],
  isFiltered: (search: URLSearchParams) => boolean,
  query = '',
): Make =>
  at({ op: lists, when: ({ search }) => isFiltered(search) }).relists(async (all, call, context) => {
    const first = new Set((await listAt(context, `${call.path}${query}`)).slice(0, most).map(idOf));
    return all.filter((item) => first.has(idOf(item)));
  });

/** Defects of filters by what items have, and by how they were created. */
export const METADATA_FILTERS: readonly Defect[] = [
  defect('metadata-filter-value-ends-at-a-comma', METADATA, METADATA_LISTS, ['filters']).by(
    at(METADATA_LISTS).requests((call) =>
      withQuery(
        call,
        Object.fromEntries(keys(call.search).map((key) => [key, (call.search.get(key) ?? '').split(',')[0]])),
      ),
    ),
  ),
  defect('metadata-filter-of-dotted-keys-selects-nothing', METADATA, METADATA_LISTS, ['filters']).by(
    at(where(METADATA_LISTS, (_, { search }) => keys(search).some((key) => key.includes('.')))).relists(() => []),
  ),
  defect('metadata-filter-by-a-key-with-capitals-selects-nothing', METADATA, METADATA_LISTS, ['filters']).by(
    at(where(METADATA_LISTS, (_, { search }) => keys(search).some((key) => /\[.*[A-Z ]/.test(key)))).relists(() => []),
  ),
  defect('metadata-filter-by-a-key-of-none-selects-all', METADATA, METADATA_LISTS, ['filters']).by(
    at(METADATA_LISTS).handles(async (call, next, context) => {
      const all = await listAt(context, call.path);
      const known = new Set(all.flatMap((item) => Object.keys(asObject(asObject(item)['metadata']))));
      const isUnknown = (key: string): boolean => !known.has(key.slice('metadataFilter['.length, -1));
      return next(keys(call.search).some(isUnknown) ? { query: '' } : undefined);
    }),
  ),
  warningDefect('metadata-filter-finds-values-by-their-beginning', METADATA, METADATA_LISTS, ['filters']).by(
    at(METADATA_LISTS).relists(async (list, { path, search }, context) => {
      const wanted = keys(search).map((key) => [key.slice('metadataFilter['.length, -1), search.get(key) ?? '']);
      const begins = (item: unknown): boolean =>
        wanted.every(([key = '', value = '']) =>
          str(asObject(asObject(item)['metadata'])[key] ?? '\0').startsWith(value),
        );
      return wanted.length === 0 ? list : (await listAt(context, path)).filter(begins);
    }),
  ),
  defect('filters-ignored-for-text-plain', OFFERED, [LIST, ...METADATA_LISTS], ['filters']).by(
    at(where([LIST, ...METADATA_LISTS], (_, { headers }) => headers['accept'] === 'text/plain')).requests((call) =>
      withQuery(
        call,
        Object.fromEntries([...keys(call.search), 'searchName', 'filterActive'].map((key) => [key, undefined])),
      ),
    ),
  ),
  defect('metadata-filter-reads-five-entries', METADATA, METADATA_LISTS, ['filters']).by(
    at(METADATA_LISTS).relists((all, { search }) => {
      const wanted = keys(search).map((key) => key.slice('metadataFilter['.length, -1));
      const first = (item: unknown): readonly string[] => Object.keys(asObject(asObject(item)['metadata'])).slice(0, 5);
      return all.filter((item) => wanted.every((key) => first(item).includes(key)));
    }),
  ),
  defect('metadata-filter-reads-two-keys', METADATA, METADATA_LISTS, ['query-styles']).by(
    at(METADATA_LISTS).requests((call) =>
      withQuery(
        call,
        Object.fromEntries(
          keys(call.search)
            .slice(2)
            .map((key) => [key, undefined]),
        ),
      ),
    ),
  ),
  defect('metadata-filter-reads-fifty-items', METADATA, METADATA_LISTS, ['filters']).by(
    selectsAmongFirst(50, METADATA_LISTS, (search) => keys(search).length > 0),
  ),
  defect(
    'search-reads-a-hundred-policies',
    'searchName selects by name (section 4)',
    [LIST],
    ['filters', 'paging-partition'],
  ).by(selectsAmongFirst(100, [LIST], (search) => search.has('searchName'), '?take=100')),
  defect('item-of-two-metadata-keys-listed-twice', METADATA, METADATA_LISTS, ['created-reads-back']).by(
    at(METADATA_LISTS).relists((all, { search }) =>
      keys(search).length > 1 ? all.flatMap((item) => [item, item]) : all,
    ),
  ),
  defect('metadata-filter-misses-what-was-created-through-api', FORMS, METADATA_LISTS, ['filters', 'query-styles']).by(
    missesCreatedThrough('/api', METADATA_LISTS, (search) => keys(search).length > 0),
  ),
  defect('active-filter-misses-what-was-created-through-api', FORMS, [LIST], ['filters']).by(
    missesCreatedThrough('/api', [LIST], (search) => search.has('filterActive')),
  ),
];
