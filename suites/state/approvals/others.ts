import { sampleBody } from '../../../domain/builtin/bodies/sample-body.ts';
import { makeRanJob, resultType } from '../../../domain/builtin/runs.ts';
import { itemsOf, memberOf } from '../../../domain/items.ts';
import { isObject, isServed } from '../../../spec/index.ts';
import type { Exchange, FindingCode, Form } from '../../../spec/index.ts';
import type { Evaluation, TestContext } from '../../kit/context.ts';
import { persists } from '../../kit/polling.ts';
import { violationOf } from '../../kit/violation.ts';
import type { Tested } from '../define.ts';
import type { Accepted } from './forms.ts';
import { listResults, listRunResults, undecidedIds } from './results.ts';
import type { Results } from './results.ts';

/** Results that no decision of the test names. */
export interface OtherResults {
  readonly code: FindingCode;
  readonly whose: string;
  readonly path: Results['path'];
  readonly states: ReadonlyMap<string, string>;
  readonly exchange: Exchange;
}

/** Results of another new job that nobody decides. The job that all tests share may have decided results already. */
export async function resultsOfOtherJob(t: TestContext, form: Form): Promise<OtherResults> {
  const { jobId: id } = await makeRanJob(t, 1);
  const path = { id, type: await resultType(t) };
  const { states, exchange } = await listResults(t, form, path);
  return { code: 'approvals/other-job', whose: 'the other job', path, states, exchange };
}

/** Results of the same job under other types, as far as its runs show their types. */
export async function resultsOfOtherTypes(
  t: TestContext,
  form: Form,
  results: Results,
): Promise<readonly OtherResults[]> {
  const listed = itemsOf((await listRunResults(t, form, results)).response?.json) ?? [];
  const types = new Set(listed.map((item) => memberOf(item, 'type')).filter((type) => typeof type === 'string'));
  types.delete(results.path.type);
  const others: OtherResults[] = [];
  for (const type of types) {
    const path = { id: results.path.id, type };
    const { states, exchange } = await listResults(t, form, path);
    const whose = `type ${type}`;
    // A list that ignores the type shows the results that are decided, too.
    const own = new Map([...states].filter(([id]) => !results.known.has(id)));
    others.push({ code: 'approvals/other-result', whose, path, states: own, exchange });
  }
  return others;
}

export async function findOthersChanged(
  t: TestContext,
  { operation, form, accepted }: Tested & { readonly accepted: readonly Accepted[] },
  { code, whose, path, states, exchange }: OtherResults,
): Evaluation {
  const seen = await listResults(t, form, path);
  const moved = [...states].find(([id, state]) => seen.states.get(id) !== state);
  if (moved === undefined || !isServed(seen.exchange)) return undefined;
  return violationOf(code, operation, {
    requirement: 'approvals.moves-state',
    expected: `unchanged results of ${whose}`,
    received: `result ${moved[0]} is ${seen.states.get(moved[0]) ?? 'not listed'}`,
    exchanges: [exchange, ...accepted.map((each) => each.exchange), seen.exchange],
  });
}

/** Names a result of another job. Whether that is refused is not documented; if it is, it must not decide the result. */
export async function findRefusedMoved(
  t: TestContext,
  { operation, form }: Tested,
  results: Results,
  other: OtherResults,
): Evaluation {
  const [id] = undecidedIds(other.states, results.initial);
  const sample = sampleBody(operation.id, '', { resultIds: [id ?? ''] });
  if (id === undefined || !isObject(sample)) return undefined;
  const json = { ...sample, action: 0 };
  const sent = await t.send(operation, { form, path: results.path, json, label: 'approve a result of another job' });
  const { status = 500 } = sent.response ?? {};
  if (status < 400 || status >= 500) return undefined;
  return persists(t, async () => {
    const seen = await listResults(t, form, other.path);
    if (!isServed(seen.exchange) || seen.states.get(id) === other.states.get(id)) return undefined;
    return violationOf('approvals/refused-moves', operation, {
      requirement: 'errors.refused-changes-nothing',
      expected: `result ${id} of the other job in state ${other.states.get(id)}`,
      received: `it is ${seen.states.get(id) ?? 'not listed'}`,
      exchanges: [other.exchange, sent, seen.exchange],
    });
  });
}
