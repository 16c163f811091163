import { asyncProperty, check, limitShrink } from 'fast-check';
import type { GeneratedRequest } from '../../generators/index.ts';
import { groupBy } from '../../spec/group-by.ts';
import { checkOf } from '../../spec/index.ts';
import type { TestContext } from '../kit/context.ts';
import { triageLimit } from './triage-limit.ts';
import { CaseArbitrary, firstReduced, sizeOf } from './case.ts';
import type { Case, RequestShrinker } from './case.ts';
import { defectsIn, isSameDefect } from './defects.ts';
import type { ReportedDefect } from './defects.ts';
import { commonText, completed, isLeftOut, neutral, placesOf } from './places.ts';
import type { Place } from './places.ts';
import type { Property } from './run-property.ts';
import { intermittentViolation, caseKey, mayBeLate, reportedViolation } from './violation.ts';
import type { CaseViolation } from './violation.ts';

/** A case and one violation that it showed. */
export interface FailedCase {
  readonly value: Case;
  readonly violation: CaseViolation;
}

/** Most findings that one property reports with the same code and subject. */
const MOST_FINDINGS = 3;

/** Number of failures that do not recur after which the violation counts as intermittent. */
const MOST_UNSTEADY = 8;

/** Most failures that are tested again to see whether a known defect explains them. */
const MOST_EXPLAINED = 24;

/** Most candidates of one shrinking. */
const MOST_SHRINKS = 500;

/** How often the simplest request is repeated: where it sometimes succeeds, the request is not the cause. */
const REPEATS = 5;

/** Most places that are replaced by plain values, one by one. */
const MOST_PLACES = 12;

/** What is known of the failures with one code and subject. */
interface Group {
  found: number;
  /** Failures that did not recur. */
  unsteady: number;
  failures: number;
  explained: number;
  /** True: further failures are ignored. */
  isClosed: boolean;
  first?: CaseViolation;
}

/** Finds the root causes of the failures of a property, that is, which member or parameter matters, and reports each defect once. */
export class Triage {
  readonly #t: TestContext;
  readonly #property: Property;
  readonly #shrinks: boolean;
  readonly #groups = new Map<string, Group>();
  #isOver: (() => boolean) | undefined;

  constructor(t: TestContext, property: Property, shrinks: boolean) {
    this.#t = t;
    this.#property = property;
    this.#shrinks = shrinks;
  }

  /** The violations of a case that no known defect explains. */
  async unexplained(value: Case, violations: readonly CaseViolation[]): Promise<readonly FailedCase[]> {
    const failures: FailedCase[] = [];
    for (const violation of violations) {
      const failure = await this.#withoutKnown({ value: violation.shownBy ?? value, violation });
      if (failure !== undefined) failures.push(failure);
    }
    return failures;
  }

