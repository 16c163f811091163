import type { Controller } from '../../fleet/index.ts';
import type { ZonedSlice } from '../../load/index.ts';
import type { LiveFleet } from '../../reports/index.ts';

/** What each zone of a fleet answers now, next to its part of the offered rate. */
export class ZoneRates {
  readonly #weights: Readonly<Record<string, number>>;
  readonly #agents: number;
  readonly #roster: Pick<Controller['roster'], 'live'>;
  #rates = new Map<string, number>();

  /**
   * @param weights share of the lanes of each zone; one zone needs no figures of its own
   * @param agents that were asked for
   */
  constructor(
    weights: Readonly<Record<string, number>> = {},
    agents: number,
    roster: Pick<Controller['roster'], 'live'>,
  ) {
    this.#weights = weights;
    this.#agents = agents;
    this.#roster = roster;
  }

  /** The slices of all lanes with the same index. */
  add(slices: readonly ZonedSlice[], sliceMs: number): void {
    this.#rates = new Map();
    for (const { zone, slice } of slices) {
      const answered = slice.parts.reduce((sum, part) => sum + part.answered, 0);
      this.#rates.set(zone, (this.#rates.get(zone) ?? 0) + (answered * 1000) / sliceMs);
    }
  }

  live(offeredRate: number): LiveFleet {
    const { live } = this.#roster;
    const total = Object.values(this.#weights).reduce((sum, weight) => sum + weight, 0);
    const zones = Object.entries(this.#weights).map(([zone, weight]) => ({
      zone,
      agents: live.filter(({ hello }) => hello.zone === zone).length,
      offeredRate: (offeredRate * weight) / total,
      rate: this.#rates.get(zone) ?? 0,
    }));
    return { agents: live.length, of: this.#agents, zones };
  }
}
