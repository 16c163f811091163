import type { Exchange, Form, Json, JsonObject } from '../../spec/index.ts';
import { isObject, isSuccess } from '../../spec/index.ts';
import type { Made } from '../../domain/create.ts';
import { idOf, mentions, sameId } from '../../domain/items.ts';
import { defineTest } from '../kit/define-test.ts';
import type { Resource } from '../../domain/resources.ts';
import { openSession } from '../kit/session.ts';
import type { Violation, TestContext } from '../kit/context.ts';
import { walk } from '../../domain/read-list.ts';
import { firstMismatch } from '../kit/read-back.ts';
import { createWithReferences } from '../../domain/requests.ts';
import { NOT_AS_SENT } from '../kit/violation.ts';

const session = await openSession();

for (const resource of session.knowledge.resources.filter(({ create }) =>
  session.knowledge.guarantees('storage', create),
)) {
  const { read, list, replace } = resource;
  const sentences = session.knowledge.lifecycleRequirements(resource);
  for (const form of resource.create.forms) {
    const base = { suite: 'state/lifecycle', form, effects: ['read', 'reversible'] as const };
    if (read !== undefined) {
      defineTest(
        session,
        {
          ...base,
          title: 'what was created reads back and is listed',
          operation: resource.create,
          checks: ['created-reads-back'],
          requirements: sentences.create,
        },
        async (t) => {
          const made = await createWithReferences(t, resource, { form });
          const twin = await createWithReferences(t, resource, { form });
          if (sameId(made.id, twin.id))
            t.report(
              violation(made, 'created-reads-back', 'two creations, one id', {
                expected: 'a new id for each creation',
                received: made.id,
                exchanges: [made.created, twin.created],
                requirement: sentences.distinct,
              }),
            );
          await t.holds(() => readsBack(t, made, form, made.sent, 'created-reads-back'));
          if (list !== undefined) await t.holds(() => listed(t, made, form));
        },
      );
      defineTest(
        session,
        {
          ...base,
          title: 'what was deleted is gone, and nothing else',
          operation: resource.remove,
          checks: ['deleted-is-gone'],
          requirements: sentences.remove,
        },
        async (t) => {
          const bystander = await createWithReferences(t, resource, { form });
          const made = await createWithReferences(t, resource, { form });
          const removed = await t.send(resource.remove, {
            form,
            path: { [resource.idName]: made.id },
            expect: 'success',
            label: 'delete',
          });
          if (!isSuccess(removed.response?.status ?? 0)) return;
          await t.holds(() => gone(t, made, form, removed));
          await t.holds(() => readsBack(t, bystander, form, bystander.sent, 'deleted-is-gone'));
        },
      );
    }
    if (read !== undefined && replace !== undefined) {
      defineTest(
        session,
        {
          ...base,
          title: 'what was updated reads back, and nothing else changed',
          operation: replace,
          checks: ['updated-reads-back'],
          requirements: sentences.update,
        },
        async (t) => {
          await update(t, resource, form);
        },
      );
    }
  }
}

async function update(t: TestContext, resource: Resource, form: Form): Promise<void> {
  const { read, replace } = resource;
  if (read === undefined || replace === undefined) return;
  const bystander = await createWithReferences(t, resource, { form });
  const made = await createWithReferences(t, resource, { form });
  const path = { [resource.idName]: made.id };
  const sample = t.knowledge.sampleBody(replace, `${made.name}-again`, await t.knowledge.references(t, replace, path));
  const map = isObject(sample) && isObject(sample['metadata']) ? { metadata: { 'assay-again': made.name } } : {};
  const sent: Json = isObject(sample)
    ? { ...sample, ...map, ...described(sample, `Changed by Assay (${made.name}).`) }
    : (sample ?? {});
  const changed = await t.send(replace, { form, path, json: sent, expect: 'success', label: 'update' });
  if (!isSuccess(changed.response?.status ?? 0)) return;
  const updated = { ...made, created: changed };
  await t.holds(() => readsBack(t, updated, form, sent, 'updated-reads-back'));
  const answered = changed.response?.json;
  const missing =
    isObject(answered) && isObject(sent) && (replace.responses[0]?.content.length ?? 0) > 0
      ? firstMismatch(sent, answered)
      : undefined;
  if (missing !== undefined)
    t.report(
      violation(updated, 'updated-reads-back', `the answer shows another ${missing.name}`, {
        expected: missing.expected,
        received: missing.received,
        exchanges: [changed],
      }),
    );
  await t.holds(() => keepsNothing(t, made, form, sent, changed));
  await again(t, made, form, sent);
  await changeLittle(t, made, form, sent);
  await t.holds(() => readsBack(t, bystander, form, bystander.sent, 'updated-reads-back'));
}

