import { notCreated } from '../../domain/context.ts';
import { idInResponse } from '../../domain/id-in-response.ts';
import { addBelow, additionTo, sameValues } from '../../domain/inner-items.ts';
import { idForPath, isUuid, itemsIn, mentions, sameId } from '../../domain/items.ts';
import { pathValues } from '../../domain/path-values.ts';
import { idNameOf } from '../../domain/resources.ts';
import { defined } from '../../spec/defined.ts';
import { isServed } from '../../spec/index.ts';
import type { Form, Json, Operation } from '../../spec/index.ts';
import type { TestContext } from '../kit/context.ts';
import { defineTest, firstForm } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { violationOf } from '../kit/violation.ts';

const session = await openSession();
const TITLE = 'an item that was added below another one is listed there only';

for (const operation of session.contract.operations) {
  const isInner = /\{.*\}\/[^{}]+$/.test(operation.path) && session.contract.operation(`POST ${operation.path}`);
  if (operation.method !== 'GET' || !isInner || session.knowledge.guarantees('storage', operation)) continue;
  const form = firstForm(operation, TITLE);
  defineTest(session, {
    suite: 'contract/inner-lists',
    title: TITLE,
    operation,
    checks: ['created-reads-back'],
    effects: [operation.effect],
    isOnlyForm: true,
    ...(form === undefined ? {} : { form }),
    run: (t) => checkOtherList(t, operation, form),
  });
}

/** Adds an item below one of the run, and reads the list of another one. */
async function checkOtherList(t: TestContext, operation: Operation, form: Form | undefined): Promise<void> {
  const path = await pathValues(t, operation, 'shared');
  const create = await additionTo(t, operation, path);
  if (create === undefined) t.skip(`${operation.id} lists no items of this run`);
  const others = await pathValues(t, create, 'fresh');
  const idName = idNameOf(t.contract, operation) ?? 'id';
  const added = await addBelow(t, create, Object.values(path));
  const id = isServed(added) ? idInResponse(added, idName) : undefined;
  if (id === undefined) throw notCreated(added);
  // A number may count the items of each list.
  const isAdded = (item: Json): boolean => sameId(idForPath(item, idName), id) && (isUuid(id) || mentions(item, t.tag));
  await t.holds(async (t) => {
    const request = { path: sameValues(operation.path, Object.values(others)), label: 'list another one' };
    const listed = await t.send(operation, { ...request, valid: true, ...defined({ form }) });
    if (itemsIn(listed)?.some(isAdded) !== true) return undefined;
    return violationOf('created-reads-back/other-parent', operation, {
      grade: 'inferred',
      expected: `no item ${id}, which was added to another one`,
      received: 'it is in the list',
      exchanges: [added, listed],
    });
  });
}
