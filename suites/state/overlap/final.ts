import type { Request } from '../../oracle/index.ts';
import { idOf, sameId } from '../../session/lists.ts';
import type { Trial } from '../../session/trial.ts';
import { pageWith, walk } from '../../session/walk.ts';
import { filterTells } from '../world/index.ts';
import type { Real } from '../sequences/real.ts';
import { answerOf, askFor, contentOf, operationIdFor } from '../sequences/subject.ts';
import type { Family, Subject } from '../sequences/subject.ts';
import type { Recorded } from './history.ts';

/** What is seen of a subject once all calls have ended: its item, and for a policy whether filterActive finds it. */
export async function finalCalls(
  trial: Trial,
  family: Family,
  subject: Subject,
  search: Real['search'],
): Promise<readonly Recorded[]> {
  const { contract } = trial.session;
  const read = contract.operation(operationIdFor(family, 'read') ?? '');
  if (read === undefined) return [];
  const invoked = performance.now();
  const exchange = await trial.send(read, {
    ...(await askFor(trial, subject, { kind: 'read' })),
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
  if (policies === undefined || !(await filterTells(trial, search))) return looks;
  const request: Request = { kind: 'list-active', filterActive: true };
  const began = performance.now();
  const seen = await walk(trial, policies, { query: { ...search, filterActive: true }, label: 'filterActive=true' });
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
