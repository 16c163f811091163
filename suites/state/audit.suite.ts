import { randomUUID } from 'node:crypto';
import { auditTypeOf, freshAudited, isOfOther } from '../../domain/builtin/audit.ts';
import { operationOf } from '../../domain/builtin/operations.ts';
import type { OperationRole } from '../../domain/builtin/operations.ts';
import { settled } from '../../domain/context.ts';
import type { CreatedItem } from '../../domain/create.ts';
import { itemsIn, mentions } from '../../domain/items.ts';
import { count } from '../../spec/count.ts';
import { isObject, isServed } from '../../spec/index.ts';
import type { Exchange, Form, Json, Operation, Violation } from '../../spec/index.ts';
import type { Evaluation, RequestSpec, TestContext } from '../kit/context.ts';
import { persists, waited } from '../kit/polling.ts';
import { openSession } from '../kit/session.ts';
import { violationOf } from '../kit/violation.ts';
import { defineForRole } from './define.ts';
import { findDeleted } from './lifecycle/read-back.ts';
import { freshAgent } from '../../domain/builtin/agents.ts';
import { freshJob } from '../../domain/builtin/jobs.ts';
import { freshPolicy } from '../../domain/builtin/policies.ts';

const session = await openSession();

/** Number of unknown objects in one request: as many as a page of a user interface shows. */
const MANY_IDS = 20;

const base = { suite: 'state/audit', effects: ['reversible', 'read'] as const };
const entries = { ...base, checks: ['audit-log'] as const, requirements: ['audit.records-changes'] };

defineForRole(session, 'audit', {
  ...entries,
  title: 'each change of a policy adds an audit log entry',
  run: async (t, { form }) => {
    const policy = await freshPolicy(t, 'logged');
    const changes: readonly (readonly [OperationRole, RequestSpec])[] = [
      ['updatePolicy', { json: changed(policy), expect: 'success' }],
      ['activate', {}],
      ['deactivate', {}],
      ['deletePolicy', { expect: 'success' }],
    ];
    const log = await auditLog(t, policy, form);
    if (!(await holdsOwnEntries(t, log))) return;
    for (const [role, request] of changes) await checkAddsEntry(t, log, operationOf(t, role), request);
  },
});

defineForRole(session, 'audit', {
  ...entries,
  title: 'each change of a job or an agent adds an audit log entry',
  run: async (t, { form }) => {
    for (const item of [await freshJob(t, 'logged'), await freshAgent(t, 'logged')]) {
      const { replace, patch } = item.resource;
      const log = await auditLog(t, item, form);
      if (!(await holdsOwnEntries(t, log))) return;
      if (replace !== undefined) await checkAddsEntry(t, log, replace, { json: changed(item) });
      const json = [{ op: 'replace', path: '/description', value: 'patched' }];
      if (patch !== undefined) await checkAddsEntry(t, log, patch, { json });
    }
  },
});

defineForRole(session, 'audit', {
  ...entries,
  title: 'the type of an object selects its entries',
  requirements: ['audit.read'],
  run: async (t, { operation, form }) => {
    const item = await freshAudited(t, 'typed');
    const log = await auditLog(t, item, form);
    const path = { objectId: item.id, objectTypeId: randomUUID() };
    await t.holds(async (t) => {
      const { exchange } = await log.read(t);
      const other = await t.send(operation, {
        form,
        path,
        valid: true,
        label: 'read the audit log with an unknown type',
      });
      const [own, found = 0] = [exchange, other].map(({ response }) => itemsIn({ response })?.length ?? 0);
      if (!isServed(other) || own === 0 || found === 0) return undefined;
      return violationOf('audit-log/other-type', operation, {
        requirement: 'audit.read',
        // What is answered for an unknown type is not stated.
        grade: 'inferred',
        expected: 'no entries, since no object has this type',
        received: count(found, 'entry', 'entries'),
        exchanges: [exchange, other],
      });
    });
  },
});

