import { operationOf } from '../../../domain/builtin/operations.ts';
import { ranJob, resultType } from '../../../domain/builtin/runs.ts';
import { idOf, itemsOf, keysOf, memberOf, sameId } from '../../../domain/items.ts';
import type { PathValues } from '../../../domain/path-values.ts';
import { readLong } from '../../../domain/read-list.ts';
import { idNameOf } from '../../../domain/resources.ts';
import { isServed } from '../../../spec/index.ts';
import type { Exchange, FindingCode, Json, Violation } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { openSession } from '../../kit/session.ts';
import { violationOf } from '../../kit/violation.ts';
import { findOtherRuns } from './run-types.ts';
import { defineForForms } from '../define.ts';
import type { Target } from '../define.ts';

const session = await openSession();

const base = { suite: 'state/jobs/filters', checks: ['filters'] as const, effects: ['read'] as const };

interface Page {
  readonly items: readonly Json[];
  readonly ids: readonly string[];
  readonly exchange: Exchange;
}

/** Reads a list with filters; a `size` of more than one is larger than the lists of a test. */
async function read(
  t: TestContext,
  { operation, form }: Pick<Target, 'operation' | 'form'>,
  path: PathValues,
  filters: Readonly<Record<string, Json | undefined>>,
  size = 100,
): Promise<Page> {
  const send = (index: number): Promise<Exchange> => {
    const query = { pageNumber: index + 1, pageSize: size, ...filters };
    return t.send(operation, { form, path, query, label: JSON.stringify(filters) });
  };
  const pages = size > 1 ? await readLong(operation, size, send) : ([await send(0)] as const);
  const idName = idNameOf(t.contract, operation);
  return {
    items: pages.flatMap(({ response }) => itemsOf(response?.json) ?? []),
    ids: pages.flatMap(({ response }) => keysOf(response?.json, idName) ?? []),
    exchange: pages[0],
  };
}

const isReadable = ({ exchange }: Page): boolean => isServed(exchange);

defineForForms(
  session,
  'chats',
  {
    ...base,
    title: 'includeOnlyChatsWithNoResults selects chats without results, and is false by default',
    requirements: ['chats.only-no-results', 'chats.only-no-results-default'],
  },
  async (t, target) => {
    const { jobId, runIds } = await ranJob(t);
    await t.holds(() => findWrongChats(t, target, { jobId, runId: runIds[0] ?? '' }));
  },
);

async function findWrongChats(t: TestContext, target: Target, path: PathValues): Promise<Violation | undefined> {
  const select = (value: boolean | undefined): Promise<Page> =>
    read(t, target, path, { includeOnlyChatsWithNoResults: value });
  const [unfiltered, all, selected] = [await select(undefined), await select(false), await select(true)];
  const violation = (code: FindingCode, requirement: string, received: Page, expected: Page): Violation =>
    violationOf(code, target.operation, {
      subject: 'includeOnlyChatsWithNoResults',
      requirement,
      expected: `${expected.ids.length} chats`,
      received: `${received.ids.length} chats`,
      exchanges: [expected.exchange, received.exchange],
    });
  if (unfiltered.ids.length !== all.ids.length)
    return violation('filters/default-value', 'chats.only-no-results-default', unfiltered, all);
  const withResults = await chatsWithResults(t, target, path);
  if (selected.ids.some((id) => !all.ids.includes(id) || withResults.has(id)))
    return violation('filters/wrongly-found', 'chats.only-no-results', selected, all);
  const first = await read(t, target, path, { includeOnlyChatsWithNoResults: true }, 1);
  if (isReadable(first) && first.ids.length === 0 && selected.ids.length > 0)
    return violation('filters/lost-on-page', 'chats.only-no-results', first, selected);
  const isComplete = all.ids.every((id) => withResults.has(id) || selected.ids.includes(id));
  if (isComplete || withResults.size === 0) return undefined;
  return violation('filters/not-found', 'chats.only-no-results', selected, all);
}

