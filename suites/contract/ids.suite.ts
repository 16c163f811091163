import { randomUUID } from 'node:crypto';
import { ifSkipped, isImpossible } from '../../domain/context.ts';
import { create } from '../../domain/create.ts';
import type { CreatedItem } from '../../domain/create.ts';
import { isRead, requestAt, requestToRefuse } from '../../domain/requests.ts';
import type { Resource } from '../../domain/resources.ts';
import { isSuccess } from '../../spec/index.ts';
import type { Form, Json, Operation } from '../../spec/index.ts';
import type { TestContext } from '../kit/context.ts';
import { defineForForms } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { reportStatus, statusOf } from './violations.ts';
import { defineRejection, isUuidParameter, uuidsOf } from './wrong-ids.ts';

const session = await openSession();

for (const operation of session.contract.operations) {
  if (!session.knowledge.guarantees('ids', operation)) {
    const names = operation.parameters.filter((each) => each.in === 'path').map((each) => each.name);
    // Another number or text may be the id of an item of another.
    const uuids = names.filter((name) => isUuidParameter(session, operation, name));
    if (isRead(operation)) defineAnswered(operation, names);
    // Another method may create the item, or an item below it, that nothing would remove.
    else if (/^(?:PATCH|DELETE)$/.test(operation.method) || operation.effect === 'irreversible')
      defineAnswered(operation, uuids);
    continue;
  }
  const uuids = uuidsOf(session, operation);
  const allowed = session.knowledge.unknownIdStatuses?.(operation) ?? [404];
  if (uuids.length === 0) continue;
  if (allowed.length === 0) {
    defineAnswered(operation, uuids);
    continue;
  }
  const existence = session.contract.requirements.filter(
    ({ id, operations }) => id === 'policies.activate-exists' && operations?.includes(operation.id),
  );
  defineRejection(
    session,
    {
      suite: 'contract/ids',
      title: 'rejects an unknown id with 404',
      checks: ['unknown-id'],
      requirements: ['errors.not-found', ...existence.map((each) => each.id)],
    },
    { operation, uuids, values: () => [randomUUID()], allowed, mayBeEmpty: true },
    { code: 'unknown-id/status', requirement: 'errors.not-found', request: 'an unknown', expected: 'status 404' },
  );
}

/** Where the document does not say how an unknown id is answered, any answer but a server error is allowed. */
function defineAnswered(operation: Operation, names: readonly string[]): void {
  if (names.length === 0) return;
  defineForForms(session, {
    suite: 'contract/ids',
    title: 'answers an unknown id without a server error',
    operation,
    checks: ['no-server-error', 'answered'],
    requirements: ['errors.no-server-error'],
    run: async (t, form) => {
      const unknownPath = Object.fromEntries(names.map((name) => [name, unknownIds(operation, name)[0] ?? '']));
      const needsItem = operation.parameters.some((each) => each.in === 'path' && !names.includes(each.name));
      const request = await requestToRefuse(t, operation, form).catch((error: unknown) => {
        if (needsItem || !isImpossible(error)) throw error;
        return requestAt(t, operation, unknownPath, form);
      });
      for (const name of names)
        for (const unknown of unknownIds(operation, name)) {
          const path = { ...request.path, [name]: unknown };
          const exchange = await t.send(operation, { ...request, path, valid: false, label: `an unknown ${name}` });
          const status = statusOf(exchange);
          // Without an item, nothing else tells that the operation serves the token at all.
          if (request.path === unknownPath && (status === 401 || status === 403))
            t.skip(`the operation was not reached: it answers ${status}`);
        }
    },
  });
}

/** Ids that no item has, of the kind that the description of the parameter wants. */
function unknownIds(operation: Operation, name: string): readonly string[] {
  if (isUuidParameter(session, operation, name)) return [randomUUID()];
  const schema = operation.parameters.find((each) => each.in === 'path' && each.name === name)?.schema;
  const isAllowed = (value: Json): boolean =>
    schema === undefined || session.contract.validate(schema, value).length === 0;
  const text = `assay-${randomUUID().slice(0, 8)}`;
  return isAllowed(text) ? [text] : [HIGH, 0, -1].filter(isAllowed).map(String);
}

/** Fits an int32. */
const HIGH = 1_987_654_321;

/** No item has it, and a service may take it as a missing value. */
const NIL = '00000000-0000-0000-0000-000000000000';

const { resources } = session.knowledge;

for (const resource of resources) {
  const { read, remove } = resource;
  if (read === undefined) continue;
  for (const operation of [read, remove]) {
    const allowed = session.knowledge.unknownIdStatuses?.(operation) ?? [404];
    if (uuidsOf(session, operation).length === 0 || allowed.length === 0) continue;
    defineForForms(session, {
      suite: 'contract/ids',
      title: 'serves neither the nil uuid nor the id of another kind of item',
      operation,
      checks: ['unknown-id'],
      requirements: ['errors.not-found'],
      effects: ['read', 'reversible'],
      run: (t, form) => servesOwnKindOnly(t, resource, operation, form),
    });
  }
}

/** An item of a kind; undefined where it is refused: in a run of some operations only, the token may lack the permission for others. */
const itemOf = (t: TestContext, resource: Resource): Promise<CreatedItem | undefined> =>
  t.once(`another kind ${resource.create.id}`, () =>
    create(t, resource, { suffix: 'kind', expect: 'any' }).catch(ifSkipped),
  );

/** Reads an id that differs from a known one in its last digit: where a read serves it, the item must have that id. */
async function servesWholeIdOnly(t: TestContext, resource: Resource, read: Operation, form: Form): Promise<void> {
  const { id } = (await itemOf(t, resource)) ?? t.skip('no item can be created');
  const similar = id.slice(0, -1) + (id.endsWith('0') ? '1' : '0');
  const label = 'the id of an item with another digit at the end';
  await t.send(read, { form, path: { [resource.idName]: similar }, valid: false, label });
}

async function servesOwnKindOnly(t: TestContext, resource: Resource, operation: Operation, form: Form): Promise<void> {
  if (operation === resource.read) await servesWholeIdOnly(t, resource, operation, form);
  const others = resources.filter((each) => each !== resource);
  const ids = [{ id: NIL, request: 'the nil uuid' }];
  for (const other of others) {
    const item = await itemOf(t, other);
    // Items of further kinds may refer to it.
    if (item === undefined) break;
    ids.push({ id: item.id, request: `the id of an item of ${other.create.id}` });
  }
  for (const { id, request } of ids) {
    const path = { [resource.idName]: id };
    const exchange = await t.send(operation, { form, path, valid: false, label: request });
    // Which refusal it is, the test with unknown ids judges. Some gateways answer unknown paths with an HTML page.
    const isRead = operation === resource.read;
    if (!isSuccess(statusOf(exchange)) || (isRead && exchange.response?.json === undefined)) continue;
    reportStatus(t, operation, exchange, {
      code: 'unknown-id/status',
      requirement: 'errors.not-found',
      slug: id === NIL ? 'nil' : 'other-kind',
      request,
      expected: 'status 404',
    });
  }
}
