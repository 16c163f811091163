import { setTimeout as sleep } from 'node:timers/promises';
import { sampleDataSource } from '../../domain/builtin/bodies/samples.ts';
import { patched } from '../../domain/builtin/bodies/json-patch.ts';
import type { Operation as PatchOperation } from 'fast-json-patch';
import { operationOf } from '../../domain/builtin/operations.ts';
import type { CreatedItem } from '../../domain/create.ts';
import { Skip, readUntil } from '../../domain/context.ts';
import { memberOf } from '../../domain/items.ts';
import { isObject, isServed, isSuccess } from '../../spec/index.ts';
import type { Exchange, FindingCode, Form, Json, JsonObject, Violation } from '../../spec/index.ts';
import type { Evaluate, TestContext } from '../kit/context.ts';
import { changesNothing, KEPT_MS } from '../kit/polling.ts';
import { firstMismatch } from '../kit/read-back.ts';
import { openSession } from '../kit/session.ts';
import { meaningOf, reportViolation, violationOf } from '../kit/violation.ts';
import { defineForRole } from './define.ts';
import type { Tested } from './define.ts';
import { describedJob } from './json-patch/described-job.ts';
import { COMPARED, findDifference, formatsOfJob, MEMBERS, textsOf } from './json-patch/difference.ts';
import { listToPatch, onList } from './json-patch/lists.ts';
import { appliesInEachType } from './json-patch/media-types.ts';
import { ADDED_SOURCE, APPLICABLE_PATCHES, FAILING_PATCHES } from './json-patch/patches.ts';
import type { FailingOperation } from './json-patch/patches.ts';
import { findListedAsBefore, findNotListed } from './lifecycle/listed.ts';
import { isBrief } from './lifecycle/read-back.ts';
import { acceptsJob, freshJob } from '../../domain/builtin/jobs.ts';
import { memberRefusedInPatch } from '../../domain/builtin/patchable.ts';

const session = await openSession();

/** Keys that a pointer has to escape; which keys a deployment accepts is not documented. */
const KEPT_KEY: JsonObject = { 'assay-kept': 'kept' };
const ESCAPED_KEYS: JsonObject = { ...KEPT_KEY, 'assay/slash': 'slash', 'assay~tilde': 'tilde' };

const base = { suite: 'state/json-patch', effects: ['read', 'reversible'] as const };

for (const [formIndex, [title, patch]] of Object.entries(APPLICABLE_PATCHES).entries()) {
  defineForRole(session, 'patchJob', {
    ...base,
    formIndex,
    title: `applies a patch: ${title}`,
    checks: ['json-patch'],
    requirements: ['jobs.patch-applies'],
    run: (t, target) => applies(t, target, title, patch),
  });
}

for (const [formIndex, [title, patch]] of Object.entries(FAILING_PATCHES).entries()) {
  defineForRole(session, 'patchJob', {
    ...base,
    formIndex,
    title: `refuses a patch and changes nothing: ${title}`,
    checks: ['json-patch', 'refused-changes-nothing'],
    requirements: ['jobs.patch-atomic', 'jobs.patch-bad-operation', 'errors.conflict'],
    run: (t, target) => refuses(t, target, title, patch),
  });
}

defineForRole(session, 'patchJob', {
  ...base,
  formIndex: 1,
  title: 'applies a patch in each media type of JSON',
  checks: ['json-patch'],
  requirements: ['jobs.patch-applies'],
  run: appliesInEachType,
});

defineForRole(session, 'patchJob', {
  ...base,
  formIndex: 0,
  title: 'applies a patch to the stored update, and lists the job with its new name and description',
  checks: ['json-patch', 'updated-reads-back'],
  requirements: ['jobs.patch-applies', 'jobs.update-stores'],
  run: async (t, target) => {
    const { form } = target;
    const { job } = await jobToPatch(t, form);
    const json = { ...(isObject(job.sent) ? job.sent : {}), description: 'as updated', prompt: 'as updated' };
    const request = { form, path: { id: job.id }, json, label: 'update' };
    const updated = await t.send(operationOf(t, 'updateJob'), request);
    if (!isServed(updated)) return;
    const read = await readUpdated(t, job, form);
    const before = read.response?.json;
    if (!isObject(before)) return;
    const name = `${job.name}-patched`;
    const texts = { name, description: 'as patched', prompt: 'as patched' };
    const sent = Object.fromEntries(Object.entries(texts).filter(([member]) => member in before));
    const patch = Object.entries(sent).map(([member, value]): PatchOperation => ({
      op: 'replace',
      path: `/${member}`,
      value,
    }));
    const changed = await appliesTo(t, target, 'replace the texts', patch, { job, before, read }, KEPT_MS);
    if (!isServed(changed)) return;
    await t.takesEffect((t) => findListedAsBefore(t, { ...job, sent: json }, form, { sent, changed }));
    await appliesTo(t, target, 'the same patch again', patch, { job, before, read });
  },
});

