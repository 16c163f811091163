import { expect, it } from 'vitest';
import type { MergedFinding, RequirementSummary, Summary } from '../summary/types.ts';
import { violatedText } from './headline.ts';

function violatedBy(...fails: readonly boolean[]): string {
  const ids = fails.map((_, index) => `requirement-${index}`);
  const requirements = ids.map((id) => ({ id, verdict: 'violated' }) as RequirementSummary);
  const findings = ids.map((requirement, index) => ({ requirement, fails: fails[index] }) as MergedFinding);
  return violatedText({ requirements, findings } as unknown as Summary);
}

it('says how many of the violated requirements fail the run', () => {
  expect(violatedBy(true, true)).toBe('2 violated');
  expect(violatedBy(true, false, true)).toBe('3 violated (2 fail the run)');
  expect(violatedBy(true, false)).toBe('2 violated (1 fails the run)');
  expect(violatedBy(false)).toBe('1 violated (none fails the run)');
});
