import { isObject, isServed, isSuccess } from '../../../spec/index.ts';
import type { Exchange, FindingCode, Json, JsonObject, Operation } from '../../../spec/index.ts';
import { patched } from '../../../domain/builtin/bodies/json-patch.ts';
import { REFUSALS } from '../../../domain/builtin/hints.ts';
import { memberRefusedInPatch } from '../../../domain/builtin/patchable.ts';
import type { Resource } from '../../../domain/resources.ts';
import { differences } from '../../kit/compare.ts';
import type { TestContext } from '../../kit/context.ts';
import { eventually } from '../../kit/polling.ts';
import { bodyFormats } from '../../kit/formats.ts';
import type { Formats } from '../../kit/formats.ts';
import { isRespelled } from '../../kit/respelled.ts';
import { asTexts } from '../../kit/as-texts.ts';
import { camelCased, mismatches } from '../../kit/read-back.ts';
import type { MemberMismatch } from '../../kit/read-back.ts';
import { violationOf } from '../../kit/violation.ts';
import { exchangeViolations } from '../violation.ts';
import type { CaseViolations } from '../violation.ts';
import { sendCase, sentJson } from './slot.ts';
import type { Attempt } from './slot.ts';

export interface PatchFixture {
  readonly resource: Resource;
  readonly read: Operation;
  readonly replace: Operation;
  readonly operation: Operation;
  /** The job before each patch. */
  readonly job: JsonObject;
}

const REQUIREMENTS = {
  'json-patch/served': 'jobs.patch-bad-operation',
  'json-patch/result': 'jobs.patch-applies',
  'json-patch/not-atomic': 'jobs.patch-atomic',
} as const satisfies Partial<Record<FindingCode, string>>;

/** Members of a job that patches change. */
const COMPARED = 'name description prompt metadata allowedSkills cronSchedule enabled enableCronSchedule'.split(' ');

/** Resets the job, patches it, and compares the job with the result of the patch by RFC 6902. */
export async function tryPatch(t: TestContext, fixture: PatchFixture, attempt: Attempt): CaseViolations {
  const { value, slot, patient } = attempt;
  const { operation, resource, read } = fixture;
  const before = await resetJob(t, fixture, attempt);
  if (before === undefined) return [];
  const exchange = await sendCase(t, operation, value, slot);
  const patch = sentJson(exchange);
  const result = Array.isArray(patch) ? patched(before.json, patch) : undefined;
  const status = exchange.response?.status ?? 0;
  // Sent last where a valid patch was refused: it may update the job to the result of the patch.
  const judge = async (): CaseViolations => {
    const mustServe =
      value.served === true &&
      isObject(result) &&
      !(REFUSALS.has(status) && (await mayRefuse(t, fixture, attempt, patch)));
    const found = exchangeViolations(t.session, operation, exchange, mustServe ? 'success' : 'any');
    return found.map((each) => ({ ...each, exchanges: [before.reset, exchange] }));
  };
  if (status === 0 || status >= 500 || patch === undefined || isUndefined(patch)) return judge();
  const exchanges = [before.reset, before.exchange, exchange];
  if (isSuccess(status) && !isObject(result)) {
    if (!cannotBeApplied(fixture, patch, before)) return judge();
    const requirement = REQUIREMENTS['json-patch/served'];
    const texts = { requirement, expected: 'status 400 or 409', received: `status ${status}`, exchanges };
    return [...(await judge()), violationOf('json-patch/served', operation, texts)];
  }
  const expected = isSuccess(status) && isObject(result) ? result : before.json;
  const formats = bodyFormats(t.contract, fixture.replace);
  const path = { [resource.idName]: slot.path[resource.idName] ?? '' };
  const own = (shown: JsonObject): JsonObject => withoutAdded(shown, fixture.job, before.json);
  const differs = (shown: Json | undefined): MemberMismatch | undefined =>
    isObject(shown) ? differentMember(formats, before.json, own(expected), own(shown)) : undefined;
  let isOnlyRespelled = false;
  const wrong = await eventually(t.session, patient, async () => {
    const after = await t.sendQuietly(read, { path, label: 'read it afterwards' });
    const member = differs(after.response?.json);
    isOnlyRespelled = member?.isRespelled === true;
    if (member === undefined) return undefined;
    const code = isSuccess(status) ? 'json-patch/result' : 'json-patch/not-atomic';
    return violationOf(code, operation, {
      requirement: REQUIREMENTS[code],
      expected: `${member.name}: ${member.expected}`,
      received: `${member.name}: ${member.received}`,
      exchanges: [...exchanges, after],
    });
  });
  const violations = await judge();
  if (wrong === undefined) return violations;
  // Texts may be cleaned up: only a patch that does so where an update does not is wrong.
  if (isOnlyRespelled && isSuccess(status)) {
    const updated = await updateToResult(t, fixture, attempt);
    const after = await t.sendQuietly(read, { path, label: 'read it after the update' });
    if (isSuccess(updated?.response?.status ?? 0) && differs(after.response?.json)?.isRespelled === true)
      return violations;
  }
  return [...violations, wrong];
}

/** True for a patch of what the deployment does not accept in a job, or not in a patch. */
async function mayRefuse(
  t: TestContext,
  fixture: PatchFixture,
  attempt: Attempt,
  patch: Json = null,
): Promise<boolean> {
  const isEmpty = Array.isArray(patch) && patch.length === 0;
  if (isEmpty || (await memberRefusedInPatch(t, patch)) !== undefined) return true;
  return isRefusedWhole(t, fixture, attempt);
}

