import { sampleDataSource } from '../../../domain/builtin/bodies/samples.ts';
import { acceptsJob } from '../../../domain/builtin/jobs.ts';
import { operationOf } from '../../../domain/builtin/operations.ts';
import { valuesOf } from '../../../domain/items.ts';
import type { Json, JsonObject } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { NEW_SKILL, REVERSED_SKILLS, SKILLS } from './patches.ts';

/** A list of texts in a job, with two of three texts that the deployment accepts there. */
interface ListToPatch {
  readonly members: JsonObject;
  readonly pointer: string;
  readonly third: string;
  /** The two texts of the list in reverse order. */
  readonly reversed: readonly string[];
}

const KEYS = ['assay.one', 'assay.two', 'assay.three'] as const;

/** The skills of a job or, where the deployment has fewer than three, the vocabulary keys of its data source. */
export function listToPatch(t: TestContext): Promise<ListToPatch | undefined> {
  return t.once('list to patch', async () => {
    const listed = await t.send(operationOf(t, 'skills'));
    const [first, second, third] = valuesOf(listed.response?.json, 'name').filter((each) => typeof each === 'string');
    if (first !== undefined && second !== undefined && third !== undefined)
      return { members: { allowedSkills: [first, second] }, pointer: SKILLS, third, reversed: [second, first] };
    const [one, two, three] = KEYS;
    const dataSources = [sampleDataSource({ vocabularyKeys: [one, two] })];
    if (!(await acceptsJob(t, { dataSources }))) return undefined;
    return { members: { dataSources }, pointer: '/dataSources/0/vocabularyKeys', third: three, reversed: [two, one] };
  });
}

/** The patch for that list; undefined where it needs one and there is none. */
export function onList<T extends { readonly path: string }>(
  list: ListToPatch | undefined,
  patch: readonly T[],
): readonly T[] | undefined {
  if (!patch.some(({ path }) => path.startsWith(SKILLS))) return patch;
  if (list === undefined) return undefined;
  const moved = (pointer: string): string => pointer.replace(SKILLS, list.pointer);
  const values: Readonly<Record<string, Json>> = { [NEW_SKILL]: list.third, [REVERSED_SKILLS]: list.reversed };
  return patch.map((each) => ({
    ...each,
    path: moved(each.path),
    ...('from' in each && typeof each.from === 'string' ? { from: moved(each.from) } : {}),
    ...('value' in each && typeof each.value === 'string' ? { value: values[each.value] ?? each.value } : {}),
  }));
}
