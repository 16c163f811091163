import type { LawBreach, Trial } from '../../session/trial.ts';

/**
 * What `evaluate` still finds once changes had time to show; undefined as soon as it finds nothing. `evaluate` only reads.
 * @param patienceMs Left out: the time that a change may take to show.
 */
export async function persists(
  trial: Trial,
  evaluate: () => Promise<LawBreach | undefined>,
  patienceMs?: number,
): Promise<LawBreach | undefined> {
  const until = Date.now() + (patienceMs ?? trial.session.options.settleMs);
  for (let wait = 10; ; wait = Math.min(wait * 2, 250)) {
    const last = Date.now() >= until;
    const breach = await evaluate();
    if (breach === undefined || last) return breach;
    await new Promise((resolve) => {
      setTimeout(resolve, Math.max(1, Math.min(wait, until - Date.now())));
    });
  }
}
