import type { Violation, TestContext } from '../../kit/context.ts';

/**
 * What `evaluate` still finds once changes had time to show; undefined as soon as it finds nothing. `evaluate` only reads.
 * @param patienceMs Left out: the time that a change may take to show.
 */
export async function persists(
  t: TestContext,
  evaluate: () => Promise<Violation | undefined>,
  patienceMs?: number,
): Promise<Violation | undefined> {
  const until = Date.now() + (patienceMs ?? t.session.options.settleMs);
  for (let wait = 10; ; wait = Math.min(wait * 2, 250)) {
    const last = Date.now() >= until;
    const violation = await evaluate();
    if (violation === undefined || last) return violation;
    await new Promise((resolve) => {
      setTimeout(resolve, Math.max(1, Math.min(wait, until - Date.now())));
    });
  }
}
