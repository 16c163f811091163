import { create, showsNothing } from '../../domain/create.ts';
import { isServed, isSuccess } from '../../spec/index.ts';
import type { Exchange, Form, Operation, Violation } from '../../spec/index.ts';
import { idOf, mentions, sameId } from '../../domain/items.ts';
import { walkUntil } from '../../domain/read-list.ts';
import type { Resource } from '../../domain/resources.ts';
import type { TestContext } from '../kit/context.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { violationOf } from '../kit/violation.ts';
import { statusOf } from './violations.ts';

const session = await openSession();

/** The form that writes and the form that reads. */
interface Direction {
  readonly writes: Form;
  readonly reads: Form;
}

for (const resource of session.knowledge.resources) {
  const [plain, versioned] = resource.create.forms;
  const { read } = resource;
  if (plain === undefined || versioned === undefined || read === undefined) continue;
  if (!session.knowledge.guarantees('forms', resource.create)) continue;
  const directions: readonly Direction[] = [
    { writes: plain, reads: versioned },
    { writes: versioned, reads: plain },
  ];
  for (const direction of directions)
    defineTest(session, {
      suite: 'contract/shared-state',
      title: `${direction.reads.name} shows what ${direction.writes.name} writes`,
      operation: resource.create,
      checks: ['form-shared-state', 'deleted-is-gone', 'created-reads-back'],
      requirements: ['forms.shared-state'],
      effects: ['reversible', 'read'],
      run: (t) => sharesState(t, resource, read, direction),
    });
}

async function sharesState(t: TestContext, resource: Resource, read: Operation, direction: Direction): Promise<void> {
  const { writes, reads } = direction;
  const { id, path, name, created } = await create(t, resource, { form: writes });
  const requirements = t.knowledge.lifecycleRequirements(resource);
  const readIt = (t: TestContext): Promise<Exchange> => t.send(read, { form: reads, path, label: 'read it' });
  let before: Exchange | undefined;
  await t.takesEffect(async (t) => {
    const seen = await readIt(t);
    // Later evaluations read through the other form, too.
    if (before === undefined || !isServed(before)) before = seen;
    if (isServed(seen) && (mentions(seen.response.json, name) || showsNothing(read, seen))) return undefined;
    if (seen.form === writes.name)
      return violationOf('created-reads-back/not-readable', resource.create, {
        requirement: requirements.stores,
        expected: 'status 200 and the item',
        received: `status ${statusOf(seen)}`,
        exchanges: [created, seen],
      });
    return violation(read, writes, seen, {
      code: 'form-shared-state/created-not-readable',
      message: 'does not return an item created',
      expected: 'status 200 and the item',
      received: `status ${statusOf(seen)}${isServed(seen) ? ' and a body without its name' : ''}`,
      exchanges: [created, seen],
    });
  });
  const { list, remove } = resource;
  if (list !== undefined)
    await t.takesEffect(async (t) => {
      const seen = await walkUntil(t, list, { form: reads }, ({ ids }) => ids.includes(id.toLowerCase()));
      if (seen === undefined || seen.items.some((item) => sameId(idOf(item), id))) return undefined;
      const page = seen.pages.at(-1) ?? created;
      const evidence = {
        expected: `${id} in the list`,
        received: `a list of ${seen.items.length} other items`,
        exchanges: [created, ...seen.pages.slice(-1)],
      };
      if (page.form === writes.name)
        return violationOf('created-reads-back/not-listed', list, { ...evidence, requirement: requirements.listed });
      const message = 'does not list an item created';
      return violation(list, writes, page, { ...evidence, code: 'form-shared-state/created-not-listed', message });
    });
  await t.knowledge.prepare(t, remove, path);
  const label = `delete through ${writes.name}`;
  const removed = await t.send(remove, { form: writes, path, expect: 'success', label });
  if (!isSuccess(statusOf(removed))) return;
  await t.takesEffect(async (t) => {
    const seen = await readIt(t);
    // A success with another body is judged where items are deleted.
    if (!isServed(seen) || !mentions(seen.response.json, name)) return undefined;
    const evidence = {
      expected: 'status 404',
      received: `status ${statusOf(seen)}`,
      exchanges: [...(before === undefined ? [] : [before]), removed, seen],
    };
    if (seen.form === writes.name)
      return violationOf('deleted-is-gone/readable', remove, { ...evidence, requirement: requirements.remove[0] });
    const message = 'still returns an item deleted';
    return violation(read, writes, seen, { ...evidence, code: 'form-shared-state/deleted-still-readable', message });
  });
}

/** A difference between the forms. What also the form that wrote does not show is a violation of reading back. */
function violation(
  operation: Operation,
  writes: Form,
  { form }: Exchange,
  rest: Pick<Violation, 'code' | 'message' | 'expected' | 'received' | 'exchanges'>,
): Violation {
  const message = `${operation.id} through ${form} ${rest.message} through ${writes.name}`;
  return { ...rest, requirement: 'forms.shared-state', operation, form, message };
}
