import { contract } from '../fault.ts';
import type { Fields } from '../../model/shape.ts';
import { Query } from '../../http/query.ts';
import type { Call, Wrap } from '../../http/call.ts';
import * as op from '../operations.ts';
import { before, body, ignoring, query, textOf } from '../parts.ts';

const ACTIVE = 'filterActive selects the policies that are active, or those that are not.';
const CREATOR = 'filterCreator selects the policies of a creator.';
const NAME = 'searchName selects by name.';
const ORDER = 'orderBy sorts by a field, ascending unless orderAsc is false.';
const METADATA = 'metadataFilter selects by every key that it names.';

function inverted(given: string | undefined): string | undefined {
  return given === undefined ? undefined : String(given.toLowerCase() !== 'true');
}

/** Keeps the first pair of a deepObject parameter. */
const firstPairOnly = before((call: Call) => {
  const pairs = call.query.entries();
  const first = pairs.findIndex(([name]) => name.startsWith('metadataFilter['));
  call.query = new Query(pairs.filter(([name], index) => !name.startsWith('metadataFilter[') || index === first));
});

const noPairs = before((call: Call) => {
  call.query = new Query(call.query.entries().filter(([name]) => !name.startsWith('metadataFilter[')));
});

/** Serves an option as if it had been left out, then swaps what it would have told apart. */
function exceptCase(name: string, keep: (item: Fields, wanted: string) => boolean): Wrap {
  return async (call, next) => {
    const wanted = call.query.text(name);
    const answer = await next(call);
    if (wanted === undefined || !Array.isArray(answer.body)) return answer;
    return { ...answer, body: answer.body.filter((item: Fields) => keep(item, wanted)) };
  };
}

const firstObjectOnly = before((call: Call) => {
  const [first] = call.query.list('objectIds');
  call.query = call.query.with('objectIds', first);
});

const roundedOffset = query('offset', (given) =>
  given !== undefined && /^-?\d+$/.test(given) ? String(BigInt(Number(given))) : given,
);

