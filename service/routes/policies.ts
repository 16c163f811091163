import { done, ok } from '../http/answer.ts';
import type { Answer } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import { badRequest, notFound } from '../http/refusal.ts';
import type { Policy, PolicyInput, PolicyOrdering } from '../model/policy.ts';
import { NO_CONDITION, NO_ID, orderingShape, policyShape } from '../model/policy.ts';
import { fit } from '../model/shape.ts';
import { ORGANIZATION } from '../world/organization.ts';
import { RULE_ACTIONS } from '../world/rule-actions.ts';
import { existing, group, userId } from './define.ts';
import { filterPolicies, sortPolicies } from './policy-list.ts';
import { takePage } from './page.ts';

export const policyOperations = group('RACI:management.accesscontrol', {
  'GET /accesscontrolpolicies': (call) => {
    const { policies } = call.world;
    const selected = sortPolicies(call, filterPolicies(call, policies.rows()));
    return ok(takePage(call, selected).map((row) => policies.view(row)));
  },
  'POST /accesscontrolpolicies': (call) => {
    const input = fit<PolicyInput>(policyShape, call.body);
    const policy = call.world.policies.create(call.world.random.uuid(), input, userId(call));
    note(call, policy.id, policy.name, 'Create');
    return ok(policy.id);
  },
  'GET /accesscontrolpolicies/byprocessingorder': (call) =>
    ok(call.world.policies.list().map(({ id, name, order }) => ({ id, name, order }))),
  'POST /accesscontrolpolicies/setprocessingorder': setOrder,
  'POST /accesscontrolpolicies/{id}/activate': (call) => setActive(call, true),
  'POST /accesscontrolpolicies/{id}/deactivate': (call) => setActive(call, false),
  'GET /accesscontrolpolicies/{id}': (call) => ok(call.world.policies.view(policyOf(call))),
  'PUT /accesscontrolpolicies/{id}': (call) => {
    const { id } = policyOf(call);
    const {
      name = null,
      description = null,
      condition = NO_CONDITION,
      rules = null,
    } = fit<PolicyInput>(policyShape, call.body);
    const modified = { modifiedAt: new Date().toISOString(), modifiedBy: userId(call) };
    call.world.policies.merge(id, { name, description, condition, rules, ...modified });
    note(call, id, name, 'Update');
    return done();
  },
  'DELETE /accesscontrolpolicies/{id}': (call) => {
    const { id, name } = policyOf(call);
    call.world.policies.delete(id);
    note(call, id, name, 'Delete');
    return done();
  },
  'GET /accesscontrolpolicies/actions': () => ok(RULE_ACTIONS),
});

const policyOf = (call: Call): Policy => existing(call, call.world.policies, 'access control policy');

function note(call: Call, id: string, name: string | null, action: string): void {
  call.world.audit.add('policy', id, name, action, userId(call));
}

function setActive(call: Call, isActive: boolean): Answer {
  const { id, name } = policyOf(call);
  call.world.policies.merge(id, { isActive });
  note(call, id, name, isActive ? 'Activate' : 'Deactivate');
  return done();
}

/** Policies missing in the body keep their order after those in the body. */
function setOrder(call: Call): Answer {
  const { policies, audit } = call.world;
  const ids = fit<PolicyOrdering[]>(orderingShape, call.body).map(({ id = NO_ID }) => id.toLowerCase());
  const named = new Set(ids);
  if (named.size < ids.length) throw badRequest('The order contains a policy twice.');
  const unknown = ids.find((id) => !policies.has(id));
  if (unknown !== undefined) throw notFound('access control policy', unknown);
  policies.setOrder([...ids, ...policies.order().filter((id) => !named.has(id))]);
  audit.add('processingOrder', ORGANIZATION, null, 'SetProcessingOrder', userId(call));
  return done();
}
