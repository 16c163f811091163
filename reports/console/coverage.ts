import { groupBy } from '../../spec/group-by.ts';
import type { RequirementSummary, Summary } from '../summary/types.ts';
import { violatedText } from '../text/headline.ts';
import { effectTotals, groupLeft, lastingText } from '../text/effects.ts';
import { amountOf, count, some, thousands } from '../text/numbers.ts';
import { clip, visibleLine } from '../text/visible.ts';
import { hang } from '../text/width.ts';
import type { Colour, Paint } from './paint.ts';

const LISTED = 12;
const OBSERVATIONS = 12;

/** How many requirements are verified, violated and not tested; with `verbose`, the untested ones by reason. */
export function coverageLines(summary: Summary, paint: Paint, columns: number, verbose: boolean): string[] {
  const { requirements } = summary;
  if (requirements.length === 0) return [];
  const {
    verified = [],
    violated = [],
    untested = [],
  } = Object.fromEntries(groupBy(requirements, ({ verdict }) => verdict));
  const parts = [
    paint.green(`${verified.length} verified`),
    violated.length > 0 ? paint.red(violatedText(summary)) : '0 violated',
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
    ...hang('  ', `${thousands(requirements.length)} in total: ${parts.join(', ')}`, columns),
    ...lists
      .filter(([, members]) => members.length > 0)
      .flatMap(([title, members]) => {
        const names = members.map(({ id, verdict, verifiedIn, of }) =>
          verdict === 'verified' ? `${id} (${verifiedIn} of ${of})` : id,
        );
        return hang('  ', visibleLine(`${title}: ${some(names, LISTED)}`), columns, 4).map(paint.dim);
      }),
  ];
}

function amountLines(amount: number, text: string, tone: Colour, columns: number): string[] {
  return hang(`  ${tone(thousands(amount).padStart(5))}  `, visibleLine(text), columns);
}

const OPERATION = /\b(?:GET|PUT|POST|PATCH|DELETE|HEAD|OPTIONS|TRACE) \/\S*/g;

/** Tests that were skipped or cut short, by reason, each with its lines. Reasons that differ only in an operation are joined. */
export function skipLines(skips: Summary['skips'], paint: Paint, columns: number): string[][] {
  const groups = [...groupBy(skips, ({ reason }) => reason.replaceAll(OPERATION, ''))];
  const reasons = groups.toSorted(([, a], [, b]) => b.length - a.length);
  return reasons.map(([, members]) => {
    const [reason = '', ...others] = new Set(members.map((each) => each.reason));
    const more = others.length === 0 ? '' : ` (and ${count(others.length, 'other operation')})`;
    return amountLines(members.length, `${clip(reason, 400)}${more}`, paint.dim, columns);
  });
}

/** How many resources the run created and removed, what stays, and what is left and why: each with its lines. */
export function effectLines(summary: Summary, paint: Paint, columns: number): string[][] {
  const { effects, target } = summary;
  const totals = effectTotals(summary);
  const lasting = lastingText(summary);
  const stays = lasting === undefined ? [] : [hang('  ', visibleLine(lasting), columns)];
  if (totals === undefined) return stays;
  if (target.embedded) return [hang('  ', totals, columns)];
  return [
    [`  ${totals}`],
    ...stays,
    ...groupLeft(effects.left).map(({ text, items }) => amountLines(amountOf(items), text, paint.yellow, columns)),
  ];
}

/** What the deployment does where the document is silent. */
export function observationLines({ observations }: Summary, paint: Paint, columns: number): string[] {
  const rest = observations.length - OBSERVATIONS;
  return [
    ...observations.slice(0, OBSERVATIONS).flatMap(({ operation, what, value }) => {
      const where = operation === undefined ? '' : `${operation}: `;
      return hang(`  ${paint.dim('-')} `, visibleLine(`${where}${what}: ${clip(value, 200)}`), columns);
    }),
    ...(rest > 0 ? [paint.dim(`  … and ${thousands(rest)} more in the reports`)] : []),
  ];
}
