import { setTimeout as sleep } from 'node:timers/promises';
import { asAnnouncement, NAMES } from './messages.ts';
import type { Announcement } from './messages.ts';
import type { Broker } from './broker.ts';
import type { Signer } from './signature.ts';

/** Controllers announce their runs every second. */
const LISTEN_MS = 2_500;
const STOP_MS = 30_000;

/** Runs that controllers announce now. */
export async function listRuns(broker: Broker, signer: Signer): Promise<readonly Announcement[]> {
  const runs = new Map<string, Announcement>();
  const close = await broker.subscribe(NAMES.lobby, (text) => {
    const announcement = asAnnouncement(signer.verify(text));
    if (announcement !== undefined) runs.set(announcement.run, announcement);
  });
  await sleep(LISTEN_MS);
  await close();
  return [...runs.values()];
}

/** Requests the controller to stop the run; true once the run is no longer announced. */
export async function stopRun(broker: Broker, signer: Signer, run: string): Promise<boolean> {
  const until = Date.now() + STOP_MS;
  while (Date.now() < until) {
    await broker.publish(NAMES.stop(run), signer.sign({ stop: run }));
    const runs = await listRuns(broker, signer);
    if (runs.every((each) => each.run !== run)) return true;
  }
  return false;
}
