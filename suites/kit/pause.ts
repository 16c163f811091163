import { setTimeout as sleep } from 'node:timers/promises';
import type { Exchange, Operation } from '../../spec/index.ts';
import type { Session } from './session.ts';

/** When the last change was answered, by session. */
const CHANGED_AT = new WeakMap<Session, number>();

/** Before a read, in the replay of a finding that shows only some time after a change: waits for that time. */
export async function pauseBefore({ method }: Operation, session: Session): Promise<void> {
  const { pauseMs } = session.options;
  const changedAt = CHANGED_AT.get(session);
  if (pauseMs === undefined || changedAt === undefined || method !== 'GET') return;
  await sleep(Math.max(0, changedAt + pauseMs - Date.now()));
}

export function noteChange({ request }: Exchange, session: Session): void {
  if (request.method !== 'GET') CHANGED_AT.set(session, Date.now());
}
