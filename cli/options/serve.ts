import { PIPELINE_NAMES } from '../text/init.ts';
import { choice, flag, integer, last, text, words } from './kinds.ts';
import type { OptionKind } from './kinds.ts';
import { optional, withDefault } from './spec.ts';

/** A queue of known capacity in front of the embedded service. */
export interface KnownCapacity {
  readonly servers: number;
  readonly serviceMs: number;
  readonly distribution?: 'exponential';
}

const knownCapacity: OptionKind<KnownCapacity> = {
  placeholder: 'servers:ms',
  parse: (given) => {
    const match = /^(\d+):(\d+(?:\.\d+)?)(:exponential)?$/u.exec(last(given));
    const [servers, serviceMs] = [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)];
    if (servers < 1 || servers > 10_000 || serviceMs <= 0)
      return { message: 'is not a capacity', hint: 'use SERVERS:MS, for example 4:10, or SERVERS:MS:exponential' };
    return {
      value: { servers, serviceMs, ...(match?.[3] === undefined ? {} : { distribution: 'exponential' as const }) },
    };
  },
};

export const serveOptions = {
  ci: optional(choice(PIPELINE_NAMES, 'pipeline'), 'pipeline to write: github, gitlab or none', { flagOnly: true }),
  port: withDefault(integer({ min: 0, max: 65_535 }), 0, 'port to listen on; 0: any free port'),
  host: withDefault(text('address'), '127.0.0.1', 'address to listen on'),
  data: optional(text('dir'), 'store data in this directory (needs the package lmdb); default: in memory'),
  all: withDefault(flag, false, 'run the whole catalogue; takes more than an hour, for nightly runs', {
    flagOnly: true,
  }),
  groups: optional(
    integer({ min: 2, max: 50 }),
    'run the healthy variations in random groups of this size, chosen by --seed; without a pattern, all of them and no defects',
    { flagOnly: true },
  ),
  fault: withDefault(
    words('name'),
    [],
    "enable a defect by its name in assay prove --list, for example 'status-202 POST /accesscontrolpolicies'",
  ),
  capacity: optional(
    knownCapacity,
    'limit the capacity to SERVERS workers that take MS each: 4:10 sustains 400 requests per second; with SERVERS:MS:exponential, MS is the mean of exponential times',
  ),
};
