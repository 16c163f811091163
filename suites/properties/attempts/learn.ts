import type { CaseArbitrary, GeneratedRequest } from '../../../generators/index.ts';
import { isObject } from '../../../spec/index.ts';
import type { Json, Operation } from '../../../spec/index.ts';
import type { Resource } from '../../session/resources.ts';
import type { Trial } from '../../session/trial.ts';
import { withBody } from '../hunt/case.ts';
import { tailOf } from './echo.ts';
import type { Silent } from './echo.ts';
import type { Lanes } from './lanes.ts';
import type { Stage } from './stage.ts';
import { tryCreate, tryReplace } from './stored.ts';

interface Learning {
  readonly operation: Operation;
  readonly arbitrary: CaseArbitrary<GeneratedRequest>;
  readonly base: GeneratedRequest;
  readonly resource: Resource;
  readonly stages: Lanes<Stage>;
}

/** Most members that are learned one after the other. */
const MOST = 40;

/** Which members the deployment does not give back as they were sent, told by plain values: those are no promise. */
export async function learnSilent(trial: Trial, learning: Learning): Promise<Silent> {
  const silent = new Set<string>();
  const plain = learning.base.body?.value;
  if (plain === undefined) return silent;
  const first = firsts(plain);
  for (const value of [first, otherwise(first, trial.session.allows('costly'))]) {
    const request = withBody(learning.base, value);
    if (learning.arbitrary.accepts(request)) await learnFrom(trial, learning, request, silent);
  }
  return silent;
}

async function learnFrom(trial: Trial, { operation, resource, stages }: Learning, request: GeneratedRequest, silent: Set<string>): Promise<void> {
  for (let round = 0; round < MOST; round += 1) {
    const store = { resource, silent };
    const value = { request, form: 0 };
    const { flaws } = await stages.use((stage) => (operation === resource.create ? tryCreate(trial, store, value, stage, round === 0) : tryReplace(trial, store, operation, value, stage, round === 0)));
    const stray = flaws.find((each) => each.instancePointer !== undefined && !each.final);
    if (flaws.length === 0 || round === MOST - 1) return;
    if (stray?.instancePointer === undefined) round += MOST / 4;
    else silent.add(tailOf(stray.instancePointer));
  }
}

/** Lists cut to their first item, so that what happens to the order of items is not taken for a habit. */
function firsts(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).slice(0, 1).map(firsts);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, firsts(member)]));
}

/** The same with other flags and numbers: what is always answered with a default is told from what is stored. */
function otherwise(value: Json, mayEnable: boolean): Json {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value === 1 ? 2 : 1;
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => otherwise(item, mayEnable));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, key === 'enabled' && !mayEnable ? member : otherwise(member, mayEnable)]));
}
