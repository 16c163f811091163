import type { LoadFigures, ScenarioDetail } from '../../spec/index.ts';
import { thousands } from './numbers.ts';

/** One line of the table of parts. */
export interface PartRow {
  /** Label of the part, or its operation below it. */
  readonly label: string;
  readonly isOperation: boolean;
  readonly figures: LoadFigures;
}

/** The parts of a scenario, each with its operations where it has several or another name than its only one. */
export function partRows(detail: ScenarioDetail | undefined): readonly PartRow[] {
  return (detail?.parts ?? []).flatMap((part) => {
    const { label, operations = [] } = part;
    const isPlain = operations.length < 2 && operations.every(({ operation }) => operation === label);
    const below = isPlain ? [] : operations;
    return [
      { label, isOperation: false, figures: part },
      ...below.map((figures) => ({ label: figures.operation, isOperation: true, figures })),
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
