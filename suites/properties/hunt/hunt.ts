import type { GeneratedRequest } from '../../../generators/index.ts';
import { FINDING_CODES } from '../../../spec/index.ts';
import type { CheckName, FindingCode, Operation } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import type { Session } from '../../kit/session.ts';
import { isGuaranteed } from '../../kit/make-context.ts';
import { openBudget } from './budget.ts';
import type { Budget } from './budget.ts';
import { decodeCase } from './case.ts';
import type { Case } from './case.ts';
import { conclude } from './conclude.ts';
import type { Flaw } from './flaw.ts';
import type { Shrinker } from './shrink.ts';

/** A property: cases, how one is tried, and how one becomes simpler. */
export interface Hunt {
  readonly operation: Operation;
  /** In the order of what is most telling; as many are tried as the budget has. */
  readonly cases: Iterable<Case>;
  /** Tries one case and tells what is wrong. `patient`: give late changes all the time they may take. */
  readonly attempt: (value: Case, patient: boolean) => Promise<readonly Flaw[]>;
  /** What was learned of the deployment, for {@link Case.habits}. */
  readonly habits?: readonly string[] | undefined;
  /** Makes cases simpler; left out: they are told as they are. */
  readonly arbitrary?: Shrinker;
  /** Makes cases that should have been served simpler, where the arbitrary would leave what the document promises. */
  readonly promised?: Shrinker;
  /** The plainest request that works, where the arbitrary's simplest is none. */
  readonly simplest?: GeneratedRequest;
  /** What of a case stands in the cause, instead of the places where it is not as the simplest one. */
  readonly naming?: (value: Case, kind: string) => string;
  /** Sends one fresh, plain request twice and tells what is wrong the second time: then being sent again is the matter. */
  readonly again?: () => Promise<{ readonly value: Case; readonly flaws: readonly Flaw[] } | undefined>;
  readonly budget?: Budget;
  /** Cases that are tried at the same time. */
  readonly inFlight?: number;
}

/** A case that showed something. */
export interface Failure {
  readonly index: number;
  readonly value: Case;
  readonly flaw: Flaw;
}

/** Enough failures to tell what is wrong. */
const ENOUGH = 60;

/** Looks for cases that break the property, and reports the simplest case of each defect. With `--path` only that case is tried. */
export async function hunt(t: TestContext, given: Hunt): Promise<void> {
  const { session } = t;
  const spec = guaranteedOnly(given, session);
  const { path } = session.options;
  const replayed = path === undefined ? undefined : decodeCase(path);
  if (path !== undefined && replayed === undefined) throw new Error('the --path is none that Assay wrote');
  const budget = spec.budget ?? openBudget(session);
  const failures = await search(t, replayed === undefined ? spec : { ...spec, cases: [replayed] }, budget);
  if (failures.length === 0) return;
  const telling = openBudget(session);
  await conclude(t, spec, failures, { shrinks: replayed === undefined, spent: () => telling.spent() });
}

/** Only violations of what the API guarantees are looked for. */
function guaranteedOnly(spec: Hunt, session: Session): Hunt {
  return {
    ...spec,
    attempt: async (value, patient) =>
      (await spec.attempt(value, patient)).filter(({ check, kind, operation }) =>
        isGuaranteed(session, { code: legacyCode(check, kind), operation }),
      ),
  };
}

function legacyCode(check: CheckName, kind: string): FindingCode {
  if (check === 'equal-json') return kind.includes('another') ? 'equal-json/shape' : 'equal-json/status';
  if (check === 'form-equivalence')
    return kind.includes('another shape') ? 'form-equivalence/shape' : 'form-equivalence/body';
  return `${check}/${Object.keys(FINDING_CODES[check])[0] ?? ''}` as FindingCode;
}

async function search(t: TestContext, spec: Hunt, budget: Budget): Promise<readonly Failure[]> {
  const failures: Failure[] = [];
  const cases = spec.cases[Symbol.iterator]();
  let tried = 0;
  let late = false;
  const work = async (): Promise<void> => {
    while (tried < budget.cases && failures.length < ENOUGH) {
      const next = cases.next();
      if (next.done === true) return;
      late ||= budget.spent();
      if (late) return;
      const index = tried;
      tried += 1;
      for (const flaw of await spec.attempt(next.value, false))
        failures.push({ index, value: flaw.shownBy ?? next.value, flaw });
    }
  };
  await Promise.all(Array.from({ length: spec.inFlight ?? 8 }, work));
  t.countCases(tried);
  if (late)
    t.cutShort(
      'the time of one property was over: its cases are answered slowly (a run with fewer --runs, or --only, tries the rest)',
    );
  return failures;
}
