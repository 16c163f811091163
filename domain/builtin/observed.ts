import type { SampleContext } from '../../generators/index.ts';
import type { Json } from '../../spec/index.ts';
import { isObject } from '../../spec/index.ts';
import { settled } from '../create.ts';
import { itemsOf } from '../items.ts';
import { Skip } from '../../suites/kit/context.ts';
import type { TestContext } from '../../suites/kit/context.ts';
import { operationOf } from './operations.ts';
import { ranJob } from './runs.ts';

/** Values of a member over the items of a list, without repeats. */
export function valuesOf(json: Json | undefined, key: string): readonly Json[] {
  const values = (itemsOf(json) ?? []).flatMap((item) =>
    isObject(item) && item[key] !== undefined ? [item[key]] : [],
  );
  return [...new Set(values)];
}

/** A type of results that the job has; what the document calls `type` in the path. */
export function resultType(t: TestContext): Promise<string> {
  return t.session.once('result-type', async () => {
    const { jobId, runIds } = await ranJob(t);
    let type: Json | undefined;
    await settled(t, async () => {
      const seen = await t.send(operationOf(t.session, 'runResults'), {
        path: { id: jobId, runId: runIds[0] ?? '' },
        query: { pageNumber: 1, pageSize: 50 },
      });
      type = mostCommon(
        (itemsOf(seen.response?.json) ?? []).flatMap((item) =>
          isObject(item) && typeof item['type'] === 'string' ? [item['type']] : [],
        ),
      );
      return typeof type === 'string';
    });
    if (typeof type !== 'string') throw new Skip('no result of the job tells its type');
    return type;
  });
}

function mostCommon(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/** The type id under which the audit log keeps an object; found by asking for the object alone. */
export async function auditTypeOf(t: TestContext, objectId: string): Promise<string> {
  let found: string | undefined;
  await settled(t, async () => {
    const seen = await t.send(operationOf(t.session, 'auditByIds'), { query: { objectIds: [objectId] } });
    found = valuesOf(seen.response?.json, 'objectTypeId').find((each): each is string => typeof each === 'string');
    return found !== undefined;
  });
  if (found === undefined) throw new Skip('the audit log does not tell the object types it keeps');
  return found;
}

/** The processing order as it is, ready to be set again. */
export async function currentOrder(t: TestContext): Promise<NonNullable<SampleContext['ordering']>> {
  const read = await t.send(operationOf(t.session, 'order'), { expect: 'success', label: 'read the processing order' });
  const entries = itemsOf(read.response?.json);
  if (entries === undefined) throw new Skip('the processing order can not be read');
  return entries.flatMap((entry) =>
    isObject(entry) && typeof entry['id'] === 'string' ? [{ ...entry, id: entry['id'] }] : [],
  );
}
