import { create } from '../../../domain/create.ts';
import { idInResponse } from '../../../domain/id-in-response.ts';
import type { CreatedItem } from '../../../domain/create.ts';
import { walkUntil } from '../../../domain/read-list.ts';
import type { Walk } from '../../../domain/read-list.ts';
import type { Resource } from '../../../domain/resources.ts';
import { isObject, isServed } from '../../../spec/index.ts';
import type { Exchange, Form, Json, Operation, Violation } from '../../../spec/index.ts';
import type { Evaluation, TestContext } from '../../kit/context.ts';
import { changesNothing } from '../../kit/polling.ts';
import { firstMismatch } from '../../kit/read-back.ts';
import { responseFormats } from '../../kit/formats.ts';
import { violationOf } from '../../kit/violation.ts';
import type { Evidence } from '../../kit/violation.ts';
import { findNotListed } from './listed.ts';
import { findDeleted, findUnreadable, findUpdateLost } from './read-back.ts';

/** A server error or no response says nothing about what was done. */
function isRefused({ response }: Exchange): boolean {
  return response !== undefined && response.status >= 400 && response.status < 500;
}

interface Seen {
  readonly sent: Json;
  readonly shown: Exchange | undefined;
}

/** What is shown of what the client has sent, at any depth: other members may be computed for each response. */
function sentPart(shown: Json, sent: Json | undefined): Json {
  if (Array.isArray(shown)) {
    const items: readonly Json[] = Array.isArray(sent) ? sent : [];
    return shown.map((item: Json, index) => sentPart(item, items[index]));
  }
  if (!isObject(shown) || !isObject(sent)) return shown;
  const own = Object.entries(shown).filter(([name]) => Object.hasOwn(sent, name));
  return Object.fromEntries(own.map(([name, value]) => [name, sentPart(value, sent[name])]));
}

/** A member that the client has sent, and that is no longer as it was. */
function changeBetween(
  t: TestContext,
  { sent, shown: before }: Seen,
  { shown: after }: Seen,
): Pick<Evidence, 'expected' | 'received'> | undefined {
  if (before === undefined || after === undefined || !isServed(before) || !isServed(after)) return undefined;
  const operation = t.contract.operation(after.operation);
  const [was, is] = [before.response.json, after.response.json];
  if (operation === undefined || !isObject(sent) || was === undefined || !isObject(is)) return undefined;
  const own = sentPart(was, sent);
  if (!isObject(own)) return undefined;
  const found = firstMismatch(own, is, t.knowledge.members, responseFormats(t.contract, operation));
  if (found === undefined || t.knowledge.members.volatile.test(found.name)) return undefined;
  return { expected: `${found.name}: ${found.expected}`, received: `${found.name}: ${found.received}` };
}

/** The item that was created to use another one, as it is shown; undefined where something else brought that one into use. */
async function userOf(t: TestContext, used: Exchange): Promise<Seen | undefined> {
  const resource = t.knowledge.resources.find(({ create: creation }) => creation.id === used.operation);
  const id = resource && idInResponse(used, resource.idName);
  if (resource?.read === undefined || id === undefined) return undefined;
  const sent = JSON.parse(new TextDecoder().decode(used.request.body)) as Json;
  return { sent, shown: await t.send(resource.read, { path: { [resource.idName]: id }, label: 'read what uses it' }) };
}

/** An item that the list leaves out once something uses it. */
async function findUnlisted(t: TestContext, item: CreatedItem, form: Form, used: Exchange): Evaluation {
  const found = await findNotListed(t, item, form);
  if (found?.code !== 'created-reads-back/not-listed') return undefined;
  return afterUse(found, used, `${item.resource.list?.id ?? ''} does not list an item that is in use`);
}

/** The creation of what uses an item must not change that item, which is not stated. */
async function findChangedByUse(t: TestContext, item: CreatedItem, form: Form, used: Exchange): Evaluation {
  const user = t.knowledge.resources.find(({ create: creation }) => creation.id === used.operation);
  const found = user && (await findUnreadable(t, item, form));
  if (user === undefined || found === undefined) return undefined;
  const changed = afterUse(found, used, `${user.create.id} changes an item that it refers to`);
  return { ...changed, operation: user.create, grade: 'inferred' };
}

