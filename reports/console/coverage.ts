import { groupBy } from '../group.ts';
import type { Summary } from '../summary/types.ts';
import { count, thousands } from '../text/numbers.ts';
import { clip, visibleLine } from '../text/visible.ts';
import { wrap } from '../text/width.ts';
import type { Paint } from './paint.ts';

const LISTED = 12;

/** Requirements kept, broken and untried, the untried ones by reason. */
export function coverageLines(summary: Summary, paint: Paint, columns: number): string[] {
  const {
    kept = [],
    broken = [],
    untried = [],
  } = Object.fromEntries(groupBy(summary.requirements, (requirement) => requirement.verdict));
  if (summary.requirements.length === 0) return [];
  const parts = [
    paint.green(`${kept.length} kept`),
    broken.length > 0 ? paint.red(`${broken.length} broken`) : '0 broken',
    `${untried.length} untried`,
  ];
  const reasons = groupBy(untried, (requirement) => requirement.reason ?? '');
  return [
    `  ${parts.join(', ')} of ${thousands(summary.requirements.length)}`,
    ...listed(
      'broken',
      broken.map((requirement) => requirement.id),
      paint,
      columns,
    ),
    ...[...reasons].flatMap(([reason, members]) =>
      listed(
        `untried, ${visibleLine(reason)}`,
        members.map((member) => member.id),
        paint,
        columns,
      ),
    ),
  ];
}

/** Tests that were skipped or cut short, by reason. */
export function skipLines(skips: Summary['skips'], paint: Paint, columns: number): string[] {
  const reasons = [...groupBy(skips, (skip) => skip.reason)].toSorted(([, a], [, b]) => b.length - a.length);
  return reasons.flatMap(([reason, members]) => {
    const lines = wrap(visibleLine(clip(reason, 400)), columns - 10);
    return lines.map(
      (line, index) => `  ${paint.dim(index === 0 ? thousands(members.length).padStart(5) : '     ')}  ${line}`,
    );
  });
}

/** What the run made and what became of it. */
export function effectLines(summary: Summary, paint: Paint): string[] {
  const { created, removed, left } = summary.effects;
  if (created === 0 && left.length === 0) return [];
  const told = `  ${thousands(created)} created, ${thousands(removed)} removed, ${thousands(left.length)} left`;
  const groups = [...groupBy(left, (item) => `${item.kind}: ${item.reason}`)];
  return [
    told,
    ...groups.map(
      ([why, items]) =>
        `  ${paint.yellow(thousands(items.length).padStart(5))}  ${visibleLine(why)} ${paint.dim(
          visibleLine(
            some(
              items.map((item) => item.id),
              3,
            ),
          ),
        )}`,
    ),
  ];
}

/** What the deployment does where the document is silent. */
export function observationLines(summary: Summary, paint: Paint, columns: number): string[] {
  return summary.observations.slice(0, LISTED).flatMap((seen) => {
    const where = seen.operation === undefined ? '' : `${seen.operation}: `;
    return wrap(visibleLine(`${where}${seen.what}: ${clip(seen.value, 200)}`), columns - 4).map(
      (line, index) => `  ${index === 0 ? paint.dim('-') : ' '} ${line}`,
    );
  });
}

function listed(title: string, ids: readonly string[], paint: Paint, columns: number): string[] {
  if (ids.length === 0) return [];
  const text = `${title}: ${visibleLine(some(ids, LISTED))}`;
  return wrap(text, columns - 4).map((line, index) => `${index === 0 ? '  ' : '    '}${paint.dim(line)}`);
}

function some(items: readonly string[], limit: number): string {
  const rest = items.length - limit;
  return items.slice(0, limit).join(', ') + (rest > 0 ? ` and ${count(rest, 'other')}` : '');
}
