import type { Operation as PatchOperation } from 'fast-json-patch';
import { sampleDataSource } from '../../../domain/builtin/bodies/samples.ts';
import { acceptsJob } from '../../../domain/builtin/jobs.ts';
import { operationOf } from '../../../domain/builtin/operations.ts';
import { valuesOf } from '../../../domain/items.ts';
import type { JsonObject } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { NEW_SKILL, SKILLS } from './patches.ts';

/** A list of texts in a job, with two of three texts that the deployment accepts there. */
interface ListToPatch {
  readonly members: JsonObject;
  readonly pointer: string;
  readonly third: string;
}

const KEYS = ['assay.one', 'assay.two', 'assay.three'] as const;

/** The skills of a job or, where the deployment has fewer than three, the vocabulary keys of its data source. */
export function listToPatch(t: TestContext): Promise<ListToPatch | undefined> {
  return t.once('list to patch', async () => {
    const listed = await t.send(operationOf(t, 'skills'));
    const [first, second, third] = valuesOf(listed.response?.json, 'name').filter((each) => typeof each === 'string');
    if (first !== undefined && second !== undefined && third !== undefined)
      return { members: { allowedSkills: [first, second] }, pointer: SKILLS, third };
    const [one, two, three] = KEYS;
    const dataSources = [sampleDataSource({ vocabularyKeys: [one, two] })];
    if (!(await acceptsJob(t, { dataSources }))) return undefined;
    return { members: { dataSources }, pointer: '/dataSources/0/vocabularyKeys', third: three };
  });
}

/** The patch for that list; undefined where it needs one and there is none. */
export function onList(
  list: ListToPatch | undefined,
  patch: readonly PatchOperation[],
): readonly PatchOperation[] | undefined {
  if (!patch.some(({ path }) => path.startsWith(SKILLS))) return patch;
  if (list === undefined) return undefined;
  const moved = (pointer: string): string => pointer.replace(SKILLS, list.pointer);
  return patch.map((each) => ({
    ...each,
    path: moved(each.path),
    ...('from' in each ? { from: moved(each.from) } : {}),
    ...('value' in each && each.value === NEW_SKILL ? { value: list.third } : {}),
  }));
}
