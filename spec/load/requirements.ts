import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import type { Requirement } from '../requirements.ts';

/** What the API document promises, in its order. */
export function documentRequirements(): readonly Requirement[] {
  const text = readFileSync(new URL('../requirements.yaml', import.meta.url), 'utf8');
  const entries = load(text) as readonly (Omit<Requirement, 'grade'> & Partial<Pick<Requirement, 'grade'>>)[];
  return entries.map((entry) => ({ ...entry, grade: entry.grade ?? 'documented' }));
}

/**
 * What a description alone promises: what any description says stays documented; what the API document says of all operations is
 * inferred; what it says of some operations is promised by nobody.
 */
export function generalRequirements(): readonly Requirement[] {
  return documentRequirements()
    .filter((entry) => entry.operations === undefined && entry.untestable === undefined && entry.grade !== 'published')
    .map((entry) => ({
      ...entry,
      section: '',
      grade: entry.general === true || entry.grade === 'unspecified' ? entry.grade : 'inferred',
    }));
}
