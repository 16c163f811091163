/** Set in the process of a share, to the file with the contract of its agent; a broker that its environment names is that one's. */
export const SHARE = 'ASSAY_SHARE';

/** Whether this process runs a share: its controller has checked what the run selects. */
export const isShare = (): boolean => process.env[SHARE] !== undefined;

/** Ends this process in order when the one that started it with a channel is gone. */
export function endWithParent(): void {
  if (process.channel !== undefined) process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
}

const LOOK_MS = 100;

/** The time until when a share may run, and the signal that ends it then. */
interface Lease {
  readonly until: number;
  readonly signal: NodeJS.Signals;
}

/**
 * Ends this process when the time is over that its agent has given it last: the agent stands still, and another one runs
 * the share.
 */
export function endWithLease(): void {
  let lease: Lease | undefined;
  process.on('message', (given: Lease) => (lease = given));
  const isOver = (): boolean => lease !== undefined && Date.now() > lease.until;
  const end = (): void => {
    if (lease === undefined || !isOver()) return;
    clearInterval(timer);
    process.kill(process.pid, lease.signal);
  };
  // After a pause of this process, timers run before messages: a longer lease may wait to be read, which immediates let happen.
  const timer = setInterval(() => isOver() && setImmediate(() => setImmediate(end)), LOOK_MS);
  timer.unref();
}
