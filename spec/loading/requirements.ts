import { fileURLToPath } from 'node:url';
import { parseFile } from './parse.ts';
import type { Operation } from '../contract.ts';
import type { Elsewhere, Requirement } from '../requirements.ts';

const FILE = fileURLToPath(new URL('../requirements.yaml', import.meta.url));

type Entry = Omit<Requirement, 'grade'> & Partial<Requirement> & { readonly elsewhere?: Elsewhere };

async function entries(): Promise<readonly (Requirement & Pick<Entry, 'elsewhere'>)[]> {
  const written = (await parseFile(FILE)) as unknown as readonly Entry[];
  return written.map((entry) => ({ ...entry, grade: entry.grade ?? 'documented' }));
}

/** The requirements of the API document, in its order. */
export async function documentRequirements(): Promise<readonly Requirement[]> {
  return (await entries()).map(({ elsewhere: _elsewhere, ...entry }) => entry);
}

/** The general requirements, for another API: those about all operations of the API document become inferred, other ones are dropped. */
export async function generalRequirements(): Promise<readonly Requirement[]> {
  const all = await entries();
  return all
    .filter((entry) => entry.operations === undefined && entry.untestable === undefined && entry.grade !== 'published')
    .map(({ elsewhere, ...entry }) => ({
      ...entry,
      ...elsewhere,
      section: '',
      grade: entry.general === true || entry.grade === 'unspecified' ? entry.grade : 'inferred',
    }));
}

/** The requirements for another description of the platform: those of the API document for its operations, else the general ones. */
export function mixedRequirements(
  all: readonly Requirement[],
  operations: readonly Pick<Operation, 'id' | 'inDocument'>[],
): readonly Requirement[] {
  const known = new Set(operations.filter((each) => each.inDocument === true).map(({ id }) => id));
  return all.map((entry) => {
    if (entry.operations === undefined)
      return entry.general === true || entry.grade !== 'documented' ? entry : { ...entry, gradeElsewhere: 'inferred' };
    if (entry.untestable !== undefined || entry.operations.some((id) => known.has(id))) return entry;
    return { ...entry, untestable: 'The description has none of the operations of this requirement' };
  });
}
