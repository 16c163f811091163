import { isObject, isSuccess } from '../../../spec/index.ts';
import type { Json, JsonObject, Operation } from '../../../spec/index.ts';
import type { Resource } from '../../session/resources.ts';
import type { Trial } from '../../session/trial.ts';
import { withBody } from '../hunt/case.ts';
import type { Case } from '../hunt/case.ts';
import type { Flaw } from '../hunt/flaw.ts';
import type { Bench } from './bench.ts';
import { eventually } from './patience.ts';
import { sendCase } from './stage.ts';

const KEYS = ['assay-other', 'assay-more'] as const;

/** The plain body with other entries in each of its maps. */
export function* otherEntries({ base }: Bench): Iterable<Case> {
  const body = base.body?.value;
  if (!isObject(body)) return;
  let form = 0;
  for (const [name, value] of Object.entries(body)) {
    if (!isObject(value) || Object.keys(value).length === 0 || !Object.keys(value).every((key) => key.startsWith('assay-'))) continue;
    for (const keys of [KEYS.slice(0, 1), KEYS]) yield { form: form++, request: withBody(base, { ...body, [name]: Object.fromEntries(keys.map((key) => [key, 'x'])) }) };
  }
}

/** Updates an item by the plain body, then by the case's: entries that only the first one had are gone. */
export function tryMerged(trial: Trial, bench: Bench, resource: Resource, value: Case, patient: boolean): Promise<readonly Flaw[]> {
  const { read, idName } = resource;
  return bench.stages.use(async (stage) => {
    const plain = await sendCase(trial, bench.operation, { ...value, request: bench.base, label: 'update it with other entries' }, stage);
    const exchange = await sendCase(trial, bench.operation, value, stage);
    if (read === undefined || !isSuccess(plain.response?.status ?? 0) || !isSuccess(exchange.response?.status ?? 0)) return [];
    const [before, sent] = [bench.base.body?.value, value.request.body?.value];
    const wrong = await eventually(trial.session, patient, async () => {
      const after = await trial.sendQuietly(read, { path: { [idName]: stage.path[idName] ?? '' }, label: 'read it back' });
      const left = leftBehind(before, sent, after.response?.json);
      return left === undefined ? undefined : flawOf(bench.operation, left, [plain, exchange, after]);
    });
    return wrong === undefined ? [] : [wrong];
  });
}

interface Left {
  readonly name: string;
  readonly key: string;
  readonly entries: JsonObject;
}

function leftBehind(before: Json | undefined, sent: Json | undefined, read: Json | undefined): Left | undefined {
  if (!isObject(before) || !isObject(sent) || !isObject(read)) return undefined;
  for (const [name, entries] of Object.entries(sent)) {
    const [old, found] = [before[name], read[name]];
    if (!isObject(entries) || !isObject(old) || !isObject(found)) continue;
    const key = Object.keys(old).find((each) => !Object.hasOwn(entries, each) && Object.hasOwn(found, each));
    if (key !== undefined) return { name, key, entries: found };
  }
  return undefined;
}

function flawOf(operation: Operation, { name, key, entries }: Left, exchanges: Flaw['exchanges']): Flaw {
  return {
    check: 'updated-reads-back', operation, kind: `entries of ${name} outlive an update`, message: `${operation.id} keeps entries of ${name} that the update leaves out`,
    expected: `no ${key} in ${name}, as it was sent`, received: JSON.stringify(entries).slice(0, 200), exchanges, final: false,
  };
}
