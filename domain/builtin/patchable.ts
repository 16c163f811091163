import { isObject } from '../../spec/index.ts';
import type { Json } from '../../spec/index.ts';
import type { ApiContext } from '../context.ts';
import { memberOf } from '../items.ts';
import { REFUSALS } from './hints.ts';
import { freshJob } from './jobs.ts';
import { operationOf } from './operations.ts';
import { statusOf } from './refused-members.ts';

/** Where these cannot be patched, a patch is of no use: a refusal of such a patch is never excused. */
const TEXTS: ReadonlySet<string> = new Set(['name', 'description', 'prompt']);

/**
 * The first member in the patch that the deployment refuses to set even to the value that it has: which members of a job can be
 * patched is not documented. Learned once a run.
 */
export async function memberRefusedInPatch(t: ApiContext, patch: Json): Promise<string | undefined> {
  for (const name of membersOf(patch)) if (!(await acceptsPatchOf(t, name))) return name;
  return undefined;
}

function membersOf(patch: Json): ReadonlySet<string> {
  const pointers = Array.isArray(patch)
    ? patch.flatMap((each) => [memberOf(each, 'path'), memberOf(each, 'from')])
    : [];
  const names = pointers.map((pointer) => (typeof pointer === 'string' ? pointer.split('/')[1] : undefined));
  return new Set(names.filter((name) => name !== undefined && name !== '' && !TEXTS.has(name)) as string[]);
}

function acceptsPatchOf(t: ApiContext, name: string): Promise<boolean> {
  return t.once(`accepts a patch of ${name}`, async () => {
    const { id } = await freshJob(t, 'patchable');
    const { response } = await t.sendQuietly(operationOf(t, 'readJob'), { path: { id }, label: 'read the job' });
    const value = isObject(response?.json) ? response.json[name] : undefined;
    if (value === undefined || value === null) return true;
    // Without a value where that is false: a deployment that takes false for no value has a defect.
    const path = `/${name}`;
    const json = [value === false ? { op: 'copy', from: path, path } : { op: 'replace', path, value }];
    const label = 'replace a member by its own value, to see whether it can be patched';
    return !REFUSALS.has(statusOf(await t.sendQuietly(operationOf(t, 'patchJob'), { path: { id }, json, label })));
  });
}
