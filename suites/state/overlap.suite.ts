import { law } from '../session/law.ts';
import { openSession } from '../session/session.ts';
import { holdContest } from './overlap/contest.ts';
import { CONTESTS } from './overlap/contests.ts';
import { operationIdFor } from './sequences/subject.ts';
import { OPERATIONS } from './world.ts';

const session = await openSession();

/** Runs a whole at a time may lose what the next one keeps: rounds of each contest. */
const ROUNDS = Math.max(2, Math.ceil(session.options.runs / 25));

for (const contest of CONTESTS) {
  const resource = OPERATIONS[contest.family];
  const last = session.contract.operation(operationIdFor(contest.family, contest.calls[0]?.kind ?? 'read') ?? '');
  if (session.contract.operation(resource) === undefined || last === undefined) continue;
  law(session, {
    suite: 'state/overlap', title: `at once: ${contest.title} (${contest.family.slice('create'.length).toLowerCase()})`, operation: last,
    checks: ['overlap'], effects: ['read', 'reversible'], cost: 60,
  }, async (trial) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      trial.countCases(1);
      if (!(await holdContest(trial, contest, round))) return;
    }
  });
}
