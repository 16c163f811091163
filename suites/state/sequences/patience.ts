import type { LawBreach, Trial } from '../../session/trial.ts';

/**
 * What `evaluate` still finds once changes had time to show; undefined as soon as it finds nothing. `evaluate` only reads.
 * @param patienceMs Left out: the time that a change may take to show.
 */
export async function persists(trial: Trial, evaluate: () => Promise<LawBreach | undefined>, patienceMs?: number): Promise<LawBreach | undefined> {
  const until = Date.now() + (patienceMs ?? trial.session.options.settleMs);
  for (let wait = 10; ; wait = Math.min(wait * 2, 250)) {
    const last = Date.now() >= until;
    const breach = await evaluate();
    if (breach === undefined || last) return breach;
    await new Promise((resolve) => { setTimeout(resolve, Math.max(1, Math.min(wait, until - Date.now()))); });
  }
}

/** How often a whole scenario must fail that others at work could disturb. */
const SCENARIOS = 3;

/**
 * Reports what a scenario ends in, but only where it ends in it each time: somebody else may have set the order in between.
 * Answers true where it held.
 */
export async function alwaysHolds(trial: Trial, scenario: () => Promise<LawBreach | undefined>): Promise<boolean> {
  for (let time = 1; ; time += 1) {
    const breach = await scenario();
    if (breach === undefined) return true;
    if (time === SCENARIOS || breach.exchanges.some((each) => trial.tainted(each))) {
      trial.report(breach);
      return false;
    }
  }
}
