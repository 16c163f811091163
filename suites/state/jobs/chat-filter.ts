import { operationOf } from '../../../domain/builtin/operations.ts';
import { memberOf } from '../../../domain/items.ts';
import type { PathValues } from '../../../domain/path-values.ts';
import { hasFailed } from '../../../domain/read-list.ts';
import { count } from '../../../spec/count.ts';
import type { FindingCode, Violation } from '../../../spec/index.ts';
import type { Evaluation, TestContext } from '../../kit/context.ts';
import { violationOf } from '../../kit/violation.ts';
import type { Tested } from '../define.ts';
import { haveSameIds, selectItems } from './filtered.ts';
import type { FilteredItems } from './filtered.ts';

/** Chats of a run that includeOnlyChatsWithNoResults selects wrongly. None where the run adds chats or results meanwhile. */
export async function findWrongChats(t: TestContext, target: Tested, path: PathValues): Evaluation {
  const only = (value: boolean | undefined): Promise<FilteredItems> =>
    selectItems(t, target, path, { includeOnlyChatsWithNoResults: value });
  const [unfiltered, results] = [await only(undefined), await resultsOfRun(t, target, path)];
  const [all, selected] = [await only(false), await only(true)];
  // The checks of each response report that.
  if ([unfiltered, all, selected].some(({ exchange }) => hasFailed(exchange))) return undefined;
  const violation = wrongChats(target, { unfiltered, all, selected, results });
  if (violation === undefined) return undefined;
  const isSame =
    haveSameIds(unfiltered, await only(undefined)) && haveSameIds(results, await resultsOfRun(t, target, path));
  return isSame ? violation : undefined;
}

type Reads = Readonly<Record<'unfiltered' | 'all' | 'selected' | 'results', FilteredItems>>;

function wrongChats({ operation }: Tested, { unfiltered, all, selected, results }: Reads): Violation | undefined {
  const violation = (code: FindingCode, requirement: string, shown: Evidence): Violation =>
    violationOf(code, operation, { subject: 'includeOnlyChatsWithNoResults', requirement, ...shown });
  if (unfiltered.ids.length !== all.ids.length)
    return violation('filters/default-value', 'chats.only-no-results-default', {
      expected: `${count(all.ids.length, 'chat')}, as with false`,
      received: count(unfiltered.ids.length, 'chat'),
      exchanges: [all.exchange, unfiltered.exchange],
    });
  const withResults = chatsNamedBy(results);
  const exchanges = [all.exchange, results.exchange, selected.exchange];
  const wrong = selected.ids.find((id) => !all.ids.includes(id) || withResults.has(id));
  if (wrong !== undefined)
    return violation('filters/wrongly-found', 'chats.only-no-results', {
      expected: 'only chats of the run that no result names',
      received: `chat ${wrong}, which ${withResults.has(wrong) ? 'a result names' : 'the unfiltered list lacks'}`,
      exchanges,
    });
  const missing = all.ids.find((id) => !withResults.has(id) && !selected.ids.includes(id));
  if (missing === undefined || withResults.size === 0) return undefined;
  return violation('filters/not-found', 'chats.only-no-results', {
    expected: `chat ${missing}, which no result names`,
    received: `${count(selected.ids.length, 'chat')} without it`,
    exchanges,
  });
}

type Evidence = Pick<Violation, 'expected' | 'received' | 'exchanges'>;

/** The results of a run, of all types. */
export function resultsOfRun(t: TestContext, { form }: Tested, path: PathValues): Promise<FilteredItems> {
  const target = { operation: operationOf(t, 'runResults'), form };
  return selectItems(t, target, { id: path['jobId'] ?? '', runId: path['runId'] ?? '' }, {}, { size: 200 });
}

/** Ids of the chats that results name, in lower case. */
function chatsNamedBy({ items }: FilteredItems): ReadonlySet<string> {
  const ids = items.map((item) => memberOf(item, 'chatId'));
  return new Set(ids.flatMap((id) => (typeof id === 'string' ? [id.toLowerCase()] : [])));
}
