import type { FlowFigures, LoadFigures, ScenarioDetail, ScenarioRecord, SlowAnswer } from '../../spec/index.ts';
import { count, duration, latency, responseLatency, rounded, thousands } from './numbers.ts';

/** How a scenario was measured, as pairs of a label and a text. */
export function loadFacts({
  requests,
  detail,
}: Pick<ScenarioRecord, 'requests' | 'detail'>): readonly (readonly [label: string, text: string])[] {
  if (detail === undefined) return [];
  const { throughput, flow, lagMs, busy, late, unsent, judged, violating, slowest = [], audit, partsCompared } = detail;
  const lag = lagMs.max > 0 ? `lag p99 ${latency(lagMs.p99)}, ` : '';
  const waited = late === 0 && unsent === 0 ? '' : `; ${thousands(late)} late, ${thousands(unsent)} not sent`;
  return [
    ...requestFacts(requests, detail),
    ...(throughput === undefined
      ? []
      : [['throughput', `${throughputRate(throughput.rate)}, ${phase(throughput)}`] as const]),
    ...(flow === undefined ? [] : flowFacts(flow)),
    ['generator', `${lag}event loop ${Math.round(busy * 100)}% busy${waited}`],
    [
      'sampled',
      judged === 0 ? 'no responses checked' : `${count(judged, 'response')} checked, ${violating} with violations`,
    ],
    ...slowestFacts(slowest),
    ...(audit === undefined ? [] : [['audit', auditText(audit)] as const]),
    ...(partsCompared === undefined ? [] : [['parts', partsCompared.note] as const]),
  ];
}

/** What was sent beyond the requests that are measured: the counters of the target include it. */
function requestFacts(measured: number, { sent, whole, profile }: ScenarioDetail): (readonly [string, string])[] {
  if (sent === undefined || (sent.total === measured && sent.unsent === 0)) return [];
  const others = [
    [whole.requests - measured, 'to warm up'],
    [sent.throughput, 'to measure the throughput'],
    [
      sent.total + sent.unsent - sent.throughput - whole.requests,
      profile === 'capacity' ? 'in other steps' : 'without an outcome',
    ],
  ] as const;
  const more = others.flatMap(([amount, why]) => (amount > 0 ? [`${thousands(amount)} more ${why}`] : []));
  const parts = [`${thousands(measured)} in the measured time`, ...(more.length > 0 ? [more.join(', ')] : [])];
  const unsent = sent.unsent > 0 ? `, ${thousands(sent.unsent)} could not be sent` : '';
  return [['requests', `${parts.join('; ')}: ${thousands(sent.total)} sent in all${unsent}`]];
}

/** The rates per second, without `/s`: a flow is offered iterations, and what succeeds are requests; none offered: undefined. */
export function rateTexts({ offeredRate, rate, detail }: Pick<ScenarioRecord, 'offeredRate' | 'rate' | 'detail'>): {
  readonly offered?: string;
  readonly succeeded: string;
} {
  const most = detail?.varies === true ? 'up to ' : '';
  const [iterations, requests] = detail?.flow === undefined ? ['', ''] : [' iterations', ' requests'];
  return {
    ...(offeredRate > 0 && { offered: `${most}${thousands(offeredRate)}${iterations}` }),
    succeeded: `${thousands(rate)}${requests}`,
  };
}

/** The slowest response with an id to look it up by. */
function slowestFacts(slowest: readonly SlowAnswer[]): (readonly [label: string, text: string])[] {
  const [first] = slowest.filter(({ ids }) => Object.keys(ids).length > 0);
  return first === undefined ? [] : [['slowest sample', slowText(first)]];
}

/** `GET /x 200 in 480 ms at 2026-11-21T08:00:00.000Z, trace 4bf9…` */
export function slowText({ operation, status, ms, sentAt, ids }: SlowAnswer): string {
  const found = Object.entries(ids).map(([name, id]) => `, ${name} ${id}`);
  return `${operation} ${status} in ${latency(ms)} at ${sentAt}${found.join('')}`;
}

function flowFacts(flow: FlowFigures): (readonly [label: string, text: string])[] {
  const { executor, completed, failed, dropped, rate, mostRunning, latencyMs } = flow;
  const rest = dropped > 0 ? `, ${thousands(dropped)} dropped` : '';
  return [
    [
      'iterations',
      `${thousands(completed)} completed (${rounded(rate)}/s), ${thousands(failed)} failed${rest}; ${executor}; p50 ${responseLatency(latencyMs.p50)}, p99 ${responseLatency(latencyMs.p99)}; at most ${thousands(mostRunning)} at once`,
    ],
  ];
}

