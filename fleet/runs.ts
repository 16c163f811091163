import { setTimeout as sleep } from 'node:timers/promises';
import { asCall, NAMES } from './messages.ts';
import type { Call } from './messages.ts';
import type { Broker } from './queue.ts';
import type { Signer } from './signature.ts';

/** Controllers call each second. */
const LISTEN_MS = 2_500;
const STOP_MS = 30_000;

/** Runs whose controllers call now. */
export async function runsOf(broker: Broker, signer: Signer, listenMs = LISTEN_MS): Promise<readonly Call[]> {
  const calls = new Map<string, Call>();
  const close = await broker.subscribe(NAMES.lobby, (text) => {
    const call = asCall(signer.open(text));
    if (call !== undefined) calls.set(call.run, call);
  });
  await sleep(listenMs);
  await close();
  return [...calls.values()];
}

/** Asks the controller of a run to stop; true when it calls no more. */
export async function stopRun(broker: Broker, signer: Signer, run: string): Promise<boolean> {
  const until = Date.now() + STOP_MS;
  while (Date.now() < until) {
    await broker.publish(NAMES.stop(run), signer.sign({ stop: run }));
    const runs = await runsOf(broker, signer);
    if (runs.every((call) => call.run !== run)) return true;
  }
  return false;
}
