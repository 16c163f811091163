import type { Exchange, Form, Json, Operation } from '../../spec/index.ts';
import { isObject, isSuccess } from '../../spec/index.ts';
import { violationOf } from '../kit/violation.ts';
import { create, uniqueName } from '../../domain/create.ts';
import { idOf, itemsOf, mentions, sameId } from '../../domain/items.ts';
import { defineTest } from '../kit/define-test.ts';
import type { TestDefinition } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import type { Violation, TestContext } from '../kit/context.ts';
import { pageQuery, pagingOf } from '../../domain/read-list.ts';
import { sampleBody } from '../../domain/builtin/bodies/sample-body.ts';
import { settled } from '../../domain/context.ts';
import { freshAgent, freshJob, freshPolicy, withMembers } from '../../domain/builtin/make.ts';
import { OPERATIONS, operationOf, resourceFor } from '../../domain/builtin/operations.ts';
import { listFixtureFor } from '../../domain/list-fixture.ts';

const session = await openSession();

/** What is known of the service from elsewhere than its API document: a violation warns, and fails only with `--strict`. */
function declare(
  name: keyof typeof OPERATIONS,
  title: string,
  requirement: string,
  effects: TestDefinition['effects'],
  body: (t: TestContext, operation: Operation, form: Form) => Promise<void>,
): void {
  const operation = session.contract.operation(OPERATIONS[name]);
  const form = operation?.forms.at(-1);
  if (operation === undefined || form === undefined) return;
  defineTest(
    session,
    {
      suite: 'state/published',
      title,
      operation,
      form,
      checks: ['published-behaviour'],
      requirements: [requirement],
      ...(effects === undefined ? {} : { effects }),
    },
    (t) => body(t, operation, form),
  );
}

function violation(
  operation: Operation,
  requirement: string,
  cause: string,
  expected: string,
  exchanges: readonly Exchange[],
): Violation {
  return violationOf(operation, 'published-behaviour', requirement, cause, {
    expected,
    received: `status ${exchanges.at(-1)?.response?.status ?? 'none'}`,
    exchanges,
  });
}

/** Sends a body that must be refused with 400. */
async function mustRefuse(
  t: TestContext,
  operation: Operation,
  requirement: string,
  cause: string,
  ask: Parameters<TestContext['send']>[1],
): Promise<void> {
  const exchange = await t.send(operation, { ...ask, label: cause });
  if (isSuccess(exchange.response?.status ?? 0))
    t.report(violation(operation, requirement, `${cause} is accepted`, 'status 400', [exchange]));
}

for (const name of ['createAgent', 'createJob'] as const) {
  declare(name, 'a name is required', 'published.name-required', ['reversible'], async (t, operation, form) => {
    const tagged = (value: Json | undefined): Json => {
      const sample = sampleBody(operation.id, uniqueName(t), {});
      const { name: _name, ...rest } = isObject(sample) ? sample : { name: '' };
      return value === undefined ? rest : { ...rest, name: value };
    };
    await mustRefuse(t, operation, 'published.name-required', 'no name', { form, json: tagged(undefined) });
    await mustRefuse(t, operation, 'published.name-required', 'an empty name', { form, json: tagged('') });
  });
}

declare(
  'createPolicy',
  'the id of the body is ignored',
  'published.policy-ids',
  ['reversible', 'read'],
  async (t, operation, form) => {
    const wanted = '11111111-2222-4333-8444-555555555555';
    const resource = resourceFor(t.session, 'createPolicy');
    const made = await create(t, resource, {
      form,
      suffix: 'ownid',
      body: (name) => withMembers(resource, name, {}, { id: wanted }),
    });
    if (sameId(made.id, wanted))
      t.report(
        violation(operation, 'published.policy-ids', 'the id of the body is taken', 'an id of its own', [made.created]),
      );
  },
);

declare(
  'updatePolicy',
  'the id of the path is taken',
  'published.policy-ids',
  ['reversible', 'read'],
  async (t, operation, form) => {
    const [one, other] = [await freshPolicy(t, 'pathid'), await freshPolicy(t, 'pathid')];
    const body = isObject(one.sent) ? { ...one.sent, id: other.id, description: 'by the path' } : one.sent;
    const updated = await t.send(operation, {
      form,
      path: { id: one.id },
      json: body,
      label: 'update with the id of another in the body',
    });
    if (!isSuccess(updated.response?.status ?? 0)) return;
    const read = await t.send(operationOf(t.session, 'readPolicy'), {
      form,
      path: { id: other.id },
      label: 'read the other',
    });
    if (mentions(read.response?.json, 'by the path'))
      t.report(
        violation(operation, 'published.policy-ids', 'the id of the body is taken', 'the policy of the path changes', [
          updated,
          read,
        ]),
      );
  },
);

declare(
  'readPolicy',
  'uuids are taken in either case',
  'published.uuid-case',
  ['reversible', 'read'],
  async (t, operation, form) => {
    const policy = await freshPolicy(t, 'case');
    for (const id of [policy.id.toUpperCase(), policy.id.toLowerCase()]) {
      const read = await t.send(operation, { form, path: { id }, label: 'read it' });
      if (read.response?.status === 404)
        t.report(
          violation(operation, 'published.uuid-case', 'a uuid in the other case is unknown', 'status 200', [
            policy.created,
            read,
          ]),
        );
    }
  },
);