/** Another description, where the body has one; else another value of the first member that holds a text. */
function described(body: JsonObject, text: string): JsonObject {
  const key = 'description' in body ? 'description' : Object.keys(body).find((each) => typeof body[each] === 'string');
  return key === undefined ? {} : { [key]: text };
}

/** Updates after the first one; the last must be there, and what the others sent must not. */
const MORE_UPDATES = 4;

async function again(t: TestContext, made: Made, form: Form, sent: Json): Promise<void> {
  const { replace, idName } = made.resource;
  if (replace === undefined || !isObject(sent)) return;
  for (let count = 1; count <= MORE_UPDATES; count += 1) {
    const json = { ...sent, ...described(sent, `Changed by Assay (${made.name}) once more (${count}).`) };
    const created = await t.send(replace, {
      form,
      path: { [idName]: made.id },
      json,
      expect: 'success',
      label: `update once more (${count})`,
    });
    if (!isSuccess(created.response?.status ?? 0)) return;
    if (count % 2 === 0 && !(await t.holds(() => readsBack(t, { ...made, created }, form, json, 'updated-reads-back'))))
      return;
  }
}

/** Changes that a careless comparison takes for none, one after the other. */
const LITTLE: Readonly<Record<string, (text: string) => string>> = {
  'in capitals': (text) => text.toUpperCase(),
  'in small letters': (text) => text.toLowerCase(),
  'with a space more': (text) => text.replace(/.$/, ' $&'),
  'with an accent': (text) => `${text}\u00E9`,
  'with the accent apart': (text) => `${text}e\u0301`,
  'with a letter less': (text) => text.slice(0, -1),
};

async function changeLittle(t: TestContext, made: Made, form: Form, sent: Json): Promise<void> {
  const { replace, idName } = made.resource;
  if (replace === undefined || !isObject(sent)) return;
  for (const [what, change] of Object.entries(LITTLE)) {
    const json = Object.fromEntries(
      Object.entries(sent).map(([name, value]) => [
        name,
        typeof value === 'string' && value.includes(made.name) ? change(value) : value,
      ]),
    );
    const created = await t.send(replace, {
      form,
      path: { [idName]: made.id },
      json,
      expect: 'success',
      label: `the same ${what}`,
    });
    if (!isSuccess(created.response?.status ?? 0)) return;
    if (!(await t.holds(() => readsBack(t, { ...made, created }, form, json, 'updated-reads-back')))) return;
  }
}

/** A map that was sent anew has no keys any more that only the body before it had: what PUT means (RFC 9110, 9.3.4), not what the document says. */
async function keepsNothing(
  t: TestContext,
  made: Made,
  form: Form,
  sent: Json,
  changed: Exchange,
): Promise<Violation | undefined> {
  const { read, replace, idName } = made.resource;
  if (read === undefined || replace === undefined || !isObject(sent) || !isObject(made.sent)) return undefined;
  const [before, now] = [made.sent['metadata'], sent['metadata']];
  if (!isObject(before) || !isObject(now)) return undefined;
  const exchange = await t.send(read, { form, path: { [idName]: made.id }, label: 'read it back' });
  const shown = isObject(exchange.response?.json) ? exchange.response.json['metadata'] : undefined;
  const left = Object.keys(before).find((key) => now[key] === undefined && isObject(shown) && shown[key] !== undefined);
  if (left === undefined) return undefined;
  const facts = {
    operation: replace,
    expected: `metadata ${JSON.stringify(now)}`,
    received: JSON.stringify(shown),
    exchanges: [made.created, changed, exchange],
  };
  return {
    ...violation(made, 'updated-reads-back', 'a map keeps keys that the update no longer has', facts),
    grade: 'inferred',
  };
}

