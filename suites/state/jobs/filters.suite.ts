import { ranJob, resultType, resultTypes } from '../../../domain/builtin/runs.ts';
import { idOf, memberOf, sameId } from '../../../domain/items.ts';
import type { PathValues } from '../../../domain/path-values.ts';
import { count } from '../../../spec/count.ts';
import type { FindingCode, Json, Violation } from '../../../spec/index.ts';
import type { Evaluation, TestContext } from '../../kit/context.ts';
import { openSession } from '../../kit/session.ts';
import { violationOf } from '../../kit/violation.ts';
import { defineForRole } from '../define.ts';
import type { Tested } from '../define.ts';
import { findWrongChats, resultsOfRun } from './chat-filter.ts';
import { findOtherPages, haveSameIds, isReadable, selectItems } from './filtered.ts';
import type { Filter, FilteredItems } from './filtered.ts';

const session = await openSession();

const base = { suite: 'state/jobs/filters', checks: ['filters'] as const, effects: ['read'] as const };

defineForRole(session, 'chats', {
  ...base,
  title: 'includeOnlyChatsWithNoResults selects chats without results, and is false by default',
  requirements: ['chats.only-no-results', 'chats.only-no-results-default'],
  run: async (t, target) => {
    const { jobId, runIds } = await ranJob(t);
    const path = { jobId, runId: runIds[0] ?? '' };
    await t.holds((t) => findWrongChats(t, target, path));
    const filter = { includeOnlyChatsWithNoResults: true };
    await t.holds((t) => findOtherPages(t, target, path, filter, 'chats.only-no-results'));
  },
});

defineForRole(session, 'runs', {
  ...base,
  title: 'runType selects the runs of that type',
  requirements: ['runs.run-type'],
  run: async (t, target) => {
    const { jobId } = await ranJob(t);
    await t.holds(async (t) => {
      const ofType = (filter: Filter): Promise<FilteredItems> => selectItems(t, target, { id: jobId }, filter);
      const all = await ofType({});
      const selections = [await ofType({ runType: 0 }), await ofType({ runType: 1 }), await ofType({ runType: 2 })];
      const isSelective = selections.some(({ ids }) => ids.length < all.ids.length);
      if (all.ids.length === 0 || !selections.every(isReadable)) return undefined;
      if (isSelective) return findLostType(target, all, selections);
      return violationOf('filters/ignored', target.operation, {
        subject: 'runType',
        requirement: 'runs.run-type',
        expected: 'fewer runs for at least one of the types',
        received: `${count(all.ids.length, 'run')} for every type`,
        exchanges: [all, ...selections].map(({ exchange }) => exchange),
      });
    });
    for (const runType of [0, 1, 2])
      await t.holds((t) => findOtherPages(t, target, { id: jobId }, { runType }, 'runs.run-type'));
  },
});

/** A run that none of the published types selects, although every run has a type. */
function findLostType(
  { operation }: Tested,
  all: FilteredItems,
  selections: readonly FilteredItems[],
): Violation | undefined {
  const lost = all.ids.find((id) => selections.every(({ ids }) => !ids.includes(id)));
  if (lost === undefined) return undefined;
  return violationOf('filters/not-found', operation, {
    subject: 'runType',
    requirement: 'runs.run-type',
    grade: 'published',
    expected: `run ${lost} in the list of one of the types`,
    received: 'it is listed only without runType',
    exchanges: [all, ...selections].map(({ exchange }) => exchange),
  });
}

defineForRole(session, 'results', {
  ...base,
  title: 'state, searchName and type select results',
  requirements: ['results.filter-state', 'results.search-name', 'results.type', 'results.state-exists'],
  run: async (t, target) => {
    const { jobId } = await ranJob(t);
    const path = { id: jobId, type: await resultType(t) };
    let filters: readonly (readonly [requirement: string, Filter])[] = [];
    let all: FilteredItems | undefined;
    await t.holds(async (t) => {
      all = await selectResults(t, target, path, {});
      const searchName = wordOfSome(all);
      const states = [...statesOf(all), NO_STATE].map((state) => [REQUIREMENTS.state, { state }] as const);
      filters = searchName === undefined ? states : [...states, [REQUIREMENTS.searchName, { searchName }]];
      return (
        (await findNoneOfType(t, target, path, all)) ??
        (await findWrongState(t, target, path, all)) ??
        (await findWrongType(t, target, path, all)) ??
        (await findWrongName(t, target, path, all)) ??
        (await findWrongBoth(t, target, path, all))
      );
    });
    for (const [requirement, filter] of filters)
      await t.holds((t) => findOtherPages(t, target, path, filter, requirement));
    if (all?.items.length === 0) for (const each of Object.values(REQUIREMENTS)) t.leavesOpen(each);
    if (all === undefined || statesOf(all).length === 0) t.leavesOpen('results.state-exists');
  },
});

function selectResults(t: TestContext, target: Tested, path: PathValues, filter: Filter): Promise<FilteredItems> {
  return selectItems(t, target, path, filter, { size: 500 });
}

interface WrongSelection {
  readonly code: FindingCode;
  readonly subject: 'state' | 'type' | 'searchName';
  readonly expected: string;
  readonly received: string;
  readonly pages: readonly FilteredItems[];
  readonly grade?: 'inferred';
}

const REQUIREMENTS = {
  state: 'results.filter-state',
  type: 'results.type',
  searchName: 'results.search-name',
} as const;

function wrongSelection({ operation }: Tested, { code, pages, ...evidence }: WrongSelection): Violation {
  const requirement = REQUIREMENTS[evidence.subject];
  return violationOf(code, operation, { ...evidence, requirement, exchanges: pages.map(({ exchange }) => exchange) });
}

