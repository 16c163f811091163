import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { BESIDE, besideOrder } from './overlap/beside-order.ts';
import { holdContest } from './overlap/contest.ts';
import { CONTESTS } from './overlap/contests.ts';
import { holdCreations } from './overlap/creations.ts';
import { holdCrowd } from './overlap/crowd.ts';
import { approvalsAtOnce, patchesOfOne, runsAtOnce } from './overlap/jobs.ts';
import { among, ordersAtOnce } from './overlap/orders.ts';
import { awaitInOrder, orderEntries } from './sequences/ordering.ts';
import { alwaysHolds, AT_TIMES } from './sequences/certainty.ts';
import { prepare } from './sequences/prepare.ts';
import { makeSubject, operationIdFor } from './sequences/subject.ts';
import type { Family } from './sequences/subject.ts';
import { OPERATIONS } from '../../domain/builtin/operations.ts';

const session = await openSession();

/** One round may end well by luck: rounds of each contest. */
const ROUNDS = Math.max(2, Math.ceil(session.options.runs / 25));

for (const contest of CONTESTS) {
  const resource = OPERATIONS[contest.family];
  const last = session.contract.operation(operationIdFor(contest.family, contest.calls[0]?.kind ?? 'read') ?? '');
  if (session.contract.operation(resource) === undefined || last === undefined) continue;
  defineTest(
    session,
    {
      suite: 'state/overlap',
      title: `at once: ${contest.title} (${contest.family.slice('create'.length).toLowerCase()})`,
      operation: last,
      checks: ['overlap'],
      effects: ['read', 'reversible'],
      cost: 60,
    },
    async (t) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        t.countCases(1);
        if (!(await holdContest(t, contest, round))) return;
      }
    },
  );
}

const base = { suite: 'state/overlap', checks: ['overlap'], effects: ['read', 'reversible'], cost: 60 } as const;
const operationFor = (name: keyof typeof OPERATIONS) => session.contract.operation(OPERATIONS[name]);

for (const family of ['createPolicy', 'createAgent', 'createJob'] as const satisfies readonly Family[]) {
  const operation = operationFor(family);
  if (operation === undefined) continue;
  defineTest(session, { ...base, title: 'creations at once are all there, each once', operation }, async (t) => {
    for (let round = 0; round < 2; round += 1) if (!(await holdCreations(t, family))) return;
  });
}

const [patching, queueing, setting, updating, approving] = [
  operationFor('patchJob'),
  operationFor('queue'),
  operationFor('setOrder'),
  operationFor('updatePolicy'),
  operationFor('approve'),
];

if (patching !== undefined) {
  defineTest(
    session,
    { ...base, title: 'patches of different members at once all stay', operation: patching },
    async (t) => {
      for (let round = 0; round < ROUNDS && (await patchesOfOne(t, patching)); round += 1) t.countCases(1);
    },
  );
}

if (queueing !== undefined) {
  defineTest(
    session,
    {
      ...base,
      title: 'runs that are queued at once all appear',
      operation: queueing,
      effects: ['read', 'reversible', 'costly'],
    },
    (t) => runsAtOnce(t, queueing),
  );
}

if (approving !== undefined) {
  defineTest(
    session,
    {
      ...base,
      title: 'approvals of different results at once all count',
      operation: approving,
      effects: ['read', 'reversible', 'costly'],
    },
    async (t) => {
      for (let round = 0; round < 2 && (await approvalsAtOnce(t, approving)); round += 1) t.countCases(1);
    },
  );
}

if (updating !== undefined) {
  defineTest(
    session,
    { ...base, title: 'clients that work on the same policies lose nothing', operation: updating, cost: 200 },
    (t) => holdCrowd(t, 12),
  );
}

if (setting !== undefined) {
  defineTest(
    session,
    {
      ...base,
      title: 'of two orders at once one is left',
      operation: setting,
      effects: ['read', 'reversible', 'global'],
      requirements: ['policies.processing-order'],
      alone: true,
    },
    async (t) => {
      const own = (await Promise.all(Array.from({ length: 4 }, () => makeSubject(t, 'createPolicy')))).map(
        (each) => each.id,
      );
      await awaitInOrder(t, own);
      const known = new Set([among([...(await orderEntries(t)).keys()], own)]);
      for (let round = 0; round < ROUNDS; round += 1) {
        t.countCases(1);
        if (!(await alwaysHolds(t, () => ordersAtOnce(t, own, round, known), AT_TIMES))) return;
      }
    },
  );
  defineTest(
    session,
    {
      ...base,
      title: 'the order is set while policies change, and nothing is lost',
      operation: setting,
      effects: ['read', 'reversible', 'global'],
      requirements: ['policies.processing-order'],
      alone: true,
    },
    async (t) => {
      const shared = await prepare(t, 'createPolicy');
      const own = await Promise.all(Array.from({ length: 3 }, () => makeSubject(t, 'createPolicy')));
      await awaitInOrder(
        t,
        own.map((each) => each.id),
      );
      for (const kind of BESIDE) {
        for (let round = 0; round < ROUNDS; round += 1) {
          t.countCases(1);
          if (!(await alwaysHolds(t, () => besideOrder(t, { shared, own, kind, round }), AT_TIMES))) return;
        }
      }
    },
  );
}
