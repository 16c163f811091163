import type { GeneratedRequest } from '../../../generators/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { violationOf, rarely } from './violation.ts';
import { sizeOf } from './case.ts';
import type { Case } from './case.ts';
import { keyOf } from './flaw.ts';
import type { Flaw } from './flaw.ts';
import type { Failure, Hunt } from './hunt.ts';
import { toldOf } from './memory.ts';
import type { Told } from './memory.ts';
import { completed, essenceOf, isLeftOut, neutral, placesOf } from './places.ts';
import type { Place } from './places.ts';
import { shrink } from './shrink.ts';

/** Most findings of one sort that one property reports. */
const MOST_FINDINGS = 3;

/** How many failures that don't come again are looked at before they count as rare. */
const RARE_LOOKS = 8;

/** Most failures that are looked at again to see what explains them. */
const MOST_EXPLAINED = 24;

/** How often the simplest request is repeated: what serves it in between fails whatever the request. */
const REPEATS = 5;

/** A request that is odd in more places than these after shrinking explains nothing. */
const FEW_PLACES = 6;

/** Most places that are made plain one by one. */
const MOST_PLACES = 12;

export interface Means {
  readonly shrinks: boolean;
  readonly spent: () => boolean;
}

/** Failures of one defect or several that look alike. */
interface Group {
  readonly key: string;
  readonly failures: readonly Failure[];
  readonly means: Means;
}

/** Reports what the failures come down to: each defect once, with its simplest case. */
export async function conclude(t: TestContext, spec: Hunt, failures: readonly Failure[], means: Means): Promise<void> {
  const groups = new Map<string, Failure[]>();
  for (const each of failures) groups.set(keyOf(each.flaw), [...(groups.get(keyOf(each.flaw)) ?? []), each]);
  for (const [key, members] of groups) await concludeGroup(t, spec, { key, failures: members, means });
}

async function concludeGroup(t: TestContext, spec: Hunt, group: Group): Promise<void> {
  const { key, failures } = group;
  const again = await spec.again?.();
  const repeated = again?.flaws.find((each) => keyOf(each) === key);
  if (again !== undefined && repeated !== undefined) {
    t.report(violationOf(spec, repeated, { ...again.value, variant: 'the same request again' }, []));
    return;
  }
  const known = toldOf(t.session, key);
  let open: readonly Failure[] = [...failures].sort((a, b) => sizeOf(a.value) - sizeOf(b.value) || a.index - b.index);
  for (const told of known.filter((each) => each.rare !== true)) {
    const left: readonly Failure[] = await rest(spec, key, open, told);
    if (left.length < open.length) t.report(told.violation);
    open = left;
  }
  const unsteady = await tellOpen(t, spec, group, open, known);
  const rare = failures.find((each) => each.flaw.final && !isTimeout(each.flaw));
  if (!unsteady || rare === undefined) return;
  const violation = rarely(rare.flaw, failures.length);
  t.report(violation);
  known.push({ violation, places: [], rare: true });
}

/** Tells what is open, simplest first; answers true where nothing of it came again. */
async function tellOpen(
  t: TestContext,
  spec: Hunt,
  { key, means }: Group,
  failures: readonly Failure[],
  known: Told[],
): Promise<boolean> {
  let open = failures;
  let found = 0;
  let unsteady = 0;
  for (let [first] = open; first !== undefined && found < MOST_FINDINGS && unsteady < RARE_LOOKS; [first] = open) {
    open = open.slice(1);
    const flaw = await recurs(spec, key, first.value, true);
    const told =
      flaw === undefined
        ? undefined
        : await simplest(t, spec, { key, means }, await fromNew(spec, key, first.value), flaw);
    if (told === undefined) {
      unsteady += 1;
      continue;
    }
    found += 1;
    const same = known.find((each) =>
      each.rare === true
        ? told.rare === true || told.places.length === 0 || told.places.length > FEW_PLACES
        : told.essence !== undefined && each.essence === told.essence,
    );
    t.report((same ?? told).violation);
    known.push(told);
    open = means.spent() ? [] : await rest(spec, key, open, told);
  }
  return found === 0 && unsteady > 0;
}

/** What of the open failures the told one does not explain. */
async function rest(spec: Hunt, key: string, open: readonly Failure[], told: Told): Promise<readonly Failure[]> {
  const { naming } = spec;
  const { named } = told;
  if (naming === undefined || named === undefined) return unexplained(spec, key, open, told.places);
  const words = named.split(', ');
  return open.filter(({ value, flaw }) => !words.every((word) => naming(value, flaw.kind).split(', ').includes(word)));
}

/** A timeout that does not come again says that something was busy, no more. */
function isTimeout({ kind }: Flaw): boolean {
  return kind.includes('timeout');
}