/** Ids of the chats that the results of a run name, in lower case. */
async function chatsWithResults(t: TestContext, { form }: Target, path: PathValues): Promise<ReadonlySet<string>> {
  const operation = operationOf(t, 'runResults');
  const { items } = await read(
    t,
    { operation, form },
    { id: path['jobId'] ?? '', runId: path['runId'] ?? '' },
    {},
    200,
  );
  const ids = items.map((item) => memberOf(item, 'chatId'));
  return new Set(ids.flatMap((id) => (typeof id === 'string' ? [id.toLowerCase()] : [])));
}

defineForForms(
  session,
  'runs',
  { ...base, title: 'runType selects runs of a type', requirements: ['runs.run-type'] },
  async (t, target) => {
    const { jobId } = await ranJob(t);
    await t.holds(async () => {
      const select = (filter: Readonly<Record<string, Json>>): Promise<Page> => read(t, target, { id: jobId }, filter);
      const all = await select({});
      const selections = [await select({ runType: 0 }), await select({ runType: 1 }), await select({ runType: 2 })];
      const isSelective = selections.some(({ ids }) => ids.length < all.ids.length);
      if (all.ids.length === 0 || !selections.every(isReadable)) return undefined;
      if (isSelective) {
        const descending = await Promise.all([0, 1, 2].map((runType) => select({ runType, sortDirection: 1 })));
        return findLostType(target, all, selections) ?? findOtherRuns(target.operation, selections, descending);
      }
      return violationOf('filters/ignored', target.operation, {
        subject: 'runType',
        requirement: 'runs.run-type',
        expected: 'fewer runs for at least one of the types',
        received: `${all.ids.length} runs for every type`,
        exchanges: [all, ...selections].map(({ exchange }) => exchange),
      });
    });
  },
);

/** Every run has a type, so that one of the published types selects it. */
function findLostType({ operation }: Target, all: Page, selections: readonly Page[]): Violation | undefined {
  const lost = all.ids.find((id) => selections.every(({ ids }) => !ids.includes(id)));
  if (lost === undefined) return undefined;
  return violationOf('filters/not-found', operation, {
    subject: 'runType',
    requirement: 'runs.run-type',
    grade: 'published',
    expected: `run ${lost} with one of the types`,
    received: 'it is in the list without runType only',
    exchanges: [all, ...selections].map(({ exchange }) => exchange),
  });
}

defineForForms(
  session,
  'results',
  {
    ...base,
    title: 'state, searchName and type select results',
    requirements: ['results.filter-state', 'results.search-name', 'results.type', 'results.state-exists'],
  },
  async (t, target) => {
    const { jobId } = await ranJob(t);
    const path = { id: jobId, type: await resultType(t) };
    await t.holds(async () => {
      const all = await readResults(t, target, path, {});
      return (
        (await findWrongState(t, target, path, all)) ??
        findWrongType(target, path.type, all) ??
        (await findLostState(t, target, path, all)) ??
        (await findWrongName(t, target, path, all))
      );
    });
  },
);

function readResults(
  t: TestContext,
  target: Target,
  path: PathValues,
  filters: Readonly<Record<string, Json>>,
): Promise<Page> {
  return read(t, target, path, filters, 500);
}

interface WrongSelection {
  readonly code: FindingCode;
  readonly subject: 'state' | 'type' | 'searchName';
  readonly expected: string;
  readonly received: string;
  readonly pages: readonly Page[];
}

const REQUIREMENTS = {
  state: 'results.filter-state',
  type: 'results.type',
  searchName: 'results.search-name',
} as const;

function wrongSelection({ operation }: Target, { code, pages, ...evidence }: WrongSelection): Violation {
  const requirement = REQUIREMENTS[evidence.subject];
  return violationOf(code, operation, { ...evidence, requirement, exchanges: pages.map(({ exchange }) => exchange) });
}

