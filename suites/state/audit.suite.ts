import type { Exchange, Form, Json } from '../../spec/index.ts';
import { isSuccess } from '../../spec/index.ts';
import { itemsOf, mentions } from '../../domain/items.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import type { TestContext } from '../kit/context.ts';
import { settled } from '../../domain/context.ts';
import { auditTypeOf } from '../../domain/builtin/audit.ts';
import { freshAgent, freshJob, freshPolicy } from '../../domain/builtin/make.ts';
import { OPERATIONS, operationOf } from '../../domain/builtin/operations.ts';

const session = await openSession();

for (const form of session.contract.operation(OPERATIONS.audit)?.forms ?? []) {
  const operation = session.contract.operation(OPERATIONS.audit);
  if (operation === undefined) continue;
  defineTest(
    session,
    {
      suite: 'state/audit',
      title: 'a change leaves an entry',
      operation,
      form,
      checks: ['audit-log'],
      requirements: ['audit.records-changes'],
      effects: ['reversible', 'read'],
    },
    async (t) => {
      const policy = await freshPolicy(t, 'logged');
      const path = { objectId: policy.id, objectTypeId: await auditTypeOf(t, policy.id) };
      const changes: readonly (readonly [string, () => Promise<Exchange>])[] = [
        [
          'an update',
          () =>
            t.send(operationOf(t.session, 'updatePolicy'), {
              form,
              path: { id: policy.id },
              json: policy.sent,
              expect: 'success',
              label: 'update',
            }),
        ],
        [
          'an activation',
          () => t.send(operationOf(t.session, 'activate'), { form, path: { id: policy.id }, label: 'activate' }),
        ],
        [
          'a deletion',
          () =>
            t.send(operationOf(t.session, 'deletePolicy'), {
              form,
              path: { id: policy.id },
              expect: 'success',
              label: 'delete',
            }),
        ],
      ];
      let before = await entries(t, form, path);
      if (before.count === undefined) t.skip('the audit log answers with no list');
      for (const [what, change] of changes) {
        const changed = await change();
        if (!isSuccess(changed.response?.status ?? 0)) continue;
        const known = before;
        const logged = await settled(t, async () => {
          before = await entries(t, form, path);
          return (before.count ?? 0) > (known.count ?? 0);
        });
        if (logged || before.exchange.response?.status === 404) continue;
        t.report({
          check: 'audit-log',
          requirement: 'audit.records-changes',
          operation,
          cause: `${what} leaves no entry`,
          message: `${operation.id}: ${what} leaves no entry`,
          expected: `more than ${known.count ?? 0} entries`,
          received: `${before.count ?? 0} entries`,
          exchanges: [known.exchange, changed, before.exchange],
        });
      }
    },
  );
}

for (const form of session.contract.operation(OPERATIONS.audit)?.forms ?? []) {
  const operation = session.contract.operation(OPERATIONS.audit);
  if (operation === undefined) continue;
  defineTest(
    session,
    {
      suite: 'state/audit',
      title: 'a change of a job or an agent leaves an entry',
      operation,
      form,
      checks: ['audit-log'],
      requirements: ['audit.records-changes'],
      effects: ['reversible', 'read'],
    },
    async (t) => {
      for (const made of [await freshJob(t, 'logged'), await freshAgent(t, 'logged')]) {
        const path = { objectId: made.id, objectTypeId: await auditTypeOf(t, made.id) };
        const changes = [made.resource.replace, made.resource.patch].filter((each) => each !== undefined);
        for (const change of changes) {
          const before = await entries(t, form, path);
          const json: Json =
            change.method === 'PATCH' ? [{ op: 'replace', path: '/description', value: 'patched' }] : made.sent;
          const changed = await t.send(change, {
            form,
            path: { [made.resource.idName]: made.id },
            json,
            label: 'change it',
          });
          if (before.count === undefined || !isSuccess(changed.response?.status ?? 0)) continue;
          let after = before;
          const logged = await settled(t, async () => {
            after = await entries(t, form, path);
            return (after.count ?? 0) > (before.count ?? 0);
          });
          if (logged) continue;
          t.report({
            check: 'audit-log',
            requirement: 'audit.records-changes',
            operation,
            cause: `${change.id} leaves no entry`,
            message: `${operation.id}: ${change.id} leaves no entry`,
            expected: `more than ${before.count} entries`,
            received: `${after.count ?? 0} entries`,
            exchanges: [before.exchange, changed, after.exchange],
          });
        }
      }
    },
  );
}

async function entries(
  t: TestContext,
  form: Form,
  path: Record<string, string>,
): Promise<{ readonly count: number | undefined; readonly exchange: Exchange }> {
  const exchange = await t.send(operationOf(t.session, 'audit'), {
    form,
    path,
    query: { page: 0, take: 100 },
    label: 'read the audit log',
  });
  return { count: itemsOf(exchange.response?.json)?.length, exchange };
}

for (const form of session.contract.operation(OPERATIONS.auditByIds)?.forms ?? []) {
  const operation = session.contract.operation(OPERATIONS.auditByIds);
  if (operation === undefined) continue;
  defineTest(
    session,
    {
      suite: 'state/audit',
      title: 'every repeated objectIds key counts',
      operation,
      form,
      checks: ['query-styles'],
      requirements: ['content.query-repeated-key', 'audit.by-object-types'],
      effects: ['reversible', 'read'],
    },
    async (t) => {
      const [one, two, other] = [
        await freshAgent(t, 'audita'),
        await freshAgent(t, 'auditb'),
        await freshAgent(t, 'auditc'),
      ];
      const ask = (objectIds: readonly Json[]): Promise<Exchange> =>
        t.send(operation, { form, query: { objectIds }, label: `objectIds of ${objectIds.length}` });
      await t.holds(async () => {
        const alone = await ask([two.id]);
        if (!mentions(alone.response?.json, two.id)) return undefined;
        const both = await ask([one.id, two.id]);
        const shows = (id: string): boolean => mentions(both.response?.json, id);
        const cause =
          !shows(one.id) || !shows(two.id)
            ? 'a repeated key is left out'
            : shows(other.id)
              ? 'objectIds selects nothing'
              : undefined;
        if (cause === undefined) return undefined;
        return {
          check: 'query-styles',
          requirement: 'content.query-repeated-key',
          operation,
          cause,
          message: `${operation.id}: ${cause}`,
          expected: 'the entries of both objects and of no other',
          received: `entries of ${[one, two, other].filter((each) => shows(each.id)).length} of the three objects, ${[one, two].filter((each) => shows(each.id)).length} of the two asked for`,
          exchanges: [alone, both],
        };
      });
    },
  );
}
