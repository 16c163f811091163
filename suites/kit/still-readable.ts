import { readUntil } from '../../domain/context.ts';
import type { PathValues } from '../../domain/path-values.ts';
import { isServed } from '../../spec/index.ts';
import type { Exchange, Form, Operation } from '../../spec/index.ts';
import type { Evaluation, TestContext } from './context.ts';
import { violationOf } from './violation.ts';

/** A removed item, with the read that showed it before. */
export interface Removed {
  readonly remove: Operation;
  readonly read: Operation;
  readonly path: PathValues;
  readonly form?: Form;
  readonly created: Exchange;
  readonly before: Exchange;
  readonly removed: Exchange;
}

/** The violation that an item is read as before its removal, after the settle time; inferred, as the description does not state it. */
export async function findReadable(
  t: TestContext,
  { remove, read, path, form, created, before, removed }: Removed,
): Evaluation {
  const request = { path, ...(form === undefined ? {} : { form }), label: 'read the deleted item' };
  const isGone = (seen: Exchange): boolean => !isServed(seen) || !isSameItem(before, seen);
  const last = await readUntil(t, () => t.send(read, request), isGone);
  if (isGone(last)) return undefined;
  return violationOf('deleted-is-gone/readable', remove, {
    grade: 'inferred',
    expected: 'not found',
    received: `status ${last.response?.status ?? 'none'} and the item`,
    exchanges: [created, removed, last],
  });
}

/** True where two reads show the same. A service may mark an item as deleted and still return it: then its content has changed. */
function isSameItem(before: Exchange, after: Exchange): boolean {
  return JSON.stringify(before.response?.json) === JSON.stringify(after.response?.json);
}