/** What sampled responses violated, one line for each, with the command that sends the request again. */
export function violationTexts({
  findings = [],
}: Pick<ScenarioRecord, 'findings'>): readonly (readonly [text: string, curl: string | undefined])[] {
  return findings.map(({ message, expected, received, curl }) => [
    `${message}; expected ${expected}; received ${received}`,
    curl,
  ]);
}

/** The checks of a flow, one line for each. */
export function checkTexts({ detail }: Pick<ScenarioRecord, 'detail'>): readonly string[] {
  return (detail?.flow?.checks ?? []).map(checkText);
}

function checkText({ name, passed, failed }: FlowFigures['checks'][number]): string {
  const of = `${thousands(passed)} of ${thousands(passed + failed)}`;
  return failed === 0 ? `✓ ${name}: ${of}` : `✗ ${name}: ${of}, failed ${count(failed, 'time')}`;
}

/** A phase that ended early, because too many requests failed, has no rate. */
const throughputRate = (rate: number): string =>
  rate === 0 ? 'not measured: too few requests succeeded' : `${thousands(rate)} requests/s`;

function phase({ engine, connections, durationMs }: NonNullable<ScenarioDetail['throughput']>): string {
  return `closed model (${engine}, ${count(connections, 'connection')}, ${duration(durationMs)})`;
}

function auditText({ acknowledged, missing, duplicated }: NonNullable<ScenarioDetail['audit']>): string {
  return `${thousands(acknowledged)} writes acknowledged, ${thousands(missing)} missing, ${thousands(duplicated)} duplicated`;
}

/** One line of the table of parts. */
export interface PartRow {
  /** Label of the part, or its operation below it. */
  readonly label: string;
  readonly isOperation: boolean;
  readonly figures: LoadFigures;
}

/** The parts of a scenario, each followed by its operations; a single operation is named in the row of its part. */
export function partRows(detail: ScenarioDetail | undefined): readonly PartRow[] {
  return (detail?.parts ?? []).flatMap((part) => {
    const { label, operations = [] } = part;
    const [only, ...others] = operations;
    const isNamed = only === undefined || others.length > 0 || only.operation === label;
    return [
      { label: isNamed ? label : `${label}: ${only.operation}`, isOperation: false, figures: part },
      ...(others.length > 0 ? operations : []).map((figures) => ({
        label: figures.operation,
        isOperation: true,
        figures,
      })),
    ];
  });
}

/** False if the parts only repeat the figures of the scenario. */
export function areWorthShowing(rows: readonly PartRow[]): boolean {
  const outcomes = rows.flatMap(({ figures }) => Object.keys({ ...figures.statuses, ...figures.errors }));
  return rows.length > 1 || new Set(outcomes).size > 1;
}

type Outcomes = Pick<LoadFigures, 'statuses' | 'errors'>;

/** How many requests ended with each status or kind of failure, accepted or not: accepted statuses first. */
export function outcomesOf({ statuses = {}, errors }: Outcomes): readonly (readonly [name: string, amount: number])[] {
  return [...new Set([...Object.keys(statuses), ...Object.keys(errors)])]
    .map((name) => [name, (statuses[name] ?? 0) + (errors[name] ?? 0)] as const)
    .filter(([, amount]) => amount > 0);
}

/** `200×4,711 (65 not as expected), 503×2, timeout×1`. */
export function outcomeText(figures: Outcomes): string {
  const { statuses = {}, errors } = figures;
  return outcomesOf(figures)
    .map(([name, amount]) => {
      const wrong = (statuses[name] ?? 0) > 0 ? (errors[name] ?? 0) : 0;
      return `${name}×${thousands(amount)}${wrong > 0 ? ` (${thousands(wrong)} not as expected)` : ''}`;
    })
    .join(', ');
}

/** Whether a threshold was met; `open` where nothing was measured, or the run was interrupted before it had to hold to the end. */
export function thresholdState(
  { requests, detail }: Pick<ScenarioRecord, 'requests' | 'detail'>,
  { held }: ScenarioRecord['thresholds'][number],
): 'met' | 'missed' | 'open' {
  if (requests === 0) return 'open';
  if (!held) return 'missed';
  return detail?.stopped === 'interrupted' ? 'open' : 'met';
}