/** True where an update with the result of the patch is refused, too: the deployment does not accept such a job. */
async function isRefusedWhole(t: TestContext, fixture: PatchFixture, attempt: Attempt): Promise<boolean> {
  const updated = await updateToResult(t, fixture, attempt);
  return REFUSALS.has(updated?.response?.status ?? 0);
}

/** Updates the job to the result of the patch; undefined where it has none. */
function updateToResult(
  t: TestContext,
  { replace, job }: PatchFixture,
  { value: { request }, slot }: Attempt,
): Promise<Exchange> | undefined {
  const patch = request.body?.value;
  const value = Array.isArray(patch) ? patched(job, patch) : undefined;
  if (value === undefined) return undefined;
  const update = { path: {}, query: {}, headers: {}, body: { type: 'application/json', value } };
  const label = 'update it to the result of the patch';
  return sendCase(t, replace, { form: 0, request: update, label }, slot);
}

/** True for a patch whose result is not documented: of the whole job, whose id and times are set elsewhere, or by `op` in capitals. */
function isUndefined(patch: Json): boolean {
  return (
    Array.isArray(patch) &&
    patch.some((each: Json) => {
      if (!isObject(each)) return false;
      const { op, path, from } = each;
      return path === '' || from === '' || (typeof op === 'string' && op !== op.toLowerCase());
    })
  );
}

/** A job before a patch. */
interface Before {
  /** The update that set it. */
  readonly reset: Exchange;
  /** The read that shows it. */
  readonly exchange: Exchange;
  readonly json: JsonObject;
}

async function resetJob(
  t: TestContext,
  { resource, read, replace, job }: PatchFixture,
  { slot, patient }: Attempt,
): Promise<Before | undefined> {
  const request = { path: {}, query: {}, headers: {}, body: { type: 'application/json', value: job } };
  const reset = await sendCase(t, replace, { form: 0, request, label: 'reset it' }, slot);
  const sent = sentJson(reset);
  let shown: Before | undefined;
  await eventually(t.session, patient, async () => {
    const path = { [resource.idName]: slot.path[resource.idName] ?? '' };
    const exchange = await t.sendQuietly(read, { path, label: 'read it before' });
    const json = exchange.response?.json;
    shown = isServed(exchange) && isObject(json) ? { reset, exchange, json } : undefined;
    return isObject(sent) && isObject(json)
      ? differentMember(bodyFormats(t.contract, replace), json, sent, json)
      : undefined;
  });
  return shown;
}

/** True where the patch cannot be applied to the job as it was sent and as it is shown, whatever the values of omitted members. */
function cannotBeApplied({ job }: PatchFixture, patch: Json, { reset, json }: Before): boolean {
  const sent = sentJson(reset);
  const whole = { ...job, ...json };
  return (
    Array.isArray(patch) &&
    (sent === undefined || patched(sent, patch) === undefined) &&
    patched(whole, patch) === undefined &&
    patched({ ...whole, description: '', prompt: '', cronSchedule: '' }, patch) === undefined
  );
}

/** The job without keys that the deployment itself added to its maps: those may change. */
function withoutAdded(shown: JsonObject, sent: JsonObject, before: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(shown).map(([name, value]) => {
      const [given, held] = [sent[name], before[name]];
      if (!isObject(value) || !isObject(given) || !isObject(held)) return [name, value];
      const kept = Object.entries(value).filter(([key]) => Object.hasOwn(given, key) || !Object.hasOwn(held, key));
      return [name, withoutAdded(Object.fromEntries(kept), given, held)];
    }),
  );
}

/** The first member that is not as expected; what was removed may be shown as null or empty. */
function differentMember(
  formats: Formats,
  before: JsonObject,
  goal: JsonObject,
  after: JsonObject,
): MemberMismatch | undefined {
  const name = COMPARED.find(
    (each) =>
      (before[each] !== undefined || after[each] !== undefined) &&
      isDifferent(goal[each] ?? null, after[each] ?? null, `/${each}`, formats),
  );
  if (name === undefined) return undefined;
  const [wanted, shown] = [goal[name], after[name]];
  const isCleanedUp = wanted !== undefined && isRespelled(wanted, shown);
  const [expected, received] = asTexts(wanted, shown);
  return { name, expected, received, isRespelled: isCleanedUp };
}

function isDifferent(goal: Json, after: Json, pointer: string, formats: Formats): boolean {
  if (goal === null)
    return after !== null && after !== '' && (typeof after !== 'object' || Object.keys(after).length > 0);
  if ([...mismatches(goal, after, new Set(), formats, pointer)].length > 0) return true;
  return isObject(goal) && isObject(after) && differences(withKeysOf(after, goal), after, formats, pointer).length > 0;
}

/** The goal with its keys in camel case where a map shows them so. */
function withKeysOf(after: JsonObject, goal: JsonObject): JsonObject {
  const keyOf = (key: string): string =>
    Object.hasOwn(after, key) || !Object.hasOwn(after, camelCased(key)) ? key : camelCased(key);
  return Object.fromEntries(Object.entries(goal).map(([key, value]) => [keyOf(key), value]));
}