async function recurs(spec: Hunt, key: string, value: Case, patient: boolean): Promise<Flaw | undefined> {
  return (await spec.attempt(value, patient)).find((each) => keyOf(each) === key);
}

/** The case without what the item was made to hold before, where it comes with a new one as well. */
async function fromNew(spec: Hunt, key: string, value: Case): Promise<Case> {
  const { after, ...rest } = value;
  return after === 'full' && (await recurs(spec, key, { ...rest, after: 'new' }, false)) !== undefined ? rest : value;
}

/** The simplest case of the same defect; undefined where it turns out not to come again. */
async function simplest(
  t: TestContext,
  spec: Hunt,
  { key, means }: Pick<Group, 'key' | 'means'>,
  start: Case,
  flaw: Flaw,
): Promise<Told | undefined> {
  const arbitrary =
    flaw.check === 'valid-request-served' || flaw.check === 'raw-accepted'
      ? (spec.promised ?? spec.arbitrary)
      : spec.arbitrary;
  let value = start;
  let shown: Flaw | undefined = flaw;
  if (means.shrinks && arbitrary !== undefined && start.rawBody === undefined) {
    const once = async (request: GeneratedRequest): Promise<boolean> =>
      (await recurs(spec, key, { ...start, request }, false)) !== undefined;
    const fails = async (request: GeneratedRequest): Promise<boolean> => (await once(request)) && once(request);
    const least = await shrink(arbitrary, start.request, fails, means.spent);
    value = { ...start, request: await plainer(t, spec, least, spec.simplest ?? arbitrary.simplest, fails) };
    shown = await recurs(spec, key, value, true);
  }
  if (shown === undefined) return undefined;
  const places = await matters(t, { ...spec, ...(arbitrary === undefined ? {} : { arbitrary }) }, key, value);
  if (
    means.shrinks &&
    shown.final &&
    !isTimeout(shown) &&
    (await comesAndGoes(spec, key, value, spec.simplest ?? arbitrary?.simplest))
  )
    return { violation: rarely(shown), places, rare: true };
  const essence = essenceOf(value.request, places);
  return {
    ...(essence === undefined ? {} : { essence }),
    violation: violationOf(spec, shown, value, places),
    places,
    ...(spec.naming === undefined ? {} : { named: spec.naming(value, shown.kind) }),
  };
}

/** True where the very same request is well in between, or the plainest one is not well now and then either. */
async function comesAndGoes(
  spec: Hunt,
  key: string,
  value: Case,
  plain: GeneratedRequest | undefined,
): Promise<boolean> {
  const isPlain = plain === undefined || JSON.stringify(plain) === JSON.stringify(value.request);
  for (let time = 0; time < REPEATS; time += 1) {
    if ((await recurs(spec, key, value, false)) === undefined) return true;
    if (!isPlain && (await recurs(spec, key, { request: plain, form: value.form }, false)) !== undefined) return true;
  }
  return false;
}

/** The request with everything as in the simplest one that need not be otherwise. */
async function plainer(
  t: TestContext,
  spec: Hunt,
  start: GeneratedRequest,
  plain: GeneratedRequest,
  fails: (request: GeneratedRequest) => Promise<boolean>,
): Promise<GeneratedRequest> {
  let request = start;
  for (const place of placesOf(t.session.contract, spec.operation, start, plain).slice(0, MOST_PLACES)) {
    const candidate = neutral(request, plain, [place]);
    if (JSON.stringify(candidate) !== JSON.stringify(request) && (await fails(candidate))) request = candidate;
  }
  return request;
}

/** Where the case differs from the simplest request, without what it merely lacks. */
async function matters(t: TestContext, spec: Hunt, key: string, value: Case): Promise<readonly Place[]> {
  const plain = spec.simplest ?? spec.arbitrary?.simplest;
  if (plain === undefined) return [];
  const places = placesOf(t.session.contract, spec.operation, value.request, plain);
  if (!places.some((each) => isLeftOut(value.request, each))) return places;
  const whole = await recurs(spec, key, { ...value, request: completed(value.request, plain) }, false);
  return whole === undefined ? places : places.filter((each) => !isLeftOut(value.request, each));
}

/** Failures that the places don't explain: without what is odd there they fail all the same. */
async function unexplained(
  spec: Hunt,
  key: string,
  open: readonly Failure[],
  places: readonly Place[],
): Promise<readonly Failure[]> {
  const plain = spec.simplest ?? spec.arbitrary?.simplest;
  if (plain === undefined || places.length === 0) return [];
  const left: Failure[] = [];
  for (const each of open.slice(0, MOST_EXPLAINED)) {
    const request = neutral(each.value.request, plain, places);
    const value = { ...each.value, request };
    const changed = JSON.stringify(request) !== JSON.stringify(plain);
    if (changed && (await recurs(spec, key, value, false)) !== undefined) left.push({ ...each, value });
  }
  return left;
}
