import { operationOf } from '../../../domain/builtin/operations.ts';
import { resultTypes } from '../../../domain/builtin/runs.ts';
import type { RanJob } from '../../../domain/builtin/runs.ts';
import { idOf, itemsIn } from '../../../domain/items.ts';
import { isServed } from '../../../spec/index.ts';
import type { Form } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { reportViolation } from '../../kit/violation.ts';

/** A result must not be readable under another type. */
export async function checkTypes(t: TestContext, form: Form, { jobId }: RanJob): Promise<void> {
  const operation = operationOf(t, 'result');
  const [type, otherType] = await resultTypes(t);
  if (type === undefined || otherType === undefined) return;
  const path = { id: jobId, type };
  const list = await t.send(operationOf(t, 'results'), { form, path, label: `of type ${type}` });
  const resultId = idOf(itemsIn(list)?.[0], 'resultId');
  if (resultId === undefined) return;
  const request = { form, path: { id: jobId, type: otherType, resultId }, label: 'under another type' };
  const seen = await t.send(operation, request);
  if (!isServed(seen)) return;
  reportViolation(t, 'job-ownership/other-type', operation, {
    requirement: 'errors.not-found',
    // What the type in the path of one result selects is not stated.
    grade: 'inferred',
    expected: `status 404: its type is ${type}, not ${otherType}`,
    received: `status ${seen.response.status}`,
    exchanges: [list, seen],
  });
}
