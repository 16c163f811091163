import jsonpatch from 'fast-json-patch';
import type { Operation as PatchOperation } from 'fast-json-patch';
import type { Exchange, Form, Json, JsonObject, Operation } from '../../spec/index.ts';
import { isObject, isSuccess } from '../../spec/index.ts';
import type { Made } from '../../domain/create.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import type { Violation, TestContext } from '../kit/context.ts';
import { firstMismatch } from '../kit/read-back.ts';
import { freshJob } from '../../domain/builtin/make.ts';
import { OPERATIONS, operationOf } from '../../domain/builtin/operations.ts';
import { valuesOf } from '../../domain/items.ts';

const session = await openSession();
const patching = session.contract.operation(OPERATIONS.patchJob);

/** Stands for a skill of the deployment's that the job does not have yet. */
const NEW_SKILL = 'a new skill';

/** Patches that a job of this run's own bears, each for one thing that RFC 6902 says. */
const FITTING: Readonly<Record<string, readonly PatchOperation[]>> = {
  'replace a text': [{ op: 'replace', path: '/description', value: 'patched' }],
  'add over a member that is there': [{ op: 'add', path: '/prompt', value: 'added over' }],
  'remove a text': [{ op: 'remove', path: '/description' }],
  'test that holds, then replace': [
    { op: 'test', path: '/description', value: 'as created' },
    { op: 'replace', path: '/description', value: 'tested' },
  ],
  'several, in their order': [
    { op: 'replace', path: '/description', value: 'first' },
    { op: 'replace', path: '/description', value: 'second' },
    { op: 'replace', path: '/prompt', value: 'third' },
  ],
  copy: [{ op: 'copy', from: '/description', path: '/prompt' }],
  move: [{ op: 'move', from: '/description', path: '/prompt' }],
  'append to an array': [{ op: 'add', path: '/allowedSkills/-', value: NEW_SKILL }],
  'insert into an array': [{ op: 'add', path: '/allowedSkills/0', value: NEW_SKILL }],
  'remove from an array': [{ op: 'remove', path: '/allowedSkills/0' }],
  'replace in an array': [{ op: 'replace', path: '/allowedSkills/1', value: NEW_SKILL }],
  'move within an array': [{ op: 'move', from: '/allowedSkills/0', path: '/allowedSkills/1' }],
  'a nested member': [{ op: 'replace', path: '/dataSources/0/name', value: 'patched source' }],
  'add to a map': [{ op: 'add', path: '/metadata/assay-new', value: 'new' }],
  'replace in a map': [{ op: 'replace', path: '/metadata/assay-kept', value: 'changed' }],
  'remove from a map': [{ op: 'remove', path: '/metadata/assay-kept' }],
  'an escaped slash': [{ op: 'replace', path: '/metadata/assay~1slash', value: 'slashed' }],
  'an escaped tilde': [{ op: 'replace', path: '/metadata/assay~0tilde', value: 'tilded' }],
  null: [{ op: 'replace', path: '/description', value: null }],
  'no operations': [],
};

/** Patches that can't be applied; each must be refused with 400 or 409 and change nothing. */
const FAILING: Readonly<Record<string, readonly unknown[]>> = {
  'a test that fails': [{ op: 'test', path: '/description', value: 'something else' }],
  'a change, then a test that fails': [
    { op: 'replace', path: '/description', value: 'half' },
    { op: 'test', path: '/prompt', value: 'something else' },
  ],
  'a change, then removing what is not there': [
    { op: 'replace', path: '/description', value: 'half' },
    { op: 'remove', path: '/metadata/assay-not-there' },
  ],
  'an operation that does not exist': [{ op: 'assay', path: '/description', value: 'half' }],
  'a path outside an array': [
    { op: 'replace', path: '/description', value: 'half' },
    { op: 'add', path: '/allowedSkills/99', value: 'far' },
  ],
  'copy from what is not there': [
    { op: 'replace', path: '/description', value: 'half' },
    { op: 'copy', from: '/metadata/assay-not-there', path: '/prompt' },
  ],
};

/** Members of the job that the patches work on, besides its skills. */
const MEMBERS: JsonObject = { description: 'as created', prompt: 'as asked' };

/** Members that are compared afterwards. */
const COMPARED = [...Object.keys(MEMBERS), 'allowedSkills', 'metadata', 'dataSources', 'name'];

for (const form of patching?.forms ?? []) {
  const base = {
    suite: 'state/json-patch',
    form,
    effects: ['read', 'reversible'] as const,
    ...(patching === undefined ? {} : { operation: patching }),
  };
  for (const [title, patch] of Object.entries(FITTING)) {
    defineTest(
      session,
      {
        ...base,
        title: `${title} does what RFC 6902 says`,
        checks: ['json-patch'],
        requirements: ['jobs.patch-applies'],
      },
      async (t) => {
        await fitting(t, form, title, patch);
      },
    );
  }
  for (const [title, patch] of Object.entries(FAILING)) {
    defineTest(
      session,
      {
        ...base,
        title: `${title} is refused and changes nothing`,
        checks: ['json-patch', 'refused-changes-nothing'],
        requirements: ['jobs.patch-atomic', 'jobs.patch-bad-operation', 'errors.conflict'],
      },
      async (t) => {
        await failing(t, form, title, patch);
      },
    );
  }
}

interface Patched {
  readonly job: Made;
  readonly before: JsonObject;
  readonly read: Exchange;
}

