import { operationOf } from '../../../domain/builtin/operations.ts';
import { itemsOf } from '../../../domain/items.ts';
import type { Exchange, Form, Json } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';

export interface Runs {
  readonly runs: readonly Json[];
  readonly exchange: Exchange;
}

/** The first runs of a job: more than a test queues. */
export async function listRuns(t: TestContext, form: Form, jobId: string): Promise<Runs> {
  const query = { pageNumber: 1, pageSize: 50 };
  const exchange = await t.send(operationOf(t, 'runs'), { form, path: { id: jobId }, query, label: 'list the runs' });
  return { runs: itemsOf(exchange.response?.json) ?? [], exchange };
}
