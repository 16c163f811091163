import type { LoadFigures, ScenarioDetail } from '../../spec/index.ts';
import { thousands } from './numbers.ts';

/** One line of the table of parts. */
export interface PartRow {
  /** Label of the part, or its operation below it. */
  readonly label: string;
  readonly isOperation: boolean;
  readonly figures: LoadFigures;
}

/** The parts of a scenario, each with its operations where it has several; an only one stands beside the name of its part. */
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

/** Whether the parts say more than the figures of the scenario do. */
export function areWorthShowing(rows: readonly PartRow[]): boolean {
  const outcomes = rows.flatMap(({ figures }) => Object.keys({ ...figures.statuses, ...figures.errors }));
  return rows.length > 1 || new Set(outcomes).size > 1;
}

/** `200×4,711, 503×2, timeout×1`: accepted statuses first. */
export function outcomeText({ statuses = {}, errors }: LoadFigures): string {
  return [...Object.entries(statuses), ...Object.entries(errors)]
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name}×${thousands(count)}`)
    .join(', ');
}
