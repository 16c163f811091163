/** The variable that makes a process run a share: the file with the contract of its agent. */
export const SHARE = 'ASSAY_SHARE';

/** True if this process runs a share, whose controller has validated the settings. */
export const isShare = (): boolean => process.env[SHARE] !== undefined;

/** Ends this process with SIGTERM when the parent that it has a channel to is gone. */
export function endWithParent(): void {
  if (process.channel !== undefined) process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
}

const LOOK_MS = 100;

/** Until when a share may run, in milliseconds since 1970, and the signal that ends it then. */
interface Lease {
  readonly until: number;
  readonly signal: NodeJS.Signals;
}

/** Ends this process when its lease has expired: then its agent does not run, and another agent runs the share. */
export function endWithLease(): void {
  let lease: Lease | undefined;
  process.on('message', (given: Lease) => (lease = given));
  const isOver = (): boolean => lease !== undefined && Date.now() > lease.until;
  const end = (): void => {
    if (lease === undefined || !isOver()) return;
    clearInterval(timer);
    process.kill(process.pid, lease.signal);
  };
  // After a pause of this process timers run before messages: immediates let a longer lease be read first.
  const timer = setInterval(() => isOver() && setImmediate(() => setImmediate(end)), LOOK_MS);
  timer.unref();
}
