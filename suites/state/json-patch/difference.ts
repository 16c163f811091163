import { operationOf } from '../../../domain/builtin/operations.ts';
import { memberOf } from '../../../domain/items.ts';
import { isObject } from '../../../spec/index.ts';
import type { Json, JsonObject } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { bodyFormats } from '../../kit/formats.ts';
import type { Formats } from '../../kit/formats.ts';
import { camelCased, firstMismatch } from '../../kit/read-back.ts';
import { describedJob } from './described-job.ts';

type Mismatch = Pick<NonNullable<ReturnType<typeof firstMismatch>>, 'name' | 'expected' | 'received'>;

/** Members of the job that the patches change, besides its skills and metadata. */
export const MEMBERS: JsonObject = { description: 'as created', prompt: 'as asked' };

/** Members that are compared after a patch. */
export const COMPARED = [...Object.keys(MEMBERS), 'allowedSkills', 'metadata', 'dataSources', 'name'];

export function formatsOfJob(t: TestContext): Formats {
  return bodyFormats(t.contract, operationOf(t, 'updateJob'));
}

export function textsOf({ name, expected, received }: Mismatch): {
  readonly expected: string;
  readonly received: string;
} {
  return { expected: `${name}: ${expected}`, received: `${name}: ${received}` };
}

/** Changed members must be as expected, the others as before. A removed text may be shown as null or empty. */
export function findDifference(
  t: TestContext,
  before: JsonObject,
  expected: JsonObject,
  after: JsonObject,
): Mismatch | undefined {
  const isCleared = (key: string): boolean => (expected[key] ?? null) === null && (before[key] ?? null) !== null;
  const kept = COMPARED.find((key) => isCleared(key) && !isEmpty(after[key]));
  if (kept !== undefined) {
    return { name: kept, expected: 'null or absent', received: JSON.stringify(after[kept]) };
  }
  const [wanted, shown] = [expected['metadata'], after['metadata']];
  const extra =
    isObject(wanted) && isObject(shown) ? Object.keys(shown).find((key) => !keysOf(wanted).includes(key)) : undefined;
  if (extra !== undefined) return { name: 'metadata', expected: `no ${extra}`, received: JSON.stringify(shown) };
  const stored = describedJob(t, expected);
  const compared = Object.fromEntries(COMPARED.map((key) => [key, memberOf(stored, key) ?? null]));
  const found = firstMismatch(compared, after, t.knowledge.members, formatsOfJob(t));
  return found?.isRespelled === true ? undefined : found;
}

/** The keys of a map, and as the framework may write them. */
function keysOf(map: JsonObject): readonly string[] {
  return Object.keys(map).flatMap((key) => [key, camelCased(key)]);
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '';
}
