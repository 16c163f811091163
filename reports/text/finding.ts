import type { MergedFinding } from '../summary/types.ts';
import { count } from './numbers.ts';
import { stepsText } from './steps.ts';
import { clip } from './visible.ts';

/** Longer than any curl line that is worth reading; hostile answers are longer. */
const FACT = 20_000;

/** What a person needs of a finding, as pairs of a short label and a text; empty ones are left out. */
export function findingFacts(finding: MergedFinding): readonly (readonly [label: string, text: string])[] {
  const places = [
    finding.instancePointer === undefined
      ? ''
      : `body ${finding.instancePointer === '' ? '(whole)' : finding.instancePointer}`,
    finding.schemaPointer === undefined ? '' : `description ${finding.schemaPointer}`,
  ].filter((place) => place !== '');
  const facts: readonly (readonly [string, string])[] = [
    ['where', finding.form === '' ? finding.operation : `${finding.operation} in ${finding.form}`],
    ['also on', finding.operations.slice(1).join(', ')],
    [
      'promise',
      `${finding.requirement}${finding.source === '' ? '' : `, ${finding.source}`}${finding.grade === 'documented' ? '' : ` (${finding.grade})`}`,
    ],
    ['expected', finding.expected],
    ['received', finding.received],
    ['at', places.join(' · ')],
    [
      'seen',
      finding.occurrences > 1 ? `${count(finding.occurrences, 'time')} in ${count(finding.tests.length, 'test')}` : '',
    ],
    ['steps', stepsText(finding.steps)],
    ['curl', finding.curl],
    ['replay', finding.replay ?? ''],
    ['baseline', baselineFact(finding)],
    ['id', `${finding.check} ${finding.fingerprint}`],
  ];
  return facts.filter(([, text]) => text !== '');
}

/** A finding as plain text of several lines; not yet made safe for a terminal. */
export function findingText(finding: MergedFinding): string {
  const head = `${finding.severity}: ${clip(finding.message, FACT)}`;
  return [head, ...findingFacts(finding).map(([label, text]) => `  ${label.padEnd(9)} ${clip(text, FACT)}`)].join('\n');
}

function baselineFact(finding: MergedFinding): string {
  if (finding.standing === 'new') return '';
  const until = finding.expires === undefined ? '' : `, until ${finding.expires}`;
  return `${finding.standing === 'expired' ? 'expired' : 'known'}: ${finding.baselineReason ?? ''}${until}`;
}