/** Every state that results have, and one that none has, selects exactly the results in it, on every page. */
async function findWrongState(
  t: TestContext,
  target: Target,
  path: PathValues,
  all: Page,
): Promise<Violation | undefined> {
  const states = new Set(all.items.map((item) => memberOf(item, 'state')).filter((each) => typeof each === 'string'));
  for (const state of [...states, 'assay-no-such-state']) {
    const seen = await readResults(t, target, path, { state });
    if (!isReadable(seen)) continue;
    const second = seen.items.length === 0 ? await read(t, target, path, { state, pageNumber: 2 }, 1) : undefined;
    if (second !== undefined && isReadable(second) && second.items.length > 0) {
      const expected = `no results in state ${state}, as on the first page`;
      const received = `${second.items.length} results`;
      const code = 'filters/lost-on-next-page';
      return wrongSelection(target, { code, subject: 'state', expected, received, pages: [seen, second] });
    }
    const other = seen.items.find((item) => memberOf(item, 'state') !== state);
    const expected = all.items.filter((item) => memberOf(item, 'state') === state).length;
    if (other === undefined && seen.items.length >= expected) continue;
    return wrongSelection(target, {
      code: other === undefined ? 'filters/not-found' : 'filters/wrongly-found',
      subject: 'state',
      expected: `${expected} results in state ${state}`,
      received:
        other === undefined
          ? `${seen.items.length} results`
          : `one in state ${JSON.stringify(memberOf(other, 'state'))}`,
      pages: [all, seen],
    });
  }
  return undefined;
}

/** A state that no result has selects none, whatever is searched for. */
async function findLostState(
  t: TestContext,
  target: Target,
  path: PathValues,
  all: Page,
): Promise<Violation | undefined> {
  const description = memberOf(all.items[0], 'description');
  const searchName = typeof description === 'string' ? description.match(/\p{L}{4,}/u)?.[0] : undefined;
  if (searchName === undefined) return undefined;
  const seen = await readResults(t, target, path, { searchName, state: 'assay-no-such-state' });
  if (!isReadable(seen) || seen.items.length === 0) return undefined;
  return wrongSelection(target, {
    code: 'filters/wrongly-found',
    subject: 'state',
    expected: 'no results: none has that state',
    received: `${seen.items.length} results that the name selects`,
    pages: [seen],
  });
}

function findWrongType(target: Target, type: string, all: Page): Violation | undefined {
  const other = all.items
    .map((item) => memberOf(item, 'type'))
    .find((each) => typeof each === 'string' && each !== type);
  if (other === undefined) return undefined;
  return wrongSelection(target, {
    code: 'filters/wrongly-found',
    subject: 'type',
    expected: `results of type ${type}`,
    received: JSON.stringify(other),
    pages: [all],
  });
}

/** A name that nothing has selects no result; where results have names, searchName finds them by it. */
async function findWrongName(
  t: TestContext,
  target: Target,
  path: PathValues,
  all: Page,
): Promise<Violation | undefined> {
  const unused = await readResults(t, target, path, { searchName: `${t.tag}-unused` });
  if (isReadable(unused) && unused.items.length > 0) {
    const received = `${unused.items.length} results`;
    const code = 'filters/wrongly-found';
    return wrongSelection(target, { code, subject: 'searchName', expected: 'no results', received, pages: [unused] });
  }
  const name = memberOf(all.items[0], 'name');
  if (typeof name !== 'string') return undefined;
  const named = await readResults(t, target, path, { searchName: name });
  const isFound = (item: Json): boolean => named.items.some((each) => sameId(idOf(each), idOf(item)));
  if (all.items.every((item) => memberOf(item, 'name') !== name || isFound(item))) return undefined;
  return wrongSelection(target, {
    code: 'filters/not-found',
    subject: 'searchName',
    expected: `${name} in the list`,
    received: `${named.items.length} other results`,
    pages: [all, named],
  });
}
