/** Milliseconds since the epoch by this machine, with fractions, never set back. */
export function localNow(): number {
  return performance.timeOrigin + performance.now();
}

interface Probe {
  readonly offsetMs: number;
  readonly rttMs: number;
}

const KEPT = 32;
const FIRST = 8;
const EVERY_MS = 1_000;
/** Change of the offset per second, in milliseconds: a jump would bunch requests. */
const SLEW_PER_SECOND = 0.5;

/**
 * The broker's clock, by round trips: the best of the last 32, one per second. The truth lies within half the best round
 * trip (`boundMs`), however unequal the two ways are. Corrections are slewed, never jumped.
 */
export class BrokerClock {
  readonly #time: () => Promise<number>;
  readonly #local: () => number;
  #probes: Probe[] = [];
  #offsetMs = 0;
  #correctedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param time asks the broker. */
  constructor(time: () => Promise<number>, local: () => number = localNow) {
    this.#time = time;
    this.#local = local;
  }

  /** Asks some times at once, then each second until `stop`. */
  async start(): Promise<void> {
    for (let count = 0; count < FIRST; count += 1) await this.probe();
    this.#offsetMs = this.#best.offsetMs;
    this.#timer = setInterval(() => void this.probe().catch(() => {}), EVERY_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async probe(): Promise<void> {
    const before = this.#local();
    const told = await this.#time();
    const rttMs = this.#local() - before;
    this.#probes = [...this.#probes.slice(1 - KEPT), { offsetMs: told - (before + rttMs / 2), rttMs }];
    this.#slew();
  }

  /** By the broker's clock. */
  now(): number {
    return this.#local() + this.#offsetMs;
  }

  /** A moment of the broker's clock by {@link localNow}. */
  toLocal(moment: number): number {
    return moment - this.#offsetMs;
  }

  get rttMs(): number {
    return this.#best.rttMs;
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
    const most = ((now - this.#correctedAt) / 1000) * SLEW_PER_SECOND;
    const wanted = this.#best.offsetMs - this.#offsetMs;
    this.#offsetMs += Math.max(-most, Math.min(most, wanted));
    this.#correctedAt = now;
  }
}