declare(
  'createAgent',
  'an agent that a job uses can not be deleted',
  'published.agent-in-use',
  ['reversible'],
  async (t, _operation, form) => {
    const agent = await freshAgent(t, 'used');
    const resource = resourceFor(t.session, 'createJob');
    const job = await create(t, resource, { form, suffix: 'user', references: { aiAgentId: agent.id } });
    const removed = await t.send(agent.resource.remove, {
      form,
      path: { [agent.resource.idName]: agent.id },
      label: 'delete the agent',
    });
    if (isSuccess(removed.response?.status ?? 0))
      t.report(
        violation(agent.resource.remove, 'published.agent-in-use', 'an agent in use is deleted', 'status 400', [
          agent.created,
          job.created,
          removed,
        ]),
      );
  },
);

declare(
  'bulkApprove',
  'the action is 0 or 1',
  'published.approval-action',
  ['reversible', 'irreversible'],
  async (t, operation, form) => {
    const job = await freshJob(t, 'action');
    await mustRefuse(t, operation, 'published.approval-action', 'an action of 7', {
      form,
      path: { id: job.id },
      json: { action: 7 },
    });
  },
);

declare(
  'createJob',
  'a sample size is 0 to 1000',
  'published.sample-size',
  ['reversible'],
  async (t, operation, form) => {
    const resource = resourceFor(t.session, 'createJob');
    const sample = withMembers(resource, uniqueName(t), { aiAgentId: (await freshAgent(t, 'sized')).id }, {});
    const [source] = isObject(sample) ? (itemsOf(sample['dataSources']) ?? []) : [];
    const json =
      isObject(sample) && isObject(source)
        ? { ...sample, dataSources: [{ ...source, sampleSize: 1001 }] }
        : t.skip('the sample has no data source');
    await mustRefuse(t, operation, 'published.sample-size', 'a sample size of 1001', { form, json });
  },
);

declare(
  'status',
  'the status tells ServiceStatus, DataShards and Components',
  'published.status-body',
  ['read'],
  async (t, operation, form) => {
    const status = await t.send(operation, { form, identity: 'none' });
    const keys = isObject(status.response?.json) ? Object.keys(status.response.json) : [];
    const missing = ['ServiceStatus', 'DataShards', 'Components'].filter((each) => !keys.includes(each));
    if (missing.length > 0)
      t.report(
        violation(
          operation,
          'published.status-body',
          `no ${missing.join(', ')}`,
          'ServiceStatus, DataShards and Components',
          [status],
        ),
      );
  },
);

declare(
  'runs',
  'the paginated wrapper counts what it holds',
  'published.paginated-counts',
  ['read'],
  async (t, operation, form) => {
    const fixture = await listFixtureFor(t, operation);
    const paging = pagingOf(operation);
    if (paging === undefined) return;
    const page = await t.send(operation, {
      ...fixture.request,
      form,
      query: pageQuery(paging, 1, 5),
      label: 'the second page of 5',
    });
    const wrapper = page.response?.json;
    const held = isObject(wrapper)
      ? { totalCount: fixture.isolated ? fixture.ids.size : wrapper['totalCount'], pageSize: 5, currentPage: 2 }
      : {};
    const wrong = Object.entries(held).find(([key, value]) => isObject(wrapper) && wrapper[key] !== value);
    if (wrong !== undefined && itemsOf(wrapper) !== undefined)
      t.report(
        violation(
          operation,
          'published.paginated-counts',
          `another ${wrong[0]}`,
          `${wrong[0]} ${JSON.stringify(wrong[1])}`,
          [page],
        ),
      );
  },
);

declare(
  'vocabularyKeys',
  'vocabulary keys of a clue appear',
  'published.clue-vocabulary',
  ['irreversible', 'read'],
  async (t, operation, form) => {
    const key = `assay.${t.session.options.runId}.key`;
    const clue = JSON.stringify(sampleBody(OPERATIONS.clue, uniqueName(t, 'vocab'))).replaceAll(
      'property-assay.person.city',
      `property-${key}`,
    );
    const posted = await t.send(operationOf(t.session, 'clue'), {
      query: { save: true },
      json: JSON.parse(clue) as Json,
      label: 'post a clue',
    });
    if (!isSuccess(posted.response?.status ?? 0)) return;
    const appeared = await settled(t, async () => mentions((await t.send(operation, { form })).response?.json, key));
    if (!appeared)
      t.report(
        violation(operation, 'published.clue-vocabulary', 'the key of a clue does not appear', key, [
          posted,
          await t.send(operation, { form }),
        ]),
      );
  },
);

declare(
  'createPolicy',
  'what is open is looked at',
  'policies.initial-state',
  ['reversible', 'read'],
  async (t, operation, form) => {
    const policy = await freshPolicy(t, 'open');
    const active = await t.send(operationOf(t.session, 'policies'), {
      form,
      query: { searchName: policy.name, filterActive: true },
    });
    const found = itemsOf(active.response?.json)?.some((item) => sameId(idOf(item), policy.id)) === true;
    t.observe('a new policy is', found ? 'active' : 'inactive', operation);
  },
);
