import type { Request } from '../../oracle/index.ts';
import { idOf, sameId } from '../../../domain/items.ts';
import type { TestContext } from '../../kit/context.ts';
import { pageWith, walk } from '../../../domain/read-list.ts';
import type { Real } from '../sequences/real.ts';
import { answerOf, askFor, contentOf, operationIdFor } from '../sequences/subject.ts';
import type { Family, Subject } from '../sequences/subject.ts';
import type { Recorded } from './history.ts';
import { filterShowsState } from '../../../domain/builtin/activation.ts';

/** What is seen of a subject once all calls have ended: its item, and for a policy whether filterActive finds it. */
export async function finalCalls(
  t: TestContext,
  family: Family,
  subject: Subject,
  search: Real['search'],
): Promise<readonly Recorded[]> {
  const { contract } = t.session;
  const read = contract.operation(operationIdFor(family, 'read') ?? '');
  if (read === undefined) return [];
  const invoked = performance.now();
  const exchange = await t.send(read, {
    ...(await askFor(t, subject, { kind: 'read' })),
    label: 'read what they left',
  });
  const looks: Recorded[] = [
    {
      subject,
      request: { kind: 'read' },
      invoked,
      returned: performance.now(),
      answer: answerOf(exchange, subject),
      exchange,
    },
  ];
  const policies = contract.operation(operationIdFor(family, 'list-active') ?? '');
  if (policies === undefined || !(await filterShowsState(t, search))) return looks;
  const request: Request = { kind: 'list-active', filterActive: true };
  const began = performance.now();
  const seen = await walk(t, policies, { query: { ...search, filterActive: true }, label: 'filterActive=true' });
  if (seen === undefined) return looks;
  const page = pageWith(seen, subject.id);
  if (page === undefined) return looks;
  const item = seen.items.find((each) => sameId(idOf(each), subject.id));
  const content = contentOf(item, subject.made.name);
  return [
    ...looks,
    {
      subject,
      request,
      invoked: began,
      returned: performance.now(),
      answer: { status: 200, listed: item !== undefined, ...(content === undefined ? {} : { content }) },
      exchange: page,
    },
  ];
}