defineForRole(session, 'auditByIds', {
  ...entries,
  title: 'changed objects have audit log entries',
  requirements: ['audit.by-object-types', 'audit.records-changes'],
  run: async (t, { operation, form }) => {
    const items = [await freshPolicy(t, 'log'), await freshJob(t, 'log'), await freshAgent(t, 'log')];
    const changes: Exchange[] = [];
    for (const item of items) {
      const { replace = item.resource.create } = item.resource;
      changes.push(await t.send(replace, { form, path: item.path, json: changed(item), label: 'change the item' }));
    }
    const violation = await persists(t, async () => {
      const objectIds = items.map(({ id }) => id);
      const log = await t.send(operation, { form, query: { objectIds }, label: 'read the audit log' });
      if (!isServed(log) || itemsIn(log)?.length !== 0) return undefined;
      return violationOf('audit-log/no-entry', operation, {
        subject: 'all',
        requirement: 'audit.records-changes',
        grade: 'inferred',
        expected: 'entries of a policy, a job or an agent that were created and changed',
        received: `no entries ${waited(t)}`,
        exchanges: [...items.map(({ created }) => created), ...changes, log],
      });
    });
    if (violation !== undefined) t.report(violation);
  },
});

/** Other entries of an object whose id is given twice, or in capitals, which are the same uuid (RFC 9562). */
async function findOtherEntries(
  operation: Operation,
  { id }: CreatedItem,
  alone: Exchange,
  read: (objectIds: readonly Json[]) => Promise<Exchange>,
): Evaluation {
  const entries = itemsIn(alone)?.length ?? 0;
  for (const [what, objectIds] of Object.entries({ twice: [id, id], 'in capitals': [id.toUpperCase()] })) {
    const seen = await read(objectIds);
    const found = itemsIn(seen)?.length;
    const again = itemsIn(await read([id]))?.length;
    if (!isServed(seen) || found === entries || again !== entries) continue;
    return violationOf('query-styles/repeated-key', operation, {
      subject: `objectIds ${what}`,
      message: `${operation.id}: an id that is given ${what} selects other entries`,
      requirement: 'audit.by-object-types',
      grade: 'inferred',
      expected: `${count(entries, 'entry', 'entries')}, as with the id once`,
      received: found === undefined ? 'no list' : count(found, 'entry', 'entries'),
      exchanges: [alone, seen],
    });
  }
  return undefined;
}

/** The item with another description: a log may leave out updates that change nothing. */
function changed({ sent }: CreatedItem): Json {
  return isObject(sent) ? { ...sent, description: 'Changed by Assay.' } : sent;
}

interface AuditLog {
  readonly item: CreatedItem;
  readonly form: Form;
  readonly read: (t: TestContext) => Promise<{ readonly count: number | undefined; readonly exchange: Exchange }>;
}

async function auditLog(t: TestContext, item: CreatedItem, form: Form): Promise<AuditLog> {
  const path = { objectId: item.id, objectTypeId: await auditTypeOf(t, item.id) };
  const read: AuditLog['read'] = async (t) => {
    const request = { form, path, query: { page: 0, take: 100 }, label: 'read the audit log' };
    const exchange = await t.send(operationOf(t, 'audit'), request);
    return { count: itemsIn(exchange)?.length, exchange };
  };
  return { item, form, read };
}

/** False, and reported, where the log of an item shows entries of other objects: then the number of entries tells nothing. */
function holdsOwnEntries(t: TestContext, { item, read }: AuditLog): Promise<boolean> {
  return t.holds(async (t) => {
    const { exchange } = await read(t);
    return otherObject(operationOf(t, 'audit'), 'audit.read', item, exchange);
  });
}

function otherObject(
  operation: Operation,
  requirement: string,
  { id, created }: CreatedItem,
  exchange: Exchange,
): Violation | undefined {
  const others = itemsIn(exchange)?.filter((entry) => isOfOther(entry, id)) ?? [];
  if (others.length === 0) return undefined;
  return violationOf('audit-log/other-object', operation, {
    requirement,
    // The members of entries are not documented.
    grade: 'inferred',
    expected: `entries of ${id} only`,
    received: `${count(others.length, 'entry', 'entries')} with another objectId`,
    exchanges: [created, exchange],
  });
}

