import { choice, decimal, duration, integer, texts } from './kinds.ts';
import { optional, withDefault } from './spec.ts';

const DAY = 86_400_000;

export const loadOptions = {
  engine: optional(
    choice(['open', 'closed'], 'engine'),
    'open: requests leave on a schedule; closed: the answers set the pace',
  ),
  rate: optional(decimal({ min: 0.01, max: 10_000_000 }), 'requests a second (open engine)'),
  duration: optional(duration({ min: 100, max: DAY }, 's'), 'how long a scenario lasts'),
  connections: optional(integer({ min: 1, max: 100_000 }), 'connections at most'),
  workers: optional(integer({ min: 1, max: 256 }), 'threads that send'),
  profile: optional(
    choice(['smoke', 'steady', 'ramp', 'steps', 'spike', 'soak'], 'profile'),
    'shape of the load: smoke, steady, ramp, steps, spike or soak',
  ),
  arrivals: optional(
    choice(['even', 'poisson'], 'kind of arrivals'),
    'even gaps, or poisson: independent, as many users make them',
  ),
  warmup: optional(
    duration({ min: 0, max: DAY }, 's'),
    'left out of what thresholds are judged on; default: a fifth of the time, at most 2 s',
  ),
  items: optional(integer({ min: 1, max: 1_000_000 }), 'items that paging scenarios make; default: 200'),
  bodyBytes: optional(integer({ min: 64, max: 100_000_000 }), 'bytes a body; default: 1024'),
  threshold: withDefault(
    texts('expr'),
    [],
    'promise to hold, such as "p99<200", "errors<0.1%", "rate>1000"; replaces the defaults of the scenario',
  ),
  budget: optional(duration({ min: 1000, max: DAY }, 's'), 'time for the whole search; default: 80 s'),
  maxDuration: optional(duration({ min: 1000, max: 7 * DAY }, 's'), 'never longer than this'),
};