  /** Finds the root causes of new failures and reports them; those of each code and subject one after another. */
  async add(failures: readonly FailedCase[]): Promise<void> {
    this.#isOver ??= triageLimit(this.#t.session);
    const bySize = failures.toSorted((a, b) => sizeOf(a.value) - sizeOf(b.value));
    const groups = groupBy(bySize, ({ violation }) => caseKey(violation));
    await Promise.all([...groups.values()].map((alike) => this.#addAlike(alike)));
  }

  async #addAlike(failures: readonly FailedCase[]): Promise<void> {
    for (const failure of failures) {
      const { violation } = failure;
      const group = this.#groupOf(violation);
      group.first ??= violation;
      if (group.failures === 0) await this.#testRepeating(violation, group);
      group.failures += 1;
      const open = group.found === 0 ? failure : await this.#withoutKnown(failure);
      if (!group.isClosed && open !== undefined) await this.#explain(open, group);
    }
  }

  /**
   * Reports violations of which no failure recurred. Not reported are timeouts, which only mean that the target was busy, and mismatches
   * with a published schema, which come from unusual items of other tests of this run.
   */
  reportIntermittent(): void {
    for (const [key, { found, unsteady, failures, first }] of this.#groups) {
      if (found > 0 || unsteady === 0 || first === undefined || first.isFinal !== true || isTimeout(first)) continue;
      if (first.grade === 'published') continue;
      const known = defectsIn(this.#t.session, key);
      const defect = { violation: intermittentViolation(first, failures), places: [], isIntermittent: true };
      this.#t.report((known.find((each) => isSameDefect(each, defect)) ?? defect).violation);
      known.push(defect);
    }
  }

  #groupOf(violation: CaseViolation): Group {
    const key = caseKey(violation);
    const group = this.#groups.get(key) ?? { found: 0, unsteady: 0, failures: 0, explained: 0, isClosed: false };
    this.#groups.set(key, group);
    return group;
  }

  /** The failure without the parts that known defects explain; undefined where nothing remains. */
  async #withoutKnown(failure: FailedCase): Promise<FailedCase | undefined> {
    const group = this.#groupOf(failure.violation);
    let left: FailedCase | undefined = failure;
    for (const defect of defectsIn(this.#t.session, caseKey(failure.violation))) {
      if (group.isClosed || defect.isIntermittent === true) continue;
      left = await this.#unlessExplained(left, defect, group);
      if (left !== undefined) continue;
      this.#t.report(defect.violation);
      return undefined;
    }
    return group.isClosed ? undefined : left;
  }

  /** Tests the case with plain values at the places of the defect: where it still fails, there is another defect. */
  async #unlessExplained(failure: FailedCase, defect: ReportedDefect, group: Group): Promise<FailedCase | undefined> {
    const { value, violation } = failure;
    if (this.#property.aspects !== undefined && defect.aspects !== undefined) {
      const aspects = this.#property.aspects(value, violation);
      return defect.aspects.every((each) => aspects.includes(each)) ? undefined : failure;
    }
    const plain = this.#plain();
    if (plain === undefined || defect.places.length === 0 || this.#isOver?.() === true) return undefined;
    group.explained += 1;
    if (group.explained > MOST_EXPLAINED) return undefined;
    const request = neutral(value.request, plain, defect.places);
    if (JSON.stringify(request) === JSON.stringify(plain)) return undefined;
    const other = { ...value, request };
    return (await this.#recurs(caseKey(violation), other)) === undefined ? undefined : { value: other, violation };
  }

  /** Where a plain request fails when it is sent a second time, the repetition is the cause. */
  async #testRepeating(violation: CaseViolation, group: Group): Promise<void> {
    const repeated = await this.#property.repeat?.();
    const same = repeated?.violations.find((each) => caseKey(each) === caseKey(violation));
    if (repeated === undefined || same === undefined) return;
    const reported = reportedViolation(this.#property, same, { ...repeated.value, variant: 'repeated' }, []);
    this.#t.report(reported);
    defectsIn(this.#t.session, caseKey(violation)).push({ violation: reported, places: [], isIntermittent: true });
    group.found += 1;
    group.isClosed = true;
  }

  async #explain({ value, violation }: FailedCase, group: Group): Promise<void> {
    const key = caseKey(violation);
    const shown = await this.#recurs(key, value, mayBeLate(violation));
    const defect = shown === undefined ? undefined : await this.#rootCause(key, await this.#fromNew(key, value), shown);
    if (defect === undefined) {
      group.unsteady += 1;
      group.isClosed = group.unsteady >= MOST_UNSTEADY;
      return;
    }
    group.found += 1;
    group.isClosed = group.found >= MOST_FINDINGS || this.#isOver?.() === true;
    const known = defectsIn(this.#t.session, key);
    this.#t.report((known.find((each) => isSameDefect(each, defect)) ?? defect).violation);
    known.push(defect);
  }

  /** Tests the case; returns the violation with this key, if it occurs. */
  async #recurs(key: string, value: Case, patient = false): Promise<CaseViolation | undefined> {
    return (await this.#property.test(value, patient)).find((each) => caseKey(each) === key);
  }

  /** The case with a new item, where it shows the violation without an earlier update. */
  async #fromNew(key: string, value: Case): Promise<Case> {
    const other: Case = { ...value, after: 'new' };
    return value.after === 'full' && (await this.#recurs(key, other)) !== undefined ? other : value;
  }

  /** The defect with its simplest case; undefined where it does not recur after all. */
  async #rootCause(key: string, start: Case, violation: CaseViolation): Promise<ReportedDefect | undefined> {
    const shrinker = this.#shrinkerFor(violation);
    const isShrunk =
      this.#shrinks && (shrinker !== undefined || violation.isFinal === true) && start.rawBody === undefined;
    const value = isShrunk ? await this.#simplest(key, start, shrinker) : start;
    const shown = isShrunk ? await this.#recurs(key, value, mayBeLate(violation)) : violation;
    if (shown === undefined) return undefined;
    const places = await this.#placesThatMatter(key, value, shrinker);
    const isSteady = !this.#shrinks || shown.isFinal !== true || isTimeout(shown);
    if (!isSteady && (await this.#isIntermittent(key, value, this.#plain(shrinker))))
      return { violation: intermittentViolation(shown), places, isIntermittent: true };
    return {
      violation: reportedViolation(this.#property, shown, value, places),
      places,
      text: commonText(value.request, places),
      aspects: this.#property.aspects?.(value, shown),
    };
  }

  #shrinkerFor({ code }: CaseViolation): RequestShrinker | undefined {
    const { shrinker, servedShrinker } = this.#property;
    const isRefusal = checkOf(code) === 'valid-request-served' || checkOf(code) === 'raw-accepted';
    return isRefusal ? (servedShrinker ?? shrinker) : shrinker;
  }

  #plain(shrinker = this.#property.shrinker): GeneratedRequest | undefined {
    return this.#property.plain ?? shrinker?.simplest;
  }

  /**
   * The plain request where that fails too; else lets fast-check shrink the case, with candidates that are tested ahead, if there is a
   * shrinker. Only a case that shows the violation twice counts as failing.
   */
  async #simplest(key: string, start: Case, shrinker: RequestShrinker | undefined): Promise<Case> {
    const failsTwice = async (candidate: Case): Promise<boolean> =>
      (await this.#recurs(key, candidate)) !== undefined && (await this.#recurs(key, candidate)) !== undefined;
    const plain = this.#plain(shrinker);
    const plainest = plain === undefined ? undefined : { ...start, request: plain };
    if (plainest !== undefined && (await failsTwice(plainest))) return plainest;
    if (shrinker === undefined) return start;
    const isOver = (): boolean => this.#isOver?.() === true;
    if (isOver()) return firstReduced(shrinker, start, failsTwice);
    const fails = async (candidate: Case): Promise<boolean> => !isOver() && (await failsTwice(candidate));
    const outcomes = new Map([[start, Promise.resolve(true)]]);
    const outcomeOf = (candidate: Case): Promise<boolean> => {
      const outcome = outcomes.get(candidate) ?? fails(candidate);
      outcomes.set(candidate, outcome);
      return outcome;
    };
    const announce = (candidate: Case): void => {
      outcomeOf(candidate).catch(() => undefined);
    };
    const cases = limitShrink(new CaseArbitrary(undefined, shrinker, announce, isOver), MOST_SHRINKS);
    const passes = async (candidate: Case): Promise<boolean> => !(await outcomeOf(candidate));
    const { counterexample, errorInstance } = await check(asyncProperty(cases, passes), {
      numRuns: 1,
      examples: [[start]],
    });
    await Promise.allSettled(outcomes.values());
    const least = counterexample?.[0];
    if (least === undefined) throw errorInstance;
    return this.#withPlainValues(least, fails, plain);
  }

  /** The case with plain values for every member and parameter that does not matter. */
  async #withPlainValues(
    start: Case,
    fails: (value: Case) => Promise<boolean>,
    plain: GeneratedRequest | undefined,
  ): Promise<Case> {
    if (plain === undefined) return start;
    let value = start;
    const places = placesOf(this.#t.contract, this.#property.operation, start.request, plain);
    for (const place of places.slice(0, MOST_PLACES)) {
      const candidate = { ...value, request: neutral(value.request, plain, [place]) };
      if (JSON.stringify(candidate) !== JSON.stringify(value) && (await fails(candidate))) value = candidate;
    }
    return value;
  }

  /** The places at which the case differs from the plain request; missing members only where they matter. */
  async #placesThatMatter(key: string, value: Case, shrinker?: RequestShrinker): Promise<readonly Place[]> {
    const plain = this.#plain(shrinker);
    if (plain === undefined) return [];
    const places = placesOf(this.#t.contract, this.#property.operation, value.request, plain);
    if (!places.some((each) => isLeftOut(value.request, each))) return places;
    const whole = await this.#recurs(key, { ...value, request: completed(value.request, plain) });
    return whole === undefined ? places : places.filter((each) => !isLeftOut(value.request, each));
  }

  /** True where the same request sometimes succeeds, or the plain one sometimes fails. */
  async #isIntermittent(key: string, value: Case, plain: GeneratedRequest | undefined): Promise<boolean> {
    const isPlain = plain === undefined || JSON.stringify(plain) === JSON.stringify(value.request);
    for (let time = 0; time < REPEATS; time += 1) {
      if ((await this.#recurs(key, value)) === undefined) return true;
      if (!isPlain && (await this.#recurs(key, { request: plain, form: value.form })) !== undefined) return true;
    }
    return false;
  }
}

function isTimeout({ code, subject }: CaseViolation): boolean {
  return code === 'answered/no-response' && subject === 'timeout';
}