async function readsBack(
  t: TestContext,
  made: Made,
  form: Form,
  sent: Json,
  check: 'created-reads-back' | 'updated-reads-back' | 'deleted-is-gone',
): Promise<Violation | undefined> {
  const { read, idName } = made.resource;
  if (read === undefined) return undefined;
  const exchange = await t.send(read, { form, path: { [idName]: made.id }, label: 'read it back' });
  const json = exchange.response?.json;
  if (exchange.response?.status !== 200 || !isObject(json)) {
    return violation(made, check, `not readable (${exchange.response?.status ?? 'no answer'})`, {
      operation: read,
      expected: 'status 200 and the item',
      received: `status ${exchange.response?.status ?? 'none'}`,
      exchanges: [made.created, exchange],
    });
  }
  const id = idOf(json);
  if (id !== undefined && !sameId(id, made.id))
    return violation(made, check, 'another id', {
      operation: read,
      expected: made.id,
      received: id,
      exchanges: [made.created, exchange],
    });
  const missing = isObject(sent) ? firstMismatch(sent, json) : undefined;
  if (missing === undefined) return undefined;
  return violation(
    made,
    check,
    check === 'updated-reads-back' && TOLD_BY_SEQUENCES.has(missing.name) ? NOT_AS_SENT : `another ${missing.name}`,
    { expected: missing.expected, received: missing.received, exchanges: [made.created, exchange] },
  );
}

async function listed(t: TestContext, made: Made, form: Form): Promise<Violation | undefined> {
  const { list } = made.resource;
  const seen = list === undefined ? undefined : await walk(t, list, { form });
  if (list === undefined || seen === undefined) return undefined;
  const found = seen.items.filter((item) => sameId(idOf(item), made.id));
  const last = seen.pages.slice(-1);
  if (found.length === 0)
    return violation(made, 'created-reads-back', 'not listed', {
      operation: list,
      requirement: session.knowledge.lifecycleRequirements(made.resource).listed,
      expected: `${made.name} in the list`,
      received: `${seen.items.length} others`,
      exchanges: [made.created, ...last],
    });
  const named = seen.items.filter((item) => mentions(item, made.name));
  if (named.length > 1)
    return violation(made, 'created-reads-back', 'one creation, two items', {
      expected: `one item named ${made.name}`,
      received: `${named.length}`,
      exchanges: [made.created, ...last],
    });
  if (!mentions(found[0], made.name))
    return violation(made, 'created-reads-back', 'listed under another name', {
      operation: list,
      expected: made.name,
      received: JSON.stringify(found[0]).slice(0, 200),
      exchanges: [made.created, ...last],
    });
  return undefined;
}

async function gone(t: TestContext, made: Made, form: Form, removed: Exchange): Promise<Violation | undefined> {
  const { read, list, remove, idName } = made.resource;
  const path = { [idName]: made.id };
  const seen = read === undefined ? undefined : await t.send(read, { form, path, label: 'read what was deleted' });
  if (seen?.response !== undefined && seen.response.status !== 404 && seen.response.status < 500) {
    return violation(
      made,
      'deleted-is-gone',
      isSuccess(seen.response.status) ? 'still readable' : `status ${seen.response.status} for what was deleted`,
      {
        operation: isSuccess(seen.response.status) ? remove : (read ?? remove),
        expected: 'status 404',
        received: `status ${seen.response.status}`,
        exchanges: [removed, seen],
      },
    );
  }
  const all = list === undefined ? undefined : await walk(t, list, { form });
  if (all?.items.some((item) => sameId(idOf(item), made.id)) !== true) return undefined;
  return violation(made, 'deleted-is-gone', 'still listed', {
    operation: list ?? remove,
    expected: `${made.name} is not in the list`,
    received: 'it is',
    exchanges: [removed, ...all.pages.slice(-1)],
  });
}

/** Members by which the sequences tell one body from another. */
const TOLD_BY_SEQUENCES = new Set(['name', 'description']);

type Rest = Pick<Violation, 'expected' | 'received' | 'exchanges'> & {
  readonly operation?: Violation['operation'];
  readonly requirement?: string | undefined;
};

function violation(
  made: Made,
  check: Violation['check'],
  cause: string,
  { requirement, operation, ...rest }: Rest,
): Violation {
  const about = operation ?? made.resource.create;
  const acting =
    check === 'updated-reads-back'
      ? (made.resource.replace ?? about)
      : check === 'deleted-is-gone'
        ? (operation ?? made.resource.remove)
        : about;
  const sentences = session.knowledge.lifecycleRequirements(made.resource);
  const cited =
    requirement ??
    (check === 'updated-reads-back'
      ? sentences.update[0]
      : check === 'deleted-is-gone'
        ? sentences.remove[0]
        : undefined);
  return {
    check,
    operation: acting,
    cause,
    message: `${acting.id}: ${cause}`,
    ...(cited === undefined ? {} : { requirement: cited }),
    ...rest,
  };
}
