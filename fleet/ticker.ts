import { setTimeout as sleep } from 'node:timers/promises';
import type { BrokerClock } from './clock.ts';
import { NAMES } from './messages.ts';
import type { Tick } from './messages.ts';
import type { Broker } from './queue.ts';
import type { Roster } from './roster.ts';
import type { Signer } from './signature.ts';

export interface TickerOptions {
  readonly broker: Broker;
  readonly signer: Signer;
  readonly run: string;
  readonly clock: BrokerClock;
  readonly roster: Roster;
}

/** Up to so many agents are told in every tick what is on disk of them. */
const FEW = 50;
const EVERY_MS = { few: 250, many: 1_000 };
/** An agent that has not reported for so long is behind; beyond its lock, it is lost. */
export const SILENT_MS = 3_000;

/** Tells all agents how far the run is, several times per second. */
export class Ticker {
  readonly #options: TickerOptions;
  #last = 0;

  constructor(options: TickerOptions) {
    this.#options = options;
  }

  get everyMs(): number {
    return this.#options.roster.members.size > FEW ? EVERY_MS.many : EVERY_MS.few;
  }

  async tick(state: Pick<Tick, 'state' | 'trial' | 't0' | 'free' | 'each' | 'most'>): Promise<void> {
    const { broker, signer, run, clock, roster } = this.#options;
    const now = clock.now();
    this.#last = Math.max(this.#last + 0.001, now);
    const committedAt = now - SILENT_MS;
    const members = [...roster.members.values()];
    const told = members.length <= FEW ? members : members.filter(({ lastAt }) => lastAt < committedAt);
    const tick: Tick = {
      ...state,
      run,
      sentAt: this.#last,
      boundMs: roster.boundMs,
      committedAt,
      committed: Object.fromEntries(told.map(({ hello, committed }) => [hello.agent, committed])),
    };
    const published = broker.publish(NAMES.ticks(run), signer.sign(tick)).catch(() => {});
    // Publishing waits for a broker that is away.
    await Promise.race([published, sleep(this.everyMs)]);
  }
}
