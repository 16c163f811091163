import type { ReplayOf } from '../text/replay.ts';
import type { ResolvedGroup } from '../summary/groups.ts';
import type { MergedFinding } from '../summary/types.ts';
import { findingFacts, findingWord, groupFacts } from '../text/finding.ts';
import type { Fact } from '../text/finding.ts';
import { count, thousands } from '../text/numbers.ts';
import { clip, visible, visibleLine } from '../text/visible.ts';
import { hang } from '../text/width.ts';
import type { Paint } from './paint.ts';

const SHOWN = 25;
const LIMIT = 1200;
const LONGEST = 3000;
const LABEL = 10;
/** Facts to be pasted, which are never broken into lines, with their colours. */
const PASTED: Readonly<Record<string, 'cyan' | 'dim'>> = { curl: 'cyan', replay: 'cyan', id: 'dim' };

/** The findings by root cause, as compilers report errors: what, where, expected, received, how to reproduce it. */
export function findingLines(
  groups: readonly ResolvedGroup[],
  paint: Paint,
  columns: number,
  replayOf?: ReplayOf,
): string[] {
  const shown = groups.slice(0, SHOWN).flatMap((group) => ['', ...groupLines(group, paint, columns, replayOf)]);
  const rest = groups.slice(SHOWN).reduce((sum, { same, related }) => sum + 1 + same.length + related.length, 0);
  return rest > 0 ? [...shown, '', paint.dim(`… and ${count(rest, 'more finding')} in the reports`)] : shown;
}

/** One line for a finding at the moment it is reported. */
export function findingLine(
  {
    operation,
    form,
    message,
    severity,
    known = false,
  }: Pick<MergedFinding, 'operation' | 'form' | 'message' | 'severity'> & Partial<Pick<MergedFinding, 'known'>>,
  paint: Paint,
): string {
  const mark = known ? paint.dim('known') : severity === 'violation' ? paint.red('✗') : paint.yellow('!');
  const text = message.startsWith(operation) ? message.slice(operation.length).replace(/^:? /, '') : message;
  return `${mark} ${visibleLine(operation)} ${paint.dim(visibleLine(form))} ${visibleLine(clip(text, 300))}`;
}

function groupLines(group: ResolvedGroup, paint: Paint, columns: number, replayOf?: ReplayOf): string[] {
  const lead = shortened(group.lead, replayOf);
  const tone = lead.known ? paint.dim : lead.severity === 'violation' ? paint.red : paint.yellow;
  const title = `${findingWord(lead)}: ${visibleLine(clip(lead.message, LIMIT))}`;
  return [
    ...hang(`${tone('▌')} `, paint.bold(title), columns),
    ...[...findingFacts(lead), ...groupFacts(group)].flatMap((fact) => factLines(fact, paint, columns)),
  ];
}

function shortened(lead: MergedFinding, replayOf: ReplayOf | undefined): MergedFinding {
  return lead.replay === undefined || replayOf === undefined ? lead : { ...lead, replay: replayOf(lead.fingerprint) };
}

function factLines([label, text]: Fact, paint: Paint, columns: number): string[] {
  const lead = `  ${paint.dim(label.padEnd(LABEL))}`;
  const tone = PASTED[label];
  if (tone === undefined) return hang(lead, visible(clip(text, LIMIT)), columns);
  // A part of a command cannot be pasted.
  if (text.length > LONGEST)
    return hang(lead, `${thousands(text.length)} characters: in the reports; or replay the finding`, columns);
  return [`${lead}${paint[tone](visibleLine(text))}`];
}