async function jobToPatch(t: TestContext, form: Form): Promise<Patched> {
  const [first, second] = await skills(t);
  const allowedSkills = [first, second].filter((each) => each !== undefined);
  const job = await freshJob(t, 'patch', {
    ...MEMBERS,
    allowedSkills,
    metadata: { 'assay-kept': 'kept', 'assay/slash': 'slash', 'assay~tilde': 'tilde' },
  });
  const read = await readJob(t, job, form, 'read it before');
  const before = read.response?.json;
  return isObject(before) ? { job, before, read } : t.skip('the job can not be read before it is patched');
}

/** Names of skills that the deployment has: it may refuse others. */
function skills(t: TestContext): Promise<readonly string[]> {
  return t.session.once('skills', async () => {
    const listed = await t.send(operationOf(t.session, 'skills'));
    return valuesOf(listed.response?.json, 'name').filter((each): each is string => typeof each === 'string');
  });
}

function readJob(t: TestContext, job: Made, form: Form, label: string): Promise<Exchange> {
  return t.send(operationOf(t.session, 'readJob'), { form, path: { id: job.id }, expect: 'success', label });
}

/** What the patch makes of the job as it was read; undefined where the job as it is shown does not bear the patch. */
function applied(before: JsonObject, patch: readonly PatchOperation[]): JsonObject | undefined {
  try {
    const { newDocument } = jsonpatch.applyPatch(structuredClone(before), structuredClone([...patch]), true, false);
    return newDocument;
  } catch {
    return undefined;
  }
}

async function fitting(t: TestContext, form: Form, title: string, template: readonly PatchOperation[]): Promise<void> {
  const [first, second, third] = await skills(t);
  const onSkills = template.some((each) => each.path.startsWith('/allowedSkills'));
  if (onSkills && (first === undefined || second === undefined || third === undefined))
    t.skip('the deployment has fewer than three skills');
  const patch = template.map((each) =>
    'value' in each && each.value === NEW_SKILL ? { ...each, value: third } : each,
  );
  const operation = operationOf(t.session, 'patchJob');
  const { job, before, read } = await jobToPatch(t, form);
  const wanted = applied(before, patch);
  if (wanted === undefined) t.skip('the deployment does not show the members that this patch works on');
  const patched = await t.send(operation, {
    form,
    path: { id: job.id },
    json: patch as unknown as Json,
    expect: 'success',
    label: title,
  });
  if (!isSuccess(patched.response?.status ?? 0)) return;
  const answered = patched.response?.json;
  const inAnswer = isObject(answered) ? differing(before, wanted, answered) : undefined;
  if (inAnswer !== undefined)
    t.report(wrong(operation, title, `the answer shows another ${inAnswer.name}`, inAnswer, [read, patched]));
  await t.holds(async () => {
    const after = await readJob(t, job, form, 'read it afterwards');
    const json = after.response?.json;
    const missing = isObject(json) ? differing(before, wanted, json) : undefined;
    return missing === undefined
      ? undefined
      : wrong(operation, title, `another ${missing.name} afterwards`, missing, [read, patched, after]);
  });
}

/** What is not as it should be: changed members must be as wanted, the others as they were. A removed text may be shown as null. */
function differing(before: JsonObject, wanted: JsonObject, after: JsonObject): ReturnType<typeof firstMismatch> {
  const compared = Object.fromEntries(COMPARED.map((key) => [key, wanted[key] ?? null]));
  const cleared = Object.keys(compared).find(
    (key) => (compared[key] ?? null) === null && (before[key] ?? null) !== null && !isEmpty(after[key]),
  );
  if (cleared !== undefined)
    return { name: cleared, expected: 'null or absent', received: JSON.stringify(after[cleared]) };
  const extra = extraKeys(wanted['metadata'], after['metadata']);
  if (extra !== undefined)
    return { name: 'metadata', expected: `no ${extra}`, received: JSON.stringify(after['metadata']) };
  return firstMismatch(compared, after);
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '';
}

function extraKeys(wanted: Json | undefined, after: Json | undefined): string | undefined {
  return isObject(wanted) && isObject(after) ? Object.keys(after).find((key) => wanted[key] === undefined) : undefined;
}

async function failing(t: TestContext, form: Form, title: string, patch: readonly unknown[]): Promise<void> {
  const operation = operationOf(t.session, 'patchJob');
  const { job, before, read } = await jobToPatch(t, form);
  const refused = await t.send(operation, { form, path: { id: job.id }, json: patch as Json, label: title });
  const status = refused.response?.status ?? 0;
  if (status !== 400 && status !== 409 && status < 500) {
    t.report({
      ...wrong(
        operation,
        title,
        isSuccess(status) ? 'served' : `status ${status}`,
        { expected: 'status 400 or 409', received: `status ${status}` },
        [read, refused],
      ),
      requirement: 'jobs.patch-bad-operation',
    });
    return;
  }
  await t.holds(async () => {
    const after = await readJob(t, job, form, 'read it afterwards');
    const json = after.response?.json;
    const changed = isObject(json) ? firstMismatch(before, json) : undefined;
    return changed === undefined
      ? undefined
      : {
          ...wrong(operation, title, `${changed.name} changed by a patch that was refused`, changed, [
            read,
            refused,
            after,
          ]),
          requirement: 'jobs.patch-atomic',
        };
  });
}

function wrong(
  operation: Operation,
  title: string,
  cause: string,
  { expected, received }: { expected: string; received: string },
  exchanges: readonly Exchange[],
): Violation {
  return {
    check: 'json-patch',
    requirement: 'jobs.patch-applies',
    operation,
    cause: `${title}: ${cause}`,
    message: `${operation.id}: ${title}: ${cause}`,
    expected,
    received,
    exchanges,
  };
}
