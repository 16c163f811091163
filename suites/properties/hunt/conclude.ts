import type { GeneratedRequest } from '../../../generators/index.ts';
import type { LawBreach, Trial } from '../../session/trial.ts';
import { encodeCase, sizeOf } from './case.ts';
import type { Case } from './case.ts';
import { keyOf } from './flaw.ts';
import type { Flaw } from './flaw.ts';
import type { Failure, Hunt } from './hunt.ts';
import { namesOf, neutral, placesOf, tell } from './places.ts';
import type { Place } from './places.ts';
import { shrink } from './shrink.ts';

/** Most findings of one sort that one property reports. */
const MOST_FINDINGS = 3;

/** How many failures that don't come again are looked at before they count as rare. */
const RARE_LOOKS = 3;

interface Means {
  readonly shrinks: boolean;
  readonly spent: () => boolean;
}

/** Reports what the failures come down to: each defect once, with its simplest case. */
export async function conclude(trial: Trial, spec: Hunt, failures: readonly Failure[], means: Means): Promise<void> {
  for (const [key, group] of grouped(failures)) await concludeGroup(trial, spec, { key, group, means });
}

function grouped(failures: readonly Failure[]): Map<string, Failure[]> {
  const groups = new Map<string, Failure[]>();
  for (const each of failures) groups.set(keyOf(each.flaw), [...(groups.get(keyOf(each.flaw)) ?? []), each]);
  return groups;
}

interface Group {
  readonly key: string;
  readonly group: readonly Failure[];
  readonly means: Means;
}

async function concludeGroup(trial: Trial, spec: Hunt, { key, group, means }: Group): Promise<void> {
  let open = [...group].sort((a, b) => sizeOf(a.value) - sizeOf(b.value) || a.index - b.index);
  let found = 0;
  let unsteady = 0;
  for (let [first] = open; first !== undefined && found < MOST_FINDINGS && unsteady < RARE_LOOKS; [first] = open) {
    open = open.slice(1);
    const again = await recurs(spec, key, first.value, true);
    const told = again === undefined ? undefined : await simplest(trial, spec, { key, means }, first.value, again);
    if (told === undefined) {
      unsteady += 1;
      continue;
    }
    found += 1;
    trial.report(told.breach);
    open = means.spent() ? [] : await others(spec, key, open, told.places);
  }
  const rare = group.find((each) => each.flaw.final && !isTimeout(each.flaw));
  if (found === 0 && rare !== undefined) trial.report(rarely(rare.flaw, group.length));
}

/** A timeout that does not come again says that something was busy, no more. */
function isTimeout({ kind }: Flaw): boolean {
  return kind.includes('timeout');
}

async function recurs(spec: Hunt, key: string, value: Case, patient: boolean): Promise<Flaw | undefined> {
  return (await spec.attempt(value, patient)).find((each) => keyOf(each) === key);
}

/** The simplest case of the same defect; undefined where it turns out not to come again. */
async function simplest(trial: Trial, spec: Hunt, { key, means }: Pick<Group, 'key' | 'means'>, start: Case, flaw: Flaw): Promise<{ breach: LawBreach; places: readonly Place[] } | undefined> {
  const { arbitrary } = spec;
  let value = start;
  let shown: Flaw | undefined = flaw;
  if (means.shrinks && arbitrary !== undefined && start.rawBody === undefined) {
    const fails = async (request: GeneratedRequest): Promise<boolean> => (await recurs(spec, key, { ...start, request }, false)) !== undefined;
    value = { ...start, request: await shrink(arbitrary, start.request, fails, means.spent) };
    shown = await recurs(spec, key, value, true);
  }
  const plain = spec.simplest ?? arbitrary?.simplest;
  const places = plain === undefined ? [] : placesOf(trial.session.contract, spec.operation, value.request, plain);
  return shown === undefined ? undefined : { breach: breachOf(spec, shown, value, places), places };
}

function breachOf(spec: Hunt, flaw: Flaw, value: Case, places: readonly Place[]): LawBreach {
  const { kind, final: _final, message, ...rest } = flaw;
  const names = namesOf(places).filter((name) => !kind.endsWith(` ${name.slice(1)}`));
  const matters = value.rawBody === undefined && spec.arbitrary !== undefined && places.length > 0;
  const about = [value.label, matters ? tell(value.request, places) : undefined].filter((each) => each !== undefined && each !== '');
  const suffix = [value.variant, ...(matters ? names : [])].filter((each) => each !== undefined && each !== '');
  return {
    ...rest,
    cause: suffix.length === 0 ? kind : `${kind} with ${suffix.join(' and ')}`,
    message: about.length === 0 ? message : `${message}: ${about.slice(-1).join('')}`,
    path: encodeCase(value),
  };
}

function rarely({ kind, message, final: _final, ...rest }: Flaw, times: number): LawBreach {
  return { ...rest, cause: `${kind} now and then`, message: `${message}, now and then: ${times === 1 ? 'once' : `${times} times`}, and not when the same request was repeated` };
}

/** Failures that the places don't explain: without what is odd there they fail all the same. */
async function others(spec: Hunt, key: string, open: readonly Failure[], places: readonly Place[]): Promise<Failure[]> {
  const plain = spec.simplest ?? spec.arbitrary?.simplest;
  if (plain === undefined || places.length === 0) return [];
  const left: Failure[] = [];
  const looked = await Promise.all(open.slice(0, 40).map(async (each) => {
    const request = neutral(each.value.request, plain, places);
    const value = { ...each.value, request };
    const changed = JSON.stringify(request) !== JSON.stringify(plain);
    return changed && (await recurs(spec, key, value, false)) !== undefined ? { ...each, value } : undefined;
  }));
  for (const each of looked) if (each !== undefined) left.push(each);
  return left;
}
