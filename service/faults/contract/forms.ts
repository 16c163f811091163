import type { Fields } from '../../model/shape.ts';
import type { Call, Wrap } from '../../http/call.ts';
import { contract } from '../fault.ts';
import type { Defect } from '../fault.ts';
import * as op from '../operations.ts';
import { afterSuccess, body, id, items, omit, query, refused, refusing, textOf, turning } from '../parts.ts';

const SAME = 'Both forms of a path behave the same.';

const isVersioned = ({ form }: Call) => form === '/api/v1';
const isPlain = ({ form }: Call) => form === '/api';

/** Works in one form only. */
function inForm(is: (call: Call) => boolean, wrap: Wrap): Wrap {
  return (call, next) => (is(call) ? wrap(call, next) : next(call));
}

/** What one form created, the other form does not know. */
function unseenByOtherForm(): Defect {
  const made = new Map<unknown, string>();
  const hidden = (call: Call, policyId: unknown) => (made.get(policyId) ?? call.form) !== call.form;
  return {
    outer: async (call, next) => {
      const answer = await next(call);
      if (call.operation?.id === op.CREATE_POLICY && answer.status === 200) made.set(answer.body, call.form);
      if (call.operation?.id === op.READ_POLICY && hidden(call, id(call))) return refused(404);
      if (call.operation?.id !== op.POLICIES || !Array.isArray(answer.body)) return answer;
      return { ...answer, body: answer.body.filter((item: Fields) => !hidden(call, item['id'])) };
    },
  };
}

/** Updates through /api/v1 are answered, not made. */
const losingUpdates: Wrap = (call, next) => (isVersioned(call) ? { status: 200 } : next(call));

export const formFaults = {
  'v1-order-404': contract('The processing order is missing under /api/v1', SAME, [op.ORDER], () => ({
    outer: refusing(404, isVersioned),
  })),
  'plain-skills-404': contract('The skills are missing under /api', SAME, [op.SKILLS], () => ({
    outer: refusing(404, isPlain),
  })),
  'v1-delete-agent-204': contract('Deleting an agent answers 204 under /api/v1', SAME, [op.DELETE_AGENT], () => ({
    outer: inForm(
      isVersioned,
      afterSuccess((answer) => ({ ...answer, status: 204 })),
    ),
  })),
  'v1-create-policy-201': contract(
    'Creating a policy answers 201 under /api/v1 only',
    SAME,
    [op.CREATE_POLICY],
    () => ({
      outer: inForm(
        isVersioned,
        afterSuccess((answer) => ({ ...answer, status: 201 })),
      ),
    }),
  ),
  'v1-other-media-type': contract('Jobs are text/plain under /api/v1', SAME, [op.JOBS], () => ({
    outer: inForm(
      isVersioned,
      afterSuccess((answer) => ({ ...answer, type: 'text/plain' })),
    ),
  })),
  'v1-other-body': contract(
    'Policies lack their description under /api/v1',
    SAME,
    [op.POLICIES, op.READ_POLICY],
    () => ({
      outer: inForm(
        isVersioned,
        items((item) => omit(item, 'description')),
      ),
    }),
  ),
  'plain-names-in-capitals': contract(
    'Agents are named in capitals under /api',
    SAME,
    [op.READ_AGENT, op.AGENTS],
    () => ({
      outer: inForm(
        isPlain,
        items((item) => ({ ...item, name: textOf(item['name']).toUpperCase() })),
      ),
    }),
  ),
  'v1-take-default-10': contract('The default of take is 10 under /api/v1', SAME, [op.POLICIES], () => ({
    outer: inForm(
      isVersioned,
      query('take', (given) => given ?? '10'),
    ),
  })),
  'v1-unknown-400': contract('An unknown job is answered with 400 under /api/v1', SAME, [op.READ_JOB], () => ({
    outer: inForm(isVersioned, turning(404, 400)),
  })),
  'plain-bad-body-404': contract(
    'A bad body is answered with 404 under /api',
    SAME,
    [op.CREATE_AGENT, op.UPDATE_AGENT],
    () => ({ outer: inForm(isPlain, turning(400, 404)) }),
  ),
  'v1-limited-accepted': contract(
    'A token without the permission reads jobs under /api/v1',
    SAME,
    [op.JOBS, op.READ_JOB],
    (tokens) => ({
      outer: inForm(isVersioned, (call, next) => {
        if (call.authorization === `Bearer ${tokens.limited}`) call.authorization = `Bearer ${tokens.full}`;
        return next(call);
      }),
    }),
  ),
  'plain-audit-empty': contract('The audit log is empty under /api', SAME, [op.AUDIT, op.AUDIT_MANY], () => ({
    outer: inForm(
      isPlain,
      body(() => []),
    ),
  })),
  'v1-summary-500': contract('The summary fails under /api/v1', SAME, [op.SUMMARY], () => ({
    outer: inForm(
      isVersioned,
      afterSuccess(() => refused(500)),
    ),
  })),
  'form-write-unseen': contract(
    'A policy that one form created is not seen through the other',
    SAME,
    [op.READ_POLICY, op.POLICIES],
    unseenByOtherForm,
    [op.CREATE_POLICY, op.READ_POLICY, op.POLICIES],
  ),
  'v1-update-lost': contract('An update through /api/v1 is not stored', SAME, [op.UPDATE_POLICY], () => ({
    inner: losingUpdates,
  })),
  'v1-activate-lost': contract('Activation through /api/v1 does nothing', SAME, [op.ACTIVATE], () => ({
    inner: losingUpdates,
  })),
  'v1-approvals-lost': contract('Approvals through /api/v1 do nothing', SAME, [op.APPROVE], () => ({
    inner: losingUpdates,
  })),
} as const;
