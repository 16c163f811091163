import type { Session } from '../../kit/session.ts';

/** Changes are first assumed to be visible within this time, in milliseconds. */
const BRIEF_MS = 30;

/** How long a brief look waits, by session; grows with the latest change that was seen. */
const BRIEF = new WeakMap<Session, number>();

/**
 * Repeats `look` while it returns something: briefly, or (`patient`) for the whole settle time. Returns what the last look
 * returned. A change that became visible late makes the next brief looks wait as long.
 */
export async function eventually<T>(
  session: Session,
  patient: boolean,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const { settleMs } = session.options;
  const briefMs = BRIEF.get(session) ?? BRIEF_MS;
  const longest = patient ? settleMs : briefMs;
  const began = Date.now();
  for (let wait = 5; ; wait = Math.min(wait * 2, 200)) {
    const isLast = Date.now() - began >= longest;
    const wrong = await look();
    const took = Date.now() - began;
    if (wrong === undefined) {
      if (patient && took > briefMs) BRIEF.set(session, Math.min(settleMs, took * 2));
      return undefined;
    }
    if (isLast) return wrong;
    await new Promise((resolve) => {
      setTimeout(resolve, Math.max(1, Math.min(wait, longest - took)));
    });
  }
}
