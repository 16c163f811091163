import { operationOf } from '../../../domain/builtin/operations.ts';
import { readUntil } from '../../../domain/context.ts';
import { uniqueName } from '../../../domain/create.ts';
import type { CreatedItem } from '../../../domain/create.ts';
import { idOf, itemsIn, itemsOf, memberOf, mentions, sameId } from '../../../domain/items.ts';
import { isObject, isServed } from '../../../spec/index.ts';
import type { Exchange, Json } from '../../../spec/index.ts';
import { differences } from '../../kit/compare.ts';
import { define } from './define.ts';
import { freshAgent } from '../../../domain/builtin/agents.ts';
import { freshJob } from '../../../domain/builtin/jobs.ts';
import { freshPolicy } from '../../../domain/builtin/policies.ts';

define(
  'createPolicy',
  'the id of the body is ignored',
  'published.policy-ids',
  ['reversible', 'read'],
  async ({ t, form, report }) => {
    const id = '11111111-2222-4333-8444-555555555555';
    const policy = await freshPolicy(t, 'ownid', { id }, form);
    if (sameId(policy.id, id))
      report('value', 'body-id', 'a new id', [policy.created], { received: `${id}, the id of the body` });
  },
);

define(
  'createPolicy',
  'an invalid model, an unregistered action or a bad filter rule is refused',
  'published.policy-invalid',
  ['reversible'],
  async ({ t, operation, mustRefuse }) => {
    const sample = t.knowledge.sampleBody(operation, uniqueName(t, 'invalid'));
    const policy = isObject(sample) ? sample : {};
    const condition = isObject(policy['condition']) ? policy['condition'] : {};
    const action = { name: 'Assay', type: 'Assay.NoSuchAction', supportsPreview: false, properties: [] };
    await mustRefuse('invalid-model', { json: { ...policy, rules: [{ name: '' }] } });
    await mustRefuse('unregistered-action', { json: { ...policy, rules: [{ name: 'rule', actions: [action] }] } });
    await mustRefuse('bad-filter-rule', { json: { ...policy, condition: { ...condition, condition: 'ASSAY' } } });
  },
);

define(
  'createPolicy',
  'a rule keeps its actions',
  'published.policy-actions',
  // Where new policies apply at once and inactive rules act, others would see what it does.
  ['reversible', 'read', 'global'],
  async ({ t, form, report }) => {
    const listed = await t.send(operationOf(t, 'actions'), { form, label: 'list the actions' });
    const known = itemsIn(listed) ?? [];
    // An update may lose what an action holds.
    const holdsSome = (action: Json): boolean => (itemsOf(memberOf(action, 'properties')) ?? []).length > 0;
    const actions = [known.find(holdsSome) ?? known[0] ?? {}];
    const type = isObject(actions[0]) ? actions[0]['type'] : undefined;
    const text = typeof type === 'string' ? type : t.skip('no action with a type is listed');
    const rules = [{ name: 'rule', order: 1, isActive: false, actions }];
    const policy = await freshPolicy(t, 'actions', { rules }, form);
    const request = { form, path: { id: policy.id } };
    const readAs = (label: string) => () => t.send(operationOf(t, 'readPolicy'), { ...request, label });
    const isKeptIn = ({ response }: Exchange): boolean => mentions(response?.json, text);
    const read = await readUntil(t, readAs('read the policy'), isKeptIn);
    const isKept = isKeptIn(read);
    if (!isKept && !isAsCreated(read, policy)) t.skip('the policy is not returned as it was created');
    if (!isKept) return report('missing', 'rule-actions', `the action ${text}`, [listed, policy.created, read]);
    const stored = actionsIn(read);
    const json = isObject(policy.sent) ? { ...policy.sent, description: 'updated with the same rules' } : policy.sent;
    const label = 'update with the same rules';
    const updated = await t.send(operationOf(t, 'updatePolicy'), { ...request, json, label });
    if (!isServed(updated)) return;
    const isUpdated = ({ response }: Exchange): boolean =>
      memberOf(response?.json, 'description') === 'updated with the same rules';
    const isSame = (seen: Exchange): boolean => differences(stored, actionsIn(seen)).length === 0;
    const after = await readUntil(t, readAs('read it again'), (seen) => isUpdated(seen) && isSame(seen));
    if (isSame(after) || !isUpdated(after)) return;
    const received = JSON.stringify(actionsIn(after));
    report('value', 'rule-actions', `${JSON.stringify(stored)}, as created`, [policy.created, read, updated, after], {
      by: operationOf(t, 'updatePolicy'),
      received,
    });
  },
);

