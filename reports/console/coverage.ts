import { groupBy } from '../../spec/group-by.ts';
import type { RequirementSummary, Summary } from '../summary/types.ts';
import { count, effectsOfEmbedded, thousands } from '../text/numbers.ts';
import { clip, visibleLine } from '../text/visible.ts';
import { wrap } from '../text/width.ts';
import type { Paint } from './paint.ts';

const LISTED = 12;
const OBSERVATIONS = 12;

/** Requirements verified, violated and not tested; the last by reason, with `verbose`. */
export function coverageLines({ requirements }: Summary, paint: Paint, columns: number, verbose: boolean): string[] {
  if (requirements.length === 0) return [];
  const {
    verified = [],
    violated = [],
    untested = [],
  } = Object.fromEntries(groupBy(requirements, ({ verdict }) => verdict));
  const parts = [
    paint.green(`${verified.length} verified`),
    violated.length > 0 ? paint.red(`${violated.length} violated`) : '0 violated',
    `${untested.length} not tested`,
  ];
  const lists: readonly (readonly [title: string, members: readonly RequirementSummary[]])[] = [
    ['violated', violated],
    ['verified in some operations only', verbose ? verified.filter(({ verifiedIn, of }) => verifiedIn < of) : []],
    ...[...groupBy(verbose ? untested : [], ({ reason = '' }) => reason)].map(
      ([reason, members]) => [`not tested, ${visibleLine(reason)}`, members] as const,
    ),
  ];
  return [
    `  ${thousands(requirements.length)} in total: ${parts.join(', ')}`,
    ...lists
      .filter(([, members]) => members.length > 0)
      .flatMap(([title, members]) =>
        listLines(
          `${title}: ${some(
            members.map(({ id, verdict, verifiedIn, of }) =>
              verdict === 'verified' ? `${id} (${verifiedIn} of ${of})` : id,
            ),
            LISTED,
          )}`,
          paint,
          columns,
        ),
      ),
  ];
}

function listLines(text: string, paint: Paint, columns: number): string[] {
  return wrap(visibleLine(text), columns - 4).map((line, index) => `${index === 0 ? '  ' : '    '}${paint.dim(line)}`);
}

/** An operation named in a reason. */
const OPERATION = /\b(?:GET|PUT|POST|PATCH|DELETE|HEAD|OPTIONS|TRACE) \/\S*/g;

/** Tests that were skipped or cut short, by reason; one that differs in the operation that it names is the same. */
export function skipLines(skips: Summary['skips'], paint: Paint, columns: number): string[] {
  const groups = [...groupBy(skips, ({ reason }) => reason.replaceAll(OPERATION, ''))];
  const reasons = groups.toSorted(([, a], [, b]) => b.length - a.length);
  return reasons.flatMap(([, members]) => {
    const [reason = '', ...others] = new Set(members.map((each) => each.reason));
    const more = others.length === 0 ? '' : ` (and ${count(others.length, 'other operation')})`;
    return wrap(visibleLine(`${clip(reason, 400)}${more}`), columns - 10).map(
      (line, index) => `  ${paint.dim((index === 0 ? thousands(members.length) : '').padStart(5))}  ${line}`,
    );
  });
}

/** Resources that the run created, and what became of them. The embedded service takes what is left along. */
export function effectLines(
  { effects: { created, removed, left }, target }: Summary,
  paint: Paint,
  columns: number,
): string[] {
  if (created === 0 && left.length === 0) return [];
  if (target.embedded) return [`  ${effectsOfEmbedded(created, removed)}`];
  const reasons = [...groupBy(left, (item) => `${item.kind}: ${item.reason}`)];
  return [
    `  ${thousands(created)} created, ${thousands(removed)} removed, ${thousands(left.length)} left`,
    ...reasons.flatMap(([reason, items]) => {
      const ids = some(
        items.map((item) => item.id),
        3,
      );
      return wrap(visibleLine(`${reason} ${ids}`), columns - 10).map(
        (line, index) => `  ${paint.yellow((index === 0 ? thousands(items.length) : '').padStart(5))}  ${line}`,
      );
    }),
  ];
}

/** What the deployment does where the document does not say. */
export function observationLines({ observations }: Summary, paint: Paint, columns: number): string[] {
  return observations.slice(0, OBSERVATIONS).flatMap(({ operation, what, value }) => {
    const where = operation === undefined ? '' : `${operation}: `;
    return wrap(visibleLine(`${where}${what}: ${clip(value, 200)}`), columns - 4).map(
      (line, index) => `  ${index === 0 ? paint.dim('-') : ' '} ${line}`,
    );
  });
}

function some(items: readonly string[], limit: number): string {
  const rest = items.length - limit;
  return items.slice(0, limit).join(', ') + (rest > 0 ? ` and ${count(rest, 'more', 'more')}` : '');
}
