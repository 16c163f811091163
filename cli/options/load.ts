import { LOAD_PROFILES } from '../../load/profiles.ts';
import { EXECUTORS } from '../../load/flow/executors.ts';
import { choice, decimal, duration, flag, httpUrl, integer, stages, texts } from './kinds.ts';
import { optional, withDefault } from './spec.ts';

const DAY = 86_400_000;

const executors = Object.keys(EXECUTORS) as (keyof typeof EXECUTORS)[];
const profiles = Object.keys(LOAD_PROFILES) as (keyof typeof LOAD_PROFILES)[];

export const loadOptions = {
  engine: optional(
    choice(['open', 'closed'], 'engine'),
    'open: requests are sent on a schedule; closed: each connection waits for its response',
  ),
  rate: optional(
    decimal({ min: 0.01, max: 10_000_000 }),
    'requests per second (open engine); default: that of a scenario file, or half of the measured throughput',
  ),
  duration: optional(duration({ min: 100, max: DAY }, 's'), 'duration of each scenario'),
  throughput: optional(
    duration({ min: 0, max: DAY }, 's'),
    'length of the first phase, in which autocannon measures the throughput; 0 skips it; default: 1.5 to 5 s, 0 with a rate, also that of a scenario file',
  ),
  connections: optional(integer({ min: 1, max: 100_000 }), 'maximum number of connections'),
  workers: optional(
    integer({ min: 1, max: 256 }),
    'number of sending threads; prove: services tested at the same time',
  ),
  profile: optional(choice(profiles, 'profile'), `shape of the load: ${profiles.join(', ')}`),
  stage: optional(
    stages,
    'ramp to this rate (or number of virtual users) in this time, for example 30s:200; repeatable; 0s:50 jumps to 50',
  ),
  executor: optional(choice(executors, 'executor'), `what starts the iterations of a flow: ${executors.join(', ')}`),
  vus: optional(integer({ min: 1, max: 1_000_000 }), 'virtual users of a flow'),
  iterations: optional(
    integer({ min: 1, max: 1_000_000_000 }),
    'iterations of each virtual user, or of all with shared-iterations',
  ),
  arrivals: optional(
    choice(['even', 'poisson'], 'arrival process'),
    'even: equal gaps; poisson: independent arrivals, like those of many users',
  ),
  warmup: optional(
    duration({ min: 0, max: DAY }, 's'),
    'warm-up, which thresholds ignore; default: a fifth of the duration, at most 2 s; 0 with --iterations',
  ),
  items: optional(integer({ min: 1, max: 1_000_000 }), 'items that paging scenarios create; default: 200'),
  bodyBytes: optional(integer({ min: 64, max: 100_000_000 }), 'bytes per request body; default: 1024'),
  threshold: withDefault(
    texts('expr'),
    [],
    'condition to meet, for example "p99<200ms", "errors<0.1%" or "violations==0"; replaces the defaults of the scenario',
  ),
  abortOnFail: withDefault(flag, false, 'stop a load run when a threshold has been missed for three seconds'),
  targetMetrics: optional(
    httpUrl('give the URL of the metrics, for example http://127.0.0.1:9100/metrics', 'remove it'),
    'URL of the process metrics of the target, for --profile soak; default: /metrics on the target',
  ),
  otlp: optional(
    httpUrl('give the URL of the receiver, for example http://127.0.0.1:4318', 'use OTEL_EXPORTER_OTLP_HEADERS'),
    'send metrics to this OTLP/HTTP receiver, for example http://127.0.0.1:4318',
  ),
  prometheus: optional(
    integer({ min: 0, max: 65_535 }),
    'port on 127.0.0.1 at which Prometheus can scrape metrics; 0: any free port',
  ),
  maxDuration: optional(duration({ min: 1000, max: 7 * DAY }, 's'), 'maximum duration'),
};