/** False if the policy was lost, or replaced by another: other tests report that. */
const isAsCreated = ({ response }: Exchange, { name }: CreatedItem): boolean =>
  response?.status === 200 && memberOf(response.json, 'name') === name;

/** The actions of the first rule of a policy. */
function actionsIn({ response }: Exchange): Json | undefined {
  return memberOf(itemsOf(memberOf(response?.json, 'rules'))?.[0], 'actions');
}

define(
  'updatePolicy',
  'the id of the path is used',
  'published.policy-ids',
  ['reversible', 'read'],
  async ({ t, operation, form, report }) => {
    const [policy, other] = [await freshPolicy(t, 'pathid'), await freshPolicy(t, 'pathid')];
    const description = 'updated by the id of the path';
    const json = isObject(policy.sent) ? { ...policy.sent, id: other.id, description } : policy.sent;
    const label = 'update with the id of another policy in the body';
    const updated = await t.send(operation, { form, path: { id: policy.id }, json, label });
    if (!isServed(updated)) return;
    const path = { id: other.id };
    const read = await t.send(operationOf(t, 'readPolicy'), { form, path, label: 'read the other policy' });
    if (!mentions(read.response?.json, description)) return;
    const own = await t.send(operationOf(t, 'readPolicy'), { form, path: { id: policy.id }, label: 'read the policy' });
    if (mentions(own.response?.json, description)) t.skip('the update changed both policies');
    report('value', 'body-id', 'the policy of the path is updated', [updated, read], {
      received: 'the policy of the id in the body was updated',
    });
  },
);

define(
  'order',
  'the processing order shows the new name of a policy',
  'published.order-names',
  ['reversible', 'read'],
  async ({ t, operation, form, report }) => {
    const policy = await freshPolicy(t, 'former');
    const read = (): Promise<Exchange> => t.send(operation, { form, label: 'read the processing order' });
    const nameIn = (order: Exchange): Json | undefined => {
      const own = itemsIn(order)?.find((entry) => sameId(idOf(entry), policy.id));
      return memberOf(own, 'name');
    };
    if (nameIn(await read()) !== policy.name) t.skip('the processing order does not show the name of a new policy');
    const name = uniqueName(t, 'latter');
    const json = isObject(policy.sent) ? { ...policy.sent, name } : policy.sent;
    const request = { path: { id: policy.id }, json, label: 'rename the policy' };
    const renamed = await t.send(operationOf(t, 'updatePolicy'), request);
    if (!isServed(renamed)) return;
    const order = await readUntil(t, read, (seen) => nameIn(seen) === name);
    const received = nameIn(order);
    // The update may have deactivated the policy, and the order may list active ones only.
    if (received !== name && received !== undefined)
      report('value', 'name', name, [renamed, order], { received: JSON.stringify(received) });
  },
);

const READS = [
  ['readPolicy', freshPolicy],
  ['readAgent', freshAgent],
  ['readJob', freshJob],
] as const;

for (const [role, make] of READS) {
  define(
    role,
    'uuids are case-insensitive',
    'published.uuid-case',
    ['reversible', 'read'],
    async ({ t, operation, form, report }) => {
      const { id: returned, created } = await make(t, 'case');
      for (const id of [returned.toUpperCase(), returned.toLowerCase()]) {
        const read = await t.send(operation, { form, path: { id }, label: 'read' });
        if (read.response?.status !== 404) continue;
        const asReturned = await t.send(operation, {
          form,
          path: { id: returned },
          label: 'read with the returned id',
        });
        if (!isServed(asReturned)) t.skip('the item is not readable');
        report('refused', 'uuid-case', 'status 200', [created, read]);
      }
    },
  );
}

define(
  'createPolicy',
  'observes the initial state of a policy',
  'policies.initial-state',
  ['reversible', 'read'],
  async ({ t, operation, form }) => {
    const { id, name } = await freshPolicy(t, 'open');
    const query = { searchName: name, filterActive: true };
    const { response } = await t.send(operationOf(t, 'policies'), { form, query });
    const isActive = itemsIn({ response })?.some((item) => sameId(idOf(item), id)) === true;
    t.observe('a new policy is', isActive ? 'active' : 'inactive', operation);
  },
);
