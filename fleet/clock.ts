/** Milliseconds since the epoch by this machine's clock, with fractions; monotonic. */
export function localNow(): number {
  return performance.timeOrigin + performance.now();
}

interface Probe {
  readonly offsetMs: number;
  readonly rttMs: number;
}

const KEPT_PROBES = 32;
const INITIAL_PROBES = 8;
const PROBE_MS = 1_000;
/** Largest correction of the offset, in milliseconds per second: a jump would bunch requests. */
const SLEW_PER_SECOND = 0.5;

/**
 * Estimates the broker's clock from round trips, one per second, and uses the shortest of the last 32. The error is at most
 * half that round trip (`boundMs`), even if the two directions take unequal time. Corrections are gradual.
 */
export class BrokerClock {
  readonly #time: () => Promise<number>;
  readonly #local: () => number;
  #probes: Probe[] = [];
  #offsetMs = 0;
  #correctedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param time requests the time from the broker. */
  constructor(time: () => Promise<number>, local: () => number = localNow) {
    this.#time = time;
    this.#local = local;
  }

  /** Probes several times at once, then every second until `stop`. */
  async start(): Promise<void> {
    for (let count = 0; count < INITIAL_PROBES; count += 1) await this.probe();
    this.#offsetMs = this.#best.offsetMs;
    this.#timer = setInterval(() => void this.probe().catch(() => {}), PROBE_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async probe(): Promise<void> {
    const before = this.#local();
    const brokerTime = await this.#time();
    const rttMs = this.#local() - before;
    this.#probes = [...this.#probes.slice(1 - KEPT_PROBES), { offsetMs: brokerTime - (before + rttMs / 2), rttMs }];
    this.#slew();
  }

  /** The broker's time now. */
  now(): number {
    return this.#local() + this.#offsetMs;
  }

  /** Converts broker time to local time ({@link localNow}). */
  toLocal(moment: number): number {
    return moment - this.#offsetMs;
  }

  get boundMs(): number {
    return this.#best.rttMs / 2;
  }

  get #best(): Probe {
    return this.#probes.reduce((best, probe) => (probe.rttMs < best.rttMs ? probe : best), {
      offsetMs: 0,
      rttMs: Infinity,
    });
  }

  #slew(): void {
    const now = this.#local();
    const largest = ((now - this.#correctedAt) / 1000) * SLEW_PER_SECOND;
    const wanted = this.#best.offsetMs - this.#offsetMs;
    this.#offsetMs += Math.max(-largest, Math.min(largest, wanted));
    this.#correctedAt = now;
  }
}
