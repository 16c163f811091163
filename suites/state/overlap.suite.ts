import { setTimeout as sleep } from 'node:timers/promises';
import { findOperation } from '../../domain/builtin/operations.ts';
import { defineTest } from '../kit/define-test.ts';
import { raceRounds } from '../kit/effort.ts';
import { openSession } from '../kit/session.ts';
import { defineOnce } from './define.ts';
import { awaitInOrder, orderEntries } from './order/processing-order.ts';
import { repeatedlyHolds, SOMETIMES } from './order/stability.ts';
import { runCreations } from './overlap/creations.ts';
import { runDeletions } from './overlap/deletions.ts';
import { overlappingApprovals, overlappingPatches, overlappingRuns } from './overlap/jobs.ts';
import { DURING_ORDER, orderDuringCall } from './overlap/order-and-policy.ts';
import { overlappingOrders, ownSequence } from './overlap/orders.ts';
import { runRace } from './overlap/race.ts';
import { inSendOrder, RACES, raceTitle } from './overlap/races.ts';
import { runSearches } from './overlap/searches.ts';
import { runStress } from './overlap/stress.ts';
import { createTracked, FAMILIES, operationFor } from './sequences/items.ts';
import type { Family } from './sequences/items.ts';
import { setUp } from './sequences/setup.ts';
import type { Evaluation } from '../kit/context.ts';

const session = await openSession();

/** Rounds of each race: one round may succeed by chance. */
const ROUNDS = raceRounds(session.options.runs);

const base = { suite: 'state/overlap', checks: ['overlap'], effects: ['read', 'reversible'], cost: 60 } as const;
const withRuns = { ...base, effects: ['read', 'reversible', 'costly'], isAwaited: true } as const;
const onOrder = {
  ...base,
  effects: ['read', 'reversible', 'global'],
  requirements: ['policies.processing-order'],
  isolated: true,
} as const;

for (const race of RACES) {
  const operation = operationFor(session, race.family, inSendOrder(race.calls)[0]?.kind ?? 'read');
  if (operation === undefined || findOperation(session.contract, FAMILIES[race.family]) === undefined) continue;
  defineTest(session, {
    ...base,
    title: raceTitle(race),
    operation,
    run: async (t) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        t.countCases(1);
        if (!(await runRace(t, race, round))) return;
      }
    },
  });
}

for (const family of Object.keys(FAMILIES) as Family[]) {
  const title = 'overlapping creations each create one item';
  defineOnce(session, FAMILIES[family], {
    ...base,
    title,
    run: async (t) => {
      for (let round = 0; round < 2; round += 1) if (!(await runCreations(t, family))) return;
    },
  });
  const kept = 'lists show the other items while some are deleted';
  defineOnce(session, FAMILIES[family], {
    ...base,
    title: kept,
    run: async (t) => {
      for (let round = 0; round < 2; round += 1) if (!(await runDeletions(t, family))) return;
    },
  });
}

defineOnce(session, 'policies', {
  ...base,
  title: 'searches at the same time each find their own item',
  run: runSearches,
});

defineOnce(session, 'patchJob', {
  ...base,
  title: 'overlapping patches of different members are all stored',
  run: async (t, operation) => {
    for (let round = 0; round < ROUNDS && (await overlappingPatches(t, operation, round)); round += 1) t.countCases(1);
  },
});

defineOnce(session, 'queue', {
  ...withRuns,
  title: 'runs that are queued at the same time are all listed',
  run: overlappingRuns,
});

defineOnce(session, 'approve', {
  ...withRuns,
  effects: [...withRuns.effects, 'irreversible'],
  title: 'overlapping approvals of different results all take effect',
  run: async (t, operation) => {
    for (let round = 0; round < 2 && (await overlappingApprovals(t, operation)); round += 1) t.countCases(1);
  },
});

defineOnce(session, 'updatePolicy', {
  ...base,
  title: 'concurrent clients lose no update of a policy',
  cost: 200,
  run: runStress,
});

defineOnce(session, 'setOrder', {
  ...onOrder,
  title: 'of two overlapping processing orders, one is stored as a whole',
  run: async (t) => {
    const own = (await Promise.all(Array.from({ length: 4 }, () => createTracked(t, 'policy')))).map(({ key }) => key);
    const settlesAt = Date.now() + t.settleMs;
    await awaitInOrder(t, own);
    const known = new Set([ownSequence([...(await orderEntries(t)).keys()], own)]);
    for (let round = 0; round < ROUNDS; round += 1) {
      t.countCases(1);
      const scenario = async (): Evaluation => {
        const violation = await overlappingOrders(t, own, round, known);
        const leftMs = settlesAt - Date.now();
        if (violation === undefined || leftMs <= 0) return violation;
        // One read has shown the new policies, another may lag behind until the settle time.
        await sleep(leftMs);
        return overlappingOrders(t, own, round, known);
      };
      if (!(await repeatedlyHolds(t, scenario, SOMETIMES))) return;
    }
  },
});

defineOnce(session, 'setOrder', {
  ...onOrder,
  title: 'calls on policies that overlap with setting their order take effect',
  run: async (t) => {
    const setup = await setUp(t, 'policy');
    const own = await Promise.all(Array.from({ length: 3 }, () => createTracked(t, 'policy')));
    await awaitInOrder(
      t,
      own.map(({ key }) => key),
    );
    for (const kind of DURING_ORDER) {
      for (let round = 0; round < ROUNDS; round += 1) {
        t.countCases(1);
        if (!(await repeatedlyHolds(t, () => orderDuringCall(t, { setup, own, kind, round }), SOMETIMES))) return;
      }
    }
  },
});
