import { outputPaint as paint, wrap } from '../../reports/index.ts';
import { pasteable } from '../command-name.ts';
import { screenColumns } from './print.ts';
import type { ListRow } from '../lists.ts';

/** With fewer columns beside the names, descriptions stand below them. */
const LEAST = 30;

/** Names with their descriptions, side by side if the screen is wide enough. */
export function rowLines(rows: readonly ListRow[]): readonly string[] {
  const columns = screenColumns() ?? 120;
  const widest = Math.max(...rows.map(({ name }) => name.length)) + 2;
  const beside = columns - widest >= LEAST;
  const indent = ' '.repeat(beside ? widest : 2);
  return rows.flatMap(({ name, about }) => {
    const lines = wrap(pasteable(about), columns - indent.length);
    if (!beside) return [name, ...lines.map((line) => `${indent}${paint.dim(line)}`)];
    return lines.map((line, index) => `${index === 0 ? name.padEnd(widest) : indent}${paint.dim(line)}`);
  });
}