export const filterFaults = {
  'filter-active-ignored': contract('filterActive is ignored', ACTIVE, [op.POLICIES], () => ({
    outer: ignoring('filterActive'),
  })),
  'filter-active-inverted': contract('filterActive is inverted', ACTIVE, [op.POLICIES], () => ({
    outer: query('filterActive', inverted),
  })),
  'filter-active-false-ignored': contract('filterActive=false selects everything', ACTIVE, [op.POLICIES], () => ({
    outer: query('filterActive', (given) => (given?.toLowerCase() === 'false' ? undefined : given)),
  })),
  'filter-active-default-true': contract(
    'Only active policies are listed where filterActive is left out',
    ACTIVE,
    [op.POLICIES],
    () => ({ outer: query('filterActive', (given) => given ?? 'true') }),
  ),
  'filter-creator-ignored': contract('filterCreator is ignored', CREATOR, [op.POLICIES], () => ({
    outer: ignoring('filterCreator'),
  })),
  'filter-creator-nothing': contract('filterCreator selects nothing', CREATOR, [op.POLICIES], () => ({
    inner: exceptCase('filterCreator', () => false),
  })),
  'search-name-ignored': contract('searchName is ignored', NAME, [op.POLICIES], () => ({
    outer: ignoring('searchName'),
  })),
  'search-name-inverted': contract('searchName selects what does not have the name', NAME, [op.POLICIES], () => ({
    inner: async (call, next) => {
      const wanted = call.query.text('searchName');
      call.query = call.query.with('searchName', undefined);
      return wanted === undefined ? next(call) : exceptName(wanted)(call, next);
    },
  })),
  'search-name-loses-last': contract('searchName loses its last match', NAME, [op.POLICIES], () => ({
    inner: (call, next) => (call.query.text('searchName') === undefined ? next(call) : dropLast(call, next)),
  })),
  'search-overrides-active': contract('filterActive is ignored beside searchName', ACTIVE, [op.POLICIES], () => ({
    outer: query('filterActive', (given, call) => (call.query.text('searchName') === undefined ? given : undefined)),
  })),
  'order-by-ignored': contract('orderBy is ignored', ORDER, [op.POLICIES], () => ({ outer: ignoring('orderBy') })),
  'order-asc-ignored': contract('orderAsc is ignored', ORDER, [op.POLICIES], () => ({ outer: ignoring('orderAsc') })),
  'order-asc-default-false': contract('Lists descend where orderAsc is left out', ORDER, [op.POLICIES], () => ({
    outer: query('orderAsc', (given) => given ?? 'false'),
  })),
  'order-asc-inverted': contract('orderAsc is inverted', ORDER, [op.POLICIES], () => ({
    outer: query('orderAsc', inverted),
  })),
  'sort-direction-ignored': contract(
    'sortDirection is ignored',
    'sortDirection turns the order of the items.',
    [op.RUNS, op.CHATS, op.RESULTS, op.RUN_RESULTS],
    () => ({ outer: ignoring('sortDirection') }),
  ),
  'state-filter-ignored': contract(
    'state is ignored',
    'state selects the results in that state.',
    [op.RESULTS],
    () => ({ outer: ignoring('state') }),
  ),
  'result-search-ignored': contract('searchName of results is ignored', NAME, [op.RESULTS], () => ({
    outer: ignoring('searchName'),
  })),
  'only-empty-chats-ignored': contract(
    'includeOnlyChatsWithNoResults is ignored',
    'includeOnlyChatsWithNoResults selects the chats without results.',
    [op.CHATS],
    () => ({ outer: ignoring('includeOnlyChatsWithNoResults') }),
  ),
  'only-empty-chats-default-true': contract(
    'Only chats without results are listed',
    'includeOnlyChatsWithNoResults is false where it is left out.',
    [op.CHATS],
    () => ({ outer: query('includeOnlyChatsWithNoResults', (given) => given ?? 'true') }),
  ),
  'run-type-ignored': contract('runType is ignored', 'runType selects the runs of that type.', [op.RUNS], () => ({
    outer: ignoring('runType'),
  })),
  'metadata-filter-ignored': contract('metadataFilter is ignored', METADATA, [op.AGENTS, op.JOBS], () => ({
    outer: noPairs,
  })),
  'metadata-filter-first-key': contract('metadataFilter heeds its first key only', METADATA, [op.JOBS], () => ({
    outer: firstPairOnly,
  })),
  'metadata-filter-selects-nothing': contract(
    'metadataFilter of agents selects nothing',
    METADATA,
    [op.AGENTS],
    () => ({
      inner: (call, next) => (call.query.deepObject('metadataFilter').size === 0 ? next(call) : nothing(call, next)),
    }),
  ),
  'object-ids-first-only': contract(
    'Only the first of several objectIds counts',
    'objectIds is an array of uuids, given by repeating the key.',
    [op.AUDIT_MANY],
    () => ({ outer: firstObjectOnly }),
  ),
  'object-ids-ignored': contract(
    'objectIds is ignored',
    'objectIds selects the entries of these objects.',
    [op.AUDIT_MANY],
    () => ({ outer: ignoring('objectIds') }),
  ),
  'offset-rounded': contract(
    'The offset of the chat stream is rounded to a double',
    'offset is an int64.',
    [op.CHAT_STREAM],
    () => ({ outer: roundedOffset }),
  ),
  'offset-ignored': contract(
    'The offset of the chat stream is ignored',
    'The chat stream starts at the offset.',
    [op.CHAT_STREAM],
    () => ({ outer: ignoring('offset') }),
  ),
  'offset-int32': contract(
    'Offsets of the chat stream beyond int32 are refused',
    'offset is an int64.',
    [op.CHAT_STREAM],
    () => ({
      outer: before((call) => {
        call.query.int32('offset', 0, -(2 ** 31));
      }),
    }),
  ),
} as const;

const nothing: Wrap = body(() => []);
const dropLast: Wrap = body((value) => (Array.isArray(value) && value.length > 1 ? value.slice(0, -1) : value));

function exceptName(wanted: string): Wrap {
  const fits = (item: Fields) => !textOf(item['name']).toLowerCase().includes(wanted.toLowerCase());
  return body((value) => (Array.isArray(value) ? value.filter(fits) : value));
}
