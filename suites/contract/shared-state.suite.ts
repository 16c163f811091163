import type { Form, Operation } from '../../spec/index.ts';
import { isSuccess } from '../../spec/index.ts';
import { idOf, mentions, sameId } from '../../domain/items.ts';
import { defineTest } from '../kit/define-test.ts';
import { resourcesOf } from '../../domain/resources.ts';
import type { Resource } from '../../domain/resources.ts';
import { openSession } from '../kit/session.ts';
import type { Violation, TestContext } from '../kit/context.ts';
import { walk } from '../../domain/read-list.ts';
import { createWithReferences } from '../../domain/requests.ts';

const session = await openSession();

for (const resource of resourcesOf(session.contract)) {
  const [plain, versioned] = resource.create.forms;
  if (
    plain === undefined ||
    versioned === undefined ||
    resource.read === undefined ||
    !session.knowledge.guarantees('forms', resource.create)
  )
    continue;
  for (const [writes, reads] of [
    [plain, versioned],
    [versioned, plain],
  ] as const) {
    defineTest(
      session,
      {
        suite: 'contract/shared-state',
        title: `what ${writes.name} writes, ${reads.name} shows`,
        operation: resource.create,
        checks: ['form-shared-state', 'deleted-is-gone', 'created-reads-back'],
        requirements: ['forms.shared-state'],
        effects: ['reversible', 'read'],
      },
      async (t) => {
        await shareState(t, resource, resource.read as Operation, { writes, reads });
      },
    );
  }
}

interface Direction {
  readonly writes: Form;
  readonly reads: Form;
}

async function shareState(
  t: TestContext,
  resource: Resource,
  read: Operation,
  { writes, reads }: Direction,
): Promise<void> {
  const made = await createWithReferences(t, resource, { form: writes });
  const path = { [resource.idName]: made.id };
  const unseen = (
    operation: Operation,
    cause: string,
    rest: Pick<Violation, 'expected' | 'received' | 'exchanges'>,
  ): Violation => ({
    check: 'form-shared-state',
    requirement: 'forms.shared-state',
    operation,
    form: reads.name,
    cause,
    message: `${operation.id}: ${cause}`,
    ...rest,
  });
  await t.holds(async () => {
    const seen = await t.send(read, { form: reads, path, label: `read through ${reads.name}` });
    if (seen.response?.status === 200 && mentions(seen.response.json, made.name)) return undefined;
    return unseen(read, 'what the other form created does not show', {
      expected: `the item that was created through ${writes.name}`,
      received: `status ${seen.response?.status ?? 'none'}`,
      exchanges: [made.created, seen],
    });
  });
  const { list } = resource;
  if (list !== undefined) {
    await t.holds(async () => {
      const seen = await walk(t, list, { form: reads });
      if (seen === undefined || seen.items.some((item) => sameId(idOf(item), made.id))) return undefined;
      return unseen(list, 'what the other form created is not listed', {
        expected: `the item that was created through ${writes.name}`,
        received: `${seen.items.length} others`,
        exchanges: [made.created, ...seen.pages.slice(-1)],
      });
    });
  }
  const removed = await t.send(resource.remove, {
    form: writes,
    path,
    expect: 'success',
    label: `delete through ${writes.name}`,
  });
  if (!isSuccess(removed.response?.status ?? 0)) return;
  await t.holds(async () => {
    const seen = await t.send(read, { form: reads, path, label: `read through ${reads.name}` });
    if (seen.response === undefined || !isSuccess(seen.response.status)) return undefined;
    return unseen(read, 'what the other form deleted still shows', {
      expected: 'status 404',
      received: `status ${seen.response.status}`,
      exchanges: [removed, seen],
    });
  });
}