defineForRole(session, 'patchJob', {
  ...base,
  title: 'keeps the members that the patch does not name, and lists the job with those that it does',
  checks: ['json-patch', 'updated-reads-back'],
  requirements: ['jobs.patch-applies'],
  run: async (t, target) => {
    const { operation, form } = target;
    const flags = (await t.knowledge.extraMembers?.(t, operationOf(t, 'createJob'), t.tag))?.['flags'];
    const reason = 'no job can be enabled with a schedule: an effect is not allowed, or the deployment refuses it';
    if (flags === undefined || !(await acceptsJob(t, flags))) throw new Skip(reason);
    const job = await freshJob(t, 'kept', flags);
    const before = await readJob(t, job, form, 'read the job');
    const stored = before.response?.json;
    const wanted = Object.fromEntries(Object.entries(isObject(stored) ? stored : {}).filter(([name]) => name in flags));
    if (Object.keys(wanted).length === 0)
      throw new Skip('the new job shows none of the members that the patch must keep');
    const json = [{ op: 'replace', path: '/description', value: 'patched' }];
    const patched = await t.send(operation, { form, path: { id: job.id }, json, label: 'replace the description' });
    if (!isServed(patched)) return;
    const isKept = await t.takesEffect(async (t) => {
      const after = await readJob(t, job, form, 'read the job afterwards');
      const shown = after.response?.json;
      const lost = isObject(shown) ? firstMismatch(wanted, shown, t.knowledge.members, formatsOfJob(t)) : undefined;
      if (lost === undefined || lost.isRespelled) return undefined;
      const exchanges = [job.created, before, patched, after];
      const about = { subject: 'kept', requirement: 'jobs.patch-applies', exchanges };
      return violationOf('json-patch/result', operation, { ...about, ...textsOf(lost) });
    });
    if (isKept && (await t.takesEffect((t) => findNotListed(t, job, target.form))))
      await listsWhatIsDisabled(t, target, job);
  },
});

/** A patch that disables an enabled job: the list must show it. */
async function listsWhatIsDisabled(t: TestContext, { operation, form }: Tested, job: CreatedItem): Promise<void> {
  const json = [{ op: 'replace', path: '/enabled', value: false }];
  const changed = await t.send(operation, { form, path: { id: job.id }, json, label: 'disable the job' });
  if (!isServed(changed)) return;
  await t.takesEffect((t) => findListedAsBefore(t, job, form, { sent: { enabled: false }, changed }));
}

/** Distinguishes patches by their operations, for example `test+replace`. */
function subjectOf(patch: readonly { readonly op: string }[]): string {
  return [...new Set(patch.map(({ op }) => op))].join('+') || 'empty';
}

interface PatchedJob {
  readonly job: CreatedItem;
  readonly before: JsonObject;
  readonly read: Exchange;
}

async function jobToPatch(t: TestContext, form: Form): Promise<PatchedJob> {
  const job = await freshJob(t, 'patch', {
    ...MEMBERS,
    ...(await listToPatch(t))?.members,
    metadata: (await acceptsJob(t, { metadata: ESCAPED_KEYS })) ? ESCAPED_KEYS : KEPT_KEY,
  });
  const read = await readJob(t, job, form, 'read the job before');
  const before = read.response?.json;
  return isObject(before) ? { job, before, read } : t.skip('the job cannot be read before it is patched');
}

function readJob(t: TestContext, { id }: CreatedItem, form: Form, label: string): Promise<Exchange> {
  return t.send(operationOf(t, 'readJob'), { form, path: { id }, expect: 'success', label });
}

/** Reads the job until it shows the update: a patch applies to the stored job, which reads may show late. */
function readUpdated(t: TestContext, job: CreatedItem, form: Form): Promise<Exchange> {
  const read = (): Promise<Exchange> => readJob(t, job, form, 'read the updated job');
  return readUntil(t, read, ({ response }) => memberOf(response?.json, 'description') === 'as updated');
}

async function applies(
  t: TestContext,
  target: Tested,
  title: string,
  template: readonly PatchOperation[],
): Promise<void> {
  const isSourceAdded = template.some((each) => 'value' in each && each.value === ADDED_SOURCE);
  if (isSourceAdded && !(await acceptsJob(t, { dataSources: [sampleDataSource(), ADDED_SOURCE] })))
    t.skip('the deployment refuses a job with two data sources');
  if (template.some(({ path }) => path.includes('~')) && !(await acceptsJob(t, { metadata: ESCAPED_KEYS })))
    t.skip('the deployment refuses keys with a slash or a tilde');
  const patch =
    onList(await listToPatch(t), template) ?? t.skip('the deployment accepts no list of three texts in a job');
  await appliesTo(t, target, title, patch, await jobToPatch(t, target.form));
}

