import type { ScenarioDetail } from '../../spec/index.ts';
import { count, duration, latency, thousands } from './numbers.ts';

/** How a scenario was measured, as pairs of a label and a text. */
export function loadFacts(detail: ScenarioDetail | undefined): readonly (readonly [label: string, text: string])[] {
  if (detail === undefined) return [];
  const { throughput, lagMs, busy, late, unsent, judged, violating, audit, partsCompared } = detail;
  const waited = late === 0 && unsent === 0 ? '' : `; ${thousands(late)} late, ${thousands(unsent)} not sent`;
  return [
    ...(throughput === undefined
      ? []
      : [['throughput', `${thousands(throughput.rate)} requests/s, ${phase(throughput)}`] as const]),
    ['generator', `lag p99 ${latency(lagMs.p99)}, event loop ${Math.round(busy * 100)}% busy${waited}`],
    [
      'sampled',
      judged === 0 ? 'no responses checked' : `${count(judged, 'response')} checked, ${violating} with violations`,
    ],
    ...(audit === undefined ? [] : [['audit', auditText(audit)] as const]),
    ...(partsCompared === undefined ? [] : [['parts', partsCompared.note] as const]),
  ];
}

function phase({ engine, connections, durationMs }: NonNullable<ScenarioDetail['throughput']>): string {
  return `closed model (${engine}, ${count(connections, 'connection')}, ${duration(durationMs)})`;
}

function auditText({ acknowledged, missing, duplicated }: NonNullable<ScenarioDetail['audit']>): string {
  return `${thousands(acknowledged)} writes acknowledged, ${thousands(missing)} missing, ${thousands(duplicated)} duplicated`;
}