/** Sends a change, after which the log must have more entries. */
async function checkAddsEntry(
  t: TestContext,
  { item, form, read }: AuditLog,
  change: Operation,
  request: RequestSpec,
): Promise<void> {
  const { path } = item;
  await t.knowledge.prepare(t, change, path);
  const before = await read(t);
  const { count: least } = before;
  if (least === undefined) return t.skip('the audit log is not a list');
  const sent = await t.send(change, { ...request, form, path, label: 'change the item' });
  if (!isServed(sent)) return;
  const violation = await persists(t, async () => {
    const after = await read(t);
    if ((after.count ?? 0) > least || after.exchange.response?.status === 404) return undefined;
    return violationOf('audit-log/no-entry', operationOf(t, 'audit'), {
      subject: change.id,
      requirement: 'audit.records-changes',
      expected: `more than ${count(least, 'entry', 'entries')}`,
      received: `${count(after.count ?? 0, 'entry', 'entries')} ${waited(t)}`,
      exchanges: [before.exchange, sent, after.exchange],
    });
  });
  if (violation === undefined) return;
  // A deletion that was lost leaves no entry: then the log is right.
  const kept = change === item.resource.remove ? await findDeleted(t, item, form, sent) : undefined;
  t.report(kept?.code === 'deleted-is-gone/readable' ? kept : violation);
}

defineForRole(session, 'auditByIds', {
  ...base,
  title: 'each of several objectIds selects its entries',
  checks: ['query-styles', 'audit-log'],
  requirements: ['content.query-repeated-key', 'audit.by-object-types'],
  run: async (t, { operation, form }) => {
    const [first, second, other] = [
      await freshAudited(t, 'audita'),
      await freshAudited(t, 'auditb'),
      await freshAudited(t, 'auditc'),
    ];
    const read = (t: TestContext, objectIds: readonly Json[]): Promise<Exchange> =>
      t.send(operation, { form, query: { objectIds }, label: `${objectIds.length} objectIds` });
    const holdsOwn = await t.holds(async (t) =>
      otherObject(operation, 'audit.by-object-types', second, await read(t, [second.id])),
    );
    const shows = async (...ids: readonly string[]): Promise<boolean> =>
      mentions((await read(t, ids)).response?.json, second.id);
    if (!(await settled(t, async () => (await shows(second.id)) || (await shows(first.id, second.id)))))
      t.skip('the audit log shows no entries of a new item');
    await t.holds(async (t) => {
      const both = await read(t, [first.id, second.id]);
      const alone = await read(t, [second.id]);
      if (!mentions(alone.response?.json, second.id))
        return violationOf('query-styles/repeated-key', operation, {
          subject: 'objectIds alone',
          message: `${operation.id}: an object id that is requested alone is not used`,
          requirement: 'content.query-repeated-key',
          expected: 'the entries of an object that is the only one requested, as where another is requested too',
          received: 'no entries of it',
          exchanges: [both, alone],
        });
      const unknown = Array.from({ length: MANY_IDS }, () => randomUUID());
      const many = await read(t, [...unknown.slice(0, 2), first.id, ...unknown.slice(2), second.id]);
      const shown = [first, second, other].filter(({ id }) => mentions(both.response?.json, id));
      const isFound =
        !isServed(many) ||
        [first, second].every(({ id }) => mentions(many.response.json, id)) ||
        !shown.includes(first);
      const isComplete = shown.includes(first) && shown.includes(second) && isFound;
      if (isComplete && (!holdsOwn || !shown.includes(other)))
        return findOtherEntries(operation, second, alone, (ids) => read(t, ids));
      return violationOf(isComplete ? 'query-styles/ignored' : 'query-styles/repeated-key', operation, {
        subject: 'objectIds',
        requirement: 'content.query-repeated-key',
        // That it shows entries of no other object is not stated.
        grade: isComplete ? 'inferred' : undefined,
        expected: isFound
          ? 'the entries of the two requested objects and of no other'
          : 'entries of the third and of the last requested object, as where only these two are requested',
        received: isFound
          ? `entries of ${shown.length} of three objects`
          : `no entries of one of them, where ${MANY_IDS + 2} objects are requested`,
        exchanges: [alone, both, many],
      });
    });
  },
});