/** Patches the job, and judges response and stored job, `keptMs` later again. Returns the patch. */
async function appliesTo(
  t: TestContext,
  { operation, form }: Tested,
  title: string,
  patch: readonly PatchOperation[],
  { job, before, read }: PatchedJob,
  keptMs = 0,
): Promise<Exchange> {
  const json = patch as unknown as Json;
  const expected = patched(before, json);
  if (!isObject(expected)) return t.skip('the deployment does not show the members that the patch changes');
  const refused = await memberRefusedInPatch(t, json);
  if (refused !== undefined) return t.skip(`the deployment refuses patches of a member (${refused})`);
  const request = { form, path: { id: job.id }, json, label: title };
  // Whether a patch without operations passes validation is not documented.
  const sent = await t.send(operation, patch.length === 0 ? request : { ...request, expect: 'success' });
  if (!isServed(sent)) return sent;
  const about = (code: FindingCode): Pick<Violation, 'subject' | 'requirement' | 'message'> => ({
    subject: subjectOf(patch),
    requirement: 'jobs.patch-applies',
    message: `${operation.id}: ${meaningOf(code)} (${title})`,
  });
  const shown = sent.response.json;
  const isShown = isObject(shown) && !isBrief(shown, COMPARED);
  const inResponse = isShown ? findDifference(t, before, expected, shown) : undefined;
  if (inResponse !== undefined) {
    const evidence = { ...about('json-patch/response'), ...textsOf(inResponse), exchanges: [read, sent] };
    reportViolation(t, 'json-patch/response', operation, evidence);
  }
  const findOther: Evaluate = async (t) => {
    const after = await readJob(t, job, form, 'read the job afterwards');
    const stored = after.response?.json;
    const difference = isObject(stored) ? findDifference(t, before, expected, stored) : undefined;
    if (difference === undefined) return undefined;
    const evidence = { ...about('json-patch/result'), ...textsOf(difference), exchanges: [read, sent, after] };
    return violationOf('json-patch/result', operation, evidence);
  };
  if (!(await t.takesEffect(findOther)) || keptMs === 0) return sent;
  await sleep(keptMs);
  await t.holds(findOther);
  return sent;
}

async function refuses(
  t: TestContext,
  { operation, form }: Tested,
  title: string,
  template: readonly FailingOperation[],
): Promise<void> {
  const patch =
    onList(await listToPatch(t), template) ?? t.skip('the deployment accepts no list of three texts in a job');
  const subject = subjectOf(patch);
  const sent: Exchange[] = [];
  // A service may ignore operations on missing members, but a failed `test` must always prevent the patch.
  const mayApply = (status: number): boolean => isSuccess(status) && patch.every(({ op }) => op !== 'test');
  const isUnchanged = await changesNothing(t, {
    prepare: () => jobToPatch(t, form),
    read: ({ job }) => readJob(t, job, form, 'read the job'),
    act: async ({ job, before, read }) => {
      const json = patch as unknown as Json;
      if (patch.at(-1)?.op === 'test' && patched(before, json) !== undefined)
        t.skip('the patch can be applied to the job as the deployment shows it');
      const request = { form, path: { id: job.id }, json, label: title };
      const refused = await t.send(operation, request);
      sent.splice(0, 2, read, refused);
      return refused;
    },
    difference(before, after, refused) {
      const status = refused.response?.status ?? 0;
      const [was, is] = [before.response?.json, after.response?.json];
      if (mayApply(status) || !isObject(was) || !isObject(is)) return undefined;
      // Other members can change by themselves, for example the time of the read.
      const compared = Object.fromEntries(
        Object.entries(describedJob(t, was)).filter(([key]) => COMPARED.includes(key)),
      );
      const changed = firstMismatch(compared, is, t.knowledge.members, formatsOfJob(t));
      if (changed === undefined) return undefined;
      return violationOf('json-patch/not-atomic', operation, {
        subject,
        requirement: 'jobs.patch-atomic',
        message: isSuccess(status) ? `${operation.id}: a patch was accepted although its test fails` : undefined,
        ...textsOf(changed),
        exchanges: [before, refused, after],
      });
    },
  });
  const status = sent[1]?.response?.status ?? 0;
  const isRefused = status === 400 || status === 409 || status >= 500;
  if (isRefused || !isUnchanged) return;
  reportViolation(t, isSuccess(status) ? 'json-patch/served' : 'json-patch/status', operation, {
    subject,
    requirement: 'jobs.patch-bad-operation',
    expected: 'status 400 or 409',
    received: `status ${status}`,
    exchanges: sent,
  });
}
