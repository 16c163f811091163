import { sampleBody } from '../../../domain/builtin/bodies/sample-body.ts';
import { hasSlowRuns } from '../../../domain/builtin/runs.ts';
import { settled } from '../../../domain/context.ts';
import { isObject } from '../../../spec/index.ts';
import type { Exchange } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import type { Tested } from '../define.ts';
import { listRuns } from '../jobs/run-end.ts';
import { listResults, undecidedIds } from './results.ts';
import type { Results } from './results.ts';

/**
 * Approves a result after another run of its job was queued. That a new run makes earlier results obsolete is not excluded, so that the
 * approval may be refused; but not with 404 while the list shows the result.
 */
export async function approvesOfEarlierRun(
  t: TestContext,
  { operation, form }: Tested,
  { path, initial, known }: Results,
): Promise<void> {
  if (!hasSlowRuns(t)) await settled(t, async () => (await listRuns(t, form, path.id)).runs.length > 1);
  const open = async (): Promise<readonly string[]> =>
    undecidedIds((await listResults(t, form, path)).states, initial).filter(
      (id) => known.get(id)?.decided === undefined,
    );
  const id = (await open()).find((each) => known.has(each));
  if (id === undefined) return;
  const sample = sampleBody(operation.id, '', { resultIds: [id] });
  const json = isObject(sample) ? { ...sample, action: 0 } : {};
  const send = (): Promise<Exchange> =>
    t.sendQuietly(operation, { form, path, json, label: 'approve a result of an earlier run' });
  let sent = await send();
  const isMissing = ({ response }: Exchange): boolean => response?.status === 404;
  await settled(t, async () => !isMissing(sent) || !isMissing((sent = await send())));
  t.judge(operation, sent, isMissing(sent) && (await open()).includes(id) ? 'success' : 'any');
}