const NO_STATE = 'assay-no-such-state';

/** That a state which does not exist selects nothing, and is not ignored, is not documented. */
const gradeFor = (state: string): { readonly grade?: 'inferred' } => (state === NO_STATE ? { grade: 'inferred' } : {});

function statesOf({ items }: FilteredItems): readonly string[] {
  return [...new Set(items.map((item) => memberOf(item, 'state')).filter((each) => typeof each === 'string'))];
}

/** Each state that results have, and a state that none has, must select exactly the results in that state. */
async function findWrongState(t: TestContext, target: Tested, path: PathValues, all: FilteredItems): Evaluation {
  for (const state of [...statesOf(all), NO_STATE]) {
    const seen = await selectResults(t, target, path, { state });
    if (!isReadable(seen)) continue;
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
      ...gradeFor(state),
    });
  }
  return undefined;
}

/** A search combined with a state must select the results that match both. */
async function findWrongBoth(t: TestContext, target: Tested, path: PathValues, all: FilteredItems): Evaluation {
  const searchName = wordOfSome(all);
  if (searchName === undefined) return undefined;
  const named = await selectResults(t, target, path, { searchName });
  for (const state of [...statesOf(all), NO_STATE]) {
    const seen = await selectResults(t, target, path, { searchName, state });
    if (!isReadable(named) || !isReadable(seen)) continue;
    const expected = named.items.filter((item) => memberOf(item, 'state') === state).length;
    if (seen.items.length === expected) continue;
    // A run that is not over adds results.
    if (!haveSameIds(named, await selectResults(t, target, path, { searchName }))) return undefined;
    const alone = await selectResults(t, target, path, { state });
    const isIgnoredAlone = !isReadable(alone) || alone.items.length > 0;
    return wrongSelection(target, {
      code: seen.items.length > expected ? 'filters/wrongly-found' : 'filters/not-found',
      subject: 'state',
      expected: `${expected} results: those of the search that are in state ${state}`,
      received: `${seen.items.length} results`,
      pages: [named, alone, seen],
      // A state that selects nothing alone is not ignored, so that it must not be in a search either.
      ...(isIgnoredAlone ? gradeFor(state) : {}),
    });
  }
  return undefined;
}

/** A word of a description: if possible one that not all descriptions contain. */
function wordOfSome({ items }: FilteredItems): string | undefined {
  const texts = items.map((item) => memberOf(item, 'description')).filter((each) => typeof each === 'string');
  const words = [...new Set(texts.flatMap((text) => text.match(/[\p{L}\p{N}][\p{L}\p{N}.-]{2,}/gu) ?? []))];
  return words.find((word) => texts.some((text) => !text.includes(word))) ?? words[0];
}

/** An empty list of a type that the results of a run of the job, which is over, have. */
async function findNoneOfType(
  t: TestContext,
  target: Tested,
  path: PathValues & { readonly type: string },
  all: FilteredItems,
): Evaluation {
  const { jobId, runIds, isOver } = await ranJob(t);
  if (!isOver || !isReadable(all) || all.items.length > 0) return undefined;
  const results = await resultsOfRun(t, target, { jobId, runId: runIds[0] ?? '' });
  const count = results.items.filter((item) => memberOf(item, 'type') === path.type).length;
  if (count === 0) return undefined;
  const violation = wrongSelection(target, {
    code: 'filters/not-found',
    subject: 'type',
    expected: `the ${count} results of type ${path.type} that a run of the job has`,
    received: 'an empty list',
    pages: [results, all],
  });
  // Whether the list holds all results of runs is not stated.
  return { ...violation, grade: 'inferred' };
}

/** Most other types that are read. */
const MOST_TYPES = 2;

/** Each type that results have selects results of that type. */
async function findWrongType(
  t: TestContext,
  target: Tested,
  path: PathValues & { readonly type: string },
  all: FilteredItems,
): Evaluation {
  const types = (await resultTypes(t)).filter((each) => each !== path.type).slice(0, MOST_TYPES);
  for (const type of [path.type, ...types]) {
    const seen = type === path.type ? all : await selectResults(t, target, { ...path, type }, {});
    const other = otherTypeIn(seen, type);
    if (other === undefined || !isReadable(seen)) continue;
    // A list may be that of what was listed first: evidence for it is the list of the other type before this one.
    const before = await selectResults(t, target, { ...path, type: other }, {});
    const again = await selectResults(t, target, { ...path, type }, {});
    return wrongSelection(target, {
      code: 'filters/wrongly-found',
      subject: 'type',
      expected: `results of type ${type}`,
      received: JSON.stringify(other),
      pages: otherTypeIn(again, type) === other ? [before, again] : [seen],
    });
  }
  return undefined;
}

/** A type that a result in the list of another type has. */
function otherTypeIn({ items }: FilteredItems, type: string): string | undefined {
  const shown = items.map((item) => memberOf(item, 'type'));
  return shown.filter((each) => typeof each === 'string').find((each) => each !== type);
}

/** searchName with an unused name must select no result; where results have names, it must find them. */
async function findWrongName(t: TestContext, target: Tested, path: PathValues, all: FilteredItems): Evaluation {
  const unused = await selectResults(t, target, path, { searchName: `${t.tag}-unused` });
  if (isReadable(unused) && unused.items.length > 0) {
    const received = `${unused.items.length} results`;
    const code = 'filters/wrongly-found';
    return wrongSelection(target, { code, subject: 'searchName', expected: 'no results', received, pages: [unused] });
  }
  const name = memberOf(all.items[0], 'name');
  if (typeof name !== 'string') return undefined;
  const named = await selectResults(t, target, path, { searchName: name });
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
