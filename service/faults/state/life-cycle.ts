import type { Fields } from '../../model/shape.ts';
import { isFields } from '../../model/shape.ts';
import type { PolicyView } from '../../model/policy.ts';
import type { Call } from '../../http/call.ts';
import { state } from '../fault.ts';
import type { Defect } from '../fault.ts';
import * as op from '../operations.ts';
import { before, fields, id, refusing, retext } from '../parts.ts';

const GONE = 'What was deleted is no longer there.';
const STORED = 'A change that was answered with 200 is stored.';
const REFUSED = 'A request that is refused changes nothing.';

/** Remembers deleted policies, for the operations that still show them. */
function ghosts(show: (call: Call, gone: ReadonlyMap<string, PolicyView>, body: unknown) => unknown): Defect {
  const gone = new Map<string, PolicyView>();
  return {
    inner: async (call, next) => {
      const policy = call.operation?.id === op.DELETE_POLICY ? call.world.policies.get(id(call)) : undefined;
      const answer = await next(call);
      if (policy !== undefined) gone.set(policy.id, policy);
      const shown = show(call, gone, answer.body);
      return shown === answer.body ? answer : { status: 200, body: shown };
    },
  };
}

const stillListed = ghosts.bind(null, (call, gone, body) =>
  call.operation?.id === op.POLICIES && Array.isArray(body) ? [...body, ...gone.values()] : body,
);
const stillReadable = ghosts.bind(null, (call, gone, body) =>
  call.operation?.id === op.READ_POLICY ? (gone.get(id(call)) ?? body) : body,
);
const stillInOrder = ghosts.bind(null, (call, gone, body) =>
  call.operation?.id === op.ORDER && Array.isArray(body)
    ? [...body, ...[...gone.values()].map(({ id: policyId, name, order }) => ({ id: policyId, name, order }))]
    : body,
);
const stillActivatable = ghosts.bind(null, (call, gone, body) =>
  call.operation?.id === op.ACTIVATE && gone.has(id(call)) ? null : body,
);

/** Answers a change without making it. */
const pretending = (): Defect => ({ inner: () => ({ status: 200 }) });

export const lifeCycleFaults = {
  'deleted-still-listed': state('A deleted policy is still listed', GONE, [op.POLICIES], stillListed, [
    op.DELETE_POLICY,
    op.POLICIES,
  ]),
  'deleted-still-readable': state('A deleted policy can still be read', GONE, [op.READ_POLICY], stillReadable, [
    op.DELETE_POLICY,
    op.READ_POLICY,
  ]),
  'deleted-still-in-order': state('A deleted policy is still in the order', GONE, [op.ORDER], stillInOrder, [
    op.DELETE_POLICY,
    op.ORDER,
  ]),
  'deleted-still-activatable': state('A deleted policy can still be activated', GONE, [op.ACTIVATE], stillActivatable, [
    op.DELETE_POLICY,
    op.ACTIVATE,
  ]),
  'delete-does-nothing': state('Deleting a policy does nothing', GONE, [op.DELETE_POLICY], pretending),
  'delete-takes-neighbour': state(
    'Deleting a policy deletes the last other one too',
    'Deleting a policy leaves the others alone.',
    [op.DELETE_POLICY],
    () => ({
      inner: async (call, next) => {
        const answer = await next(call);
        const last = call.world.policies.order().at(-1);
        if (answer.status === 200 && last !== undefined) call.world.policies.delete(last);
        return answer;
      },
    }),
  ),
  'create-other-name': state('A policy is created under another name', STORED, [op.CREATE_POLICY], () => ({
    inner: retext('name', (text) => `${text} (1)`),
  })),
  'create-twice': state('Creating a policy creates two', STORED, [op.CREATE_POLICY], () => ({
    inner: (call, next) => {
      call.world.policies.create(call.world.random.uuid(), fields(call), '');
      return next(call);
    },
  })),
  'create-unlisted': state(
    'A policy that was just created is not listed',
    STORED,
    [op.POLICIES],
    () => {
      const made: unknown[] = [];
      return {
        inner: async (call, next) => {
          const answer = await next(call);
          if (call.operation?.id === op.CREATE_POLICY) made.push(answer.body);
          if (call.operation?.id !== op.POLICIES || !Array.isArray(answer.body)) return answer;
          return { ...answer, body: answer.body.filter((item: Fields) => item['id'] !== made.at(-1)) };
        },
      };
    },
    [op.CREATE_POLICY, op.POLICIES],
  ),
  'update-not-stored': state('Updating a policy does nothing', STORED, [op.UPDATE_POLICY], pretending),
  'update-keeps-description': state('An update leaves the description as it was', STORED, [op.UPDATE_POLICY], () => ({
    inner: before((call) => {
      if (isFields(call.body))
        call.body = { ...call.body, description: call.world.policies.get(id(call))?.description ?? null };
    }),
  })),
  'update-clears-description': state('An update loses the description', STORED, [op.UPDATE_POLICY], () => ({
    inner: before((call) => {
      if (isFields(call.body)) call.body = { ...call.body, description: null };
    }),
  })),
  'update-renames-another': state(
    'An update renames another policy too',
    'An update leaves the other policies alone.',
    [op.UPDATE_POLICY],
    () => ({
      inner: async (call, next) => {
        const answer = await next(call);
        const last = call.world.policies.order().findLast((other) => other !== id(call));
        if (answer.status === 200) call.world.policies.merge(last ?? '', { name: String(fields(call)['name']) });
        return answer;
      },
    }),
  ),
  'update-unknown-creates': state(
    'Updating an unknown policy creates it',
    'An id that does not exist is answered with 404.',
    [op.UPDATE_POLICY],
    () => ({
      inner: async (call, next) => {
        const answer = await next(call);
        if (answer.status !== 404) return answer;
        call.world.policies.create(id(call), fields(call), '');
        return { status: 200 };
      },
    }),
  ),
  'limited-delete-made': state('A refused deletion is made', REFUSED, [op.DELETE_POLICY], () => ({
    outer: async (call, next) => {
      const answer = await next(call);
      if (answer.status === 403) call.world.policies.delete(id(call));
      return answer;
    },
  })),
  'agent-update-not-stored': state('Updating an agent does nothing', STORED, [op.UPDATE_AGENT], pretending),
  'agent-delete-does-nothing': state('Deleting an agent does nothing', GONE, [op.DELETE_AGENT], pretending),
  'agent-unlisted': state('The newest agent is not listed', STORED, [op.AGENTS], () => ({
    inner: async (call, next) => {
      const answer = await next(call);
      return Array.isArray(answer.body) ? { ...answer, body: answer.body.slice(0, -1) } : answer;
    },
  })),
  'agent-update-loses-metadata': state('Updating an agent loses its metadata', STORED, [op.UPDATE_AGENT], () => ({
    inner: before((call) => {
      if (isFields(call.body)) call.body = { ...call.body, metadata: {} };
    }),
  })),
  'agent-read-needs-no-agent': state(
    'A deleted agent is answered with 500',
    GONE,
    [op.READ_AGENT],
    () => {
      const gone = new Set<string>();
      return {
        inner: async (call, next) => {
          if (call.operation?.id === op.DELETE_AGENT) gone.add(id(call));
          return call.operation?.id === op.READ_AGENT
            ? refusing(500, () => gone.has(id(call)))(call, next)
            : next(call);
        },
      };
    },
    [op.DELETE_AGENT, op.READ_AGENT],
  ),
} as const;
