import pc from 'picocolors';
import { visibleLine } from '../../reports/index.ts';
import type { Change } from '../../spec/index.ts';

const MARKS = { breaking: pc.red('breaking'), risky: pc.yellow('risky   '), harmless: pc.dim('harmless') } as const;

function show(change: Change): string {
  const { others, operation, side, message, pointerA, pointerB } = change;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const places = [
    pointerA === undefined ? '' : `before #${pointerA}`,
    pointerB === undefined ? '' : `after #${pointerB}`,
  ].filter((place) => place !== '');
  return `${MARKS[change.class]} ${visibleLine(operation)}${more} (${side}): ${visibleLine(message)}\n         ${pc.dim(visibleLine(places.join(', ')))}`;
}

/** What changed between two descriptions, worst first. */
export function changeLines(changes: readonly Change[]): readonly string[] {
  const counts = (['breaking', 'risky', 'harmless'] as const).map(
    (word) => `${changes.filter((change) => change.class === word).length} ${word}`,
  );
  return [...changes.map(show), counts.join(', ')];
}