function afterUse(found: Violation, used: Exchange, message: string): Violation {
  const [created, ...seen] = found.exchanges;
  return { ...found, message, exchanges: [...(created === undefined ? [] : [created]), used, ...seen] };
}

/** An item as it is after its last update, which is missing where it was not updated. */
type UpdatedItem = CreatedItem & { readonly updates?: readonly Exchange[] };

/** Updates the description of an item in use, which may be refused; otherwise it takes effect. Returns the item as it is then. */
async function updateInUse(
  t: TestContext,
  item: CreatedItem,
  { replace, form, used }: { readonly replace: Operation; readonly form: Form; readonly used: Exchange },
): Promise<UpdatedItem> {
  const sent = isObject(item.sent) ? { ...item.sent, description: `${item.name}, in use` } : item.sent;
  const changed = await t.send(replace, { form, path: item.path, json: sent, label: 'update the item in use' });
  if (!isServed(changed)) return item;
  await t.takesEffect(async (t) => {
    const found = await findUpdateLost(t, item, form, { sent, changed });
    return found && { ...found, exchanges: [used, ...found.exchanges] };
  });
  return { ...item, sent, updates: [changed] };
}

/** Deletes an item in a state in which that may be refused. Whether it is, is not documented. */
export async function keepsWhatItRefuses(t: TestContext, resource: Resource, form: Form): Promise<void> {
  const { read, list, remove, replace } = resource;
  await changesNothing(t, {
    async prepare() {
      const item = await create(t, resource, { form });
      const isStored = (await findUnreadable(t, item, form)) === undefined;
      const used =
        (await t.knowledge.use?.(t, resource, item.id)) ?? t.skip('using the item needs an effect that is not allowed');
      if (isStored) await t.holds((t) => findChangedByUse(t, item, form, used));
      // Through one form only: in the other one, an item that was never updated is deleted.
      const isUpdated = replace !== undefined && form !== remove.forms[0];
      const updated: UpdatedItem = isUpdated ? await updateInUse(t, item, { replace, form, used }) : item;
      await t.holds((t) => findUnlisted(t, updated, form, used));
      return { ...updated, used };
    },
    async read({ id, path, sent, used }) {
      const shown = read === undefined ? undefined : await t.send(read, { form, path, label: 'read' });
      const isListed = ({ ids }: Walk): boolean => ids.includes(id.toLowerCase());
      const listed = list === undefined ? undefined : await walkUntil(t, list, { form }, isListed);
      const user = await userOf(t, used);
      return { sent, shown, user, listed, isListed: listed !== undefined && isListed(listed) };
    },
    act: async ({ used, ...item }) => {
      const { path, created, updates = [] } = item;
      const deleted = await t.send(remove, { form, path, label: 'delete an item in use' });
      if (isServed(deleted)) {
        await t.takesEffect((t) => findDeleted(t, item, form, deleted));
        // It may be gone, too, but reading it must not fail.
        await userOf(t, used);
        t.skip('the deployment removes items in use');
      }
      if (!isRefused(deleted)) t.skip('the deletion was answered with neither a success nor a refusal');
      return [created, used, ...updates, deleted];
    },
    difference(before, after, sent) {
      const ofUser = before.user && after.user && changeBetween(t, before.user, after.user);
      const changed = changeBetween(t, before, after) ?? ofUser;
      if (changed !== undefined) {
        const [one, other] = changed === ofUser ? [before.user, after.user] : [before, after];
        const exchanges = [...sent, one?.shown, other?.shown];
        const requirement = 'errors.refused-changes-nothing';
        return violationOf('refused-changes-nothing/changed-data', remove, { requirement, ...changed, exchanges });
      }
      const gone = [
        { what: 'the item', was: before.shown, is: after.shown },
        { what: 'the item that uses it', was: before.user?.shown, is: after.user?.shown },
      ].find(({ was, is }) => isServed(was) && is?.response?.status === 404);
      if (gone === undefined && (!before.isListed || after.isListed)) return undefined;
      return violationOf('refused-changes-nothing/changed-data', remove, {
        requirement: 'errors.refused-changes-nothing',
        expected: `${gone?.what ?? 'the item'} is still ${gone === undefined ? 'listed' : 'readable'}`,
        received: gone === undefined ? 'it is not in the list' : 'status 404',
        exchanges: [...sent, gone === undefined ? after.listed?.pages.at(-1) : gone.is],
      });
    },
  });
}
