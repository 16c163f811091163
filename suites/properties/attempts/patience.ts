import type { Session } from '../../kit/session.ts';

/** How late the changes of this deployment showed so far. */
interface Lateness {
  /** Milliseconds that a read is repeated for while something only might be wrong. */
  quickMs: number;
}

const KNOWN = new WeakMap<Session, Lateness>();

/** At first, changes are taken to show at once. */
const AT_ONCE_MS = 30;

function latenessOf(session: Session): Lateness {
  const known = KNOWN.get(session) ?? { quickMs: AT_ONCE_MS };
  KNOWN.set(session, known);
  return known;
}

/**
 * Repeats `look` while it answers something: briefly, or (`patient`) as long as a change may take to show. Learns from a
 * change that showed late, so that the next brief looks wait as long.
 */
export async function eventually<T>(
  session: Session,
  patient: boolean,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const lateness = latenessOf(session);
  const began = Date.now();
  const most = patient ? session.options.settleMs : lateness.quickMs;
  for (let wait = 5; ; wait = Math.min(wait * 2, 200)) {
    const last = Date.now() - began >= most;
    const wrong = await look();
    if (wrong === undefined) {
      const took = Date.now() - began;
      if (patient && took > lateness.quickMs) lateness.quickMs = Math.min(session.options.settleMs, took * 2);
      return undefined;
    }
    if (last) return wrong;
    await new Promise((resolve) => {
      setTimeout(resolve, Math.max(1, Math.min(wait, began + most - Date.now())));
    });
  }
}
