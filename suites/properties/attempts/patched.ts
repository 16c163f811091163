import type { Exchange, Json, JsonObject, Operation } from '../../../spec/index.ts';
import { isObject, isSuccess } from '../../../spec/index.ts';
import type { Resource } from '../../../domain/resources.ts';
import type { TestContext } from '../../kit/context.ts';
import { differences } from '../../kit/compare.ts';
import type { Case } from '../hunt/case.ts';
import { exchangeFlaws } from '../hunt/flaw.ts';
import type { Flaw } from '../hunt/flaw.ts';
import { mismatches } from '../../kit/read-back.ts';
import { eventually } from './patience.ts';
import { sendCase } from './stage.ts';
import type { Stage } from './stage.ts';
import { sentJson } from './stored.ts';
import { patched } from '../../../domain/builtin/bodies/json-patch.ts';

/** What patches are tried with. */
export interface PatchBench {
  readonly resource: Resource;
  readonly operation: Operation;
  /** The job before each patch. */
  readonly job: JsonObject;
}

/** Members of a job that patches change. */
const COMPARED = ['name', 'description', 'prompt', 'metadata', 'allowedSkills', 'cronSchedule'];

/** Makes the job plain, patches it, and compares what it is then with what RFC 6902 makes of it. */
export async function tryPatch(
  t: TestContext,
  bench: PatchBench,
  value: Case,
  stage: Stage,
  patient: boolean,
): Promise<readonly Flaw[]> {
  const { resource, operation } = bench;
  const before = await plainJob(t, bench, stage, patient);
  if (before === undefined) return [];
  const exchange = await sendCase(t, operation, value, stage);
  const sent = sentJson(exchange);
  const wanted = sent === undefined || !Array.isArray(sent) ? undefined : patched(before.json, sent);
  const served = value.served === true && isObject(wanted);
  const flaws = exchangeFlaws(t.session, operation, exchange, served ? 'success' : 'any');
  const status = exchange.response?.status ?? 0;
  if (status === 0 || status >= 500 || sent === undefined || touchesAll(sent) || isLoose(sent)) return flaws;
  const steps = [before.exchange, exchange];
  if (isSuccess(status) && !isObject(wanted))
    return [
      ...flaws,
      ...(isWrong(bench, sent, before.json)
        ? [
            flawOf(
              operation,
              'served though it can not be applied',
              { expected: 'status 400 or 409', received: `status ${status}` },
              steps,
            ),
          ]
        : []),
    ];
  const goal = isSuccess(status) && isObject(wanted) ? wanted : before.json;
  const wrong = await eventually(t.session, patient, async () => {
    const after = await t.sendQuietly(requireRead(resource), {
      path: { [resource.idName]: stage.path[resource.idName] ?? '' },
      label: 'read it afterwards',
    });
    const json = after.response?.json;
    const odd = isObject(json) ? unlike(before.json, goal, json) : undefined;
    if (odd === undefined) return undefined;
    const kind = isSuccess(status) ? 'not what RFC 6902 says' : 'changed by a patch that was refused';
    return flawOf(
      operation,
      kind,
      { expected: `${odd.name}: ${odd.expected}`, received: `${odd.name}: ${odd.received}` },
      [...steps, after],
      isSuccess(status) ? 'jobs.patch-applies' : 'jobs.patch-atomic',
    );
  });
  return wrong === undefined ? flaws : [...flaws, wrong];
}

function requireRead({ read, create }: Resource): Operation {
  if (read === undefined) throw new Error(`${create.id} makes what can't be read`);
  return read;
}

/** What becomes of a job that is replaced as a whole is not told: its id and times are the deployment's. */
function touchesAll(patch: Json): boolean {
  return (
    Array.isArray(patch) && patch.some((each: Json) => isObject(each) && (each['path'] === '' || each['from'] === ''))
  );
}

/** The name of an operation in capitals is none; some deployments take it all the same. */
function isLoose(patch: Json): boolean {
  return (
    Array.isArray(patch) &&
    patch.some(
      (each: Json) => isObject(each) && typeof each['op'] === 'string' && each['op'] !== each['op'].toLowerCase(),
    )
  );
}

async function plainJob(
  t: TestContext,
  { resource, job }: PatchBench,
  stage: Stage,
  patient: boolean,
): Promise<{ exchange: Exchange; json: JsonObject } | undefined> {
  if (resource.replace === undefined) return undefined;
  const reset = await sendCase(
    t,
    resource.replace,
    {
      form: 0,
      request: { path: {}, query: {}, headers: {}, body: { type: 'application/json', value: job } },
      label: 'make it plain',
    },
    stage,
  );
  const wanted = sentJson(reset);
  let shown: { exchange: Exchange; json: JsonObject } | undefined;
  await eventually(t.session, patient, async () => {
    const exchange = await t.sendQuietly(requireRead(resource), {
      path: { [resource.idName]: stage.path[resource.idName] ?? '' },
      label: 'read it before',
    });
    const json = exchange.response?.json;
    shown = exchange.response?.status === 200 && isObject(json) ? { exchange, json } : undefined;
    return isObject(wanted) && isObject(json) && unlike(json, wanted, json) !== undefined ? 'not plain yet' : undefined;
  });
  return shown;
}

/** True where the patch can not be applied to the job, whether as it was sent or as it is shown, whatever is not shown. */
function isWrong({ job }: PatchBench, patch: Json, shown: JsonObject): boolean {
  return (
    patched({ ...job, ...shown }, patch) === undefined &&
    patched({ ...job, ...shown, description: '', prompt: '', cronSchedule: '' }, patch) === undefined &&
    Array.isArray(patch)
  );
}

/** The first member that is not as it should be; what was taken away may be shown as null or empty. */
function unlike(
  before: JsonObject,
  goal: JsonObject,
  after: JsonObject,
): { name: string; expected: string; received: string } | undefined {
  for (const name of COMPARED) {
    if (before[name] === undefined && after[name] === undefined) continue;
    const [wanted, found] = [goal[name] ?? null, after[name] ?? null];
    const nothing =
      wanted === null &&
      (found === '' || found === null || (typeof found === 'object' && Object.keys(found).length === 0));
    const odd = nothing
      ? undefined
      : ([...mismatches(wanted, found, new Set(), `/${name}`)][0]?.pointer ??
        (isObject(wanted) && isObject(found) ? differences(withoutNulls(wanted), withoutNulls(found))[0] : undefined) ??
        (wanted === null ? `/${name}` : undefined));
    if (odd !== undefined) return { name, expected: cut(goal[name]), received: cut(after[name]) };
  }
  return undefined;
}

/** An entry that is null may as well not be there. */
function withoutNulls(map: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(map).filter(([, value]) => value !== null));
}

function cut(value: Json | undefined): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 300);
}

function flawOf(
  operation: Operation,
  kind: string,
  { expected, received }: { expected: string; received: string },
  exchanges: readonly Exchange[],
  requirement = 'jobs.patch-bad-operation',
): Flaw {
  return {
    check: 'json-patch',
    operation,
    requirement,
    kind,
    message: `${operation.id}: ${kind}`,
    expected,
    received,
    exchanges,
    final: false,
  };
}
