import { setTimeout as sleep } from 'node:timers/promises';
import type { BrokerClock } from './clock.ts';
import { NAMES } from './messages.ts';
import type { Tick } from './messages.ts';
import type { Broker } from './broker.ts';
import type { KnownAgent, Roster } from './roster.ts';
import type { Signer } from './signature.ts';

export interface TickerOptions {
  readonly broker: Broker;
  readonly signer: Signer;
  readonly run: string;
  readonly clock: BrokerClock;
  readonly roster: Roster;
  readonly onNote: (text: string) => void;
}

/** Up to this number of agents, every tick lists the committed reports of each; beyond it, only of those that are late, or of which one is missing. */
const MAX_LISTED = 50;
const EVERY_MS = { few: 250, many: 1_000 };
/** An agent without a report for this long is late; after its lock has expired as well, it is lost. */
export const REPORT_OVERDUE_MS = 3_000;
/** A broker that accepts no tick for this long is reported as silent. */
const SILENT_MS = 3_000;

/** Publishes the ticks of a run. */
export class Ticker {
  readonly #options: TickerOptions;
  #last = 0;
  #acceptedAt = Infinity;
  #isSilent = false;

  constructor(options: TickerOptions) {
    this.#options = options;
  }

  get everyMs(): number {
    return this.#options.roster.members.size > MAX_LISTED ? EVERY_MS.many : EVERY_MS.few;
  }

  async tick(state: Pick<Tick, 'state' | 'trial' | 't0' | 'free' | 'each' | 'most'>): Promise<void> {
    const { broker, signer, run, clock, roster } = this.#options;
    const now = clock.now();
    this.#last = Math.max(this.#last + 0.001, now);
    const committedAt = now - REPORT_OVERDUE_MS;
    const members = [...roster.members.values()];
    const isListed = ({ lastAt, ahead }: KnownAgent): boolean => lastAt < committedAt || ahead.size > 0;
    const listed = members.length <= MAX_LISTED ? members : members.filter(isListed);
    const tick: Tick = {
      ...state,
      run,
      sentAt: this.#last,
      boundMs: roster.boundMs,
      committedAt,
      committed: Object.fromEntries(listed.map(({ hello, committed }) => [hello.agent, committed])),
    };
    this.#acceptedAt = Math.min(this.#acceptedAt, now);
    this.#notice(now - this.#acceptedAt > SILENT_MS);
    const published = broker.publish(NAMES.ticks(run), signer.sign(tick)).then(
      () => {
        this.#acceptedAt = clock.now();
        this.#notice(false);
      },
      () => {},
    );
    // If the broker cannot be reached, `publish` waits until it can.
    await Promise.race([published, sleep(this.everyMs)]);
  }

  #notice(isSilent: boolean): void {
    if (isSilent === this.#isSilent) return;
    this.#isSilent = isSilent;
    this.#options.onNote(
      isSilent ? 'the broker does not respond: agents stop sending when their locks end' : 'the broker responds again',
    );
  }
}
