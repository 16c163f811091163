import { asyncModelRun, asyncProperty, check, stringify } from 'fast-check';
import type { AsyncCommand, RunDetails } from 'fast-check';
import type { Violation, TestContext } from '../../kit/context.ts';
import { AT_FIRST, sequences } from './commands.ts';
import { othersSetTheOrder } from './disturbed.ts';
import { prepare } from './prepare.ts';
import { lasts } from './lasting.ts';
import type { Past } from './lasting.ts';
import { Departure, Halt } from './real.ts';
import type { Model, Real } from './real.ts';
import type { Family } from './subject.ts';

type Commands = Iterable<AsyncCommand<Model, Real>>;

/** While a counterexample shrinks, changes are given this long to show; the shortest is then held to the whole time. */
const HASTE_MS = 60;

/** Milliseconds for generating, and as many for shrinking. */
const BUDGET_MS = 6_000;

/** So many sequences are tried even where that takes longer, up to so long. */
const FEWEST = 10;
const LONGEST_MS = 30_000;

export interface HuntOptions {
  readonly family: Family;
  /** Whether the processing order is set too. */
  readonly ordered: boolean;
}

/** Runs generated sequences; the first departure that can be repeated shrinks, judged by the same check and cause, and is reported. */
export async function hunt(t: TestContext, options: HuntOptions): Promise<void> {
  const { session } = t;
  const [path, replayPath] = pathOf(session.options.path);
  const shared = await prepare(t, options.family);
  const real = (patienceMs: number): Real => ({ ...shared, t, family: options.family, patienceMs, steps: [] });
  const past: Past[] = [];
  const attempt = (commands: Commands, patienceMs: number): Promise<Violation | undefined> =>
    attemptOnce(real(patienceMs), commands, past);
  const quarry = new Quarry(t, attempt, path !== undefined);
  const property = asyncProperty(
    sequences(session, options.family, {
      ordered: options.ordered,
      ...(replayPath === undefined ? {} : { replayPath }),
    }),
    (commands) => quarry.passes(commands),
  );
  const details = await check(property, {
    seed: session.options.seed,
    numRuns: Math.max(5, Math.ceil(session.options.runs / 5)),
    ...(path === undefined ? {} : { path }),
  });
  if (quarry.fatal !== undefined) throw quarry.fatal;
  if (quarry.cutShort) t.cutShort('the time for sequences of calls was over: they are answered slowly');
  if (details.failed && options.ordered && (await othersSetTheOrder(t)))
    t.skip('others set the processing order meanwhile');
  if (details.failed) return conclude(t, details, attempt, quarry);
  const lost = await lasts(real(session.options.settleMs), past);
  if (lost !== undefined) t.report(lost);
}

async function conclude(
  t: TestContext,
  details: RunDetails<[Commands]>,
  attempt: Attempt,
  quarry: Quarry,
): Promise<void> {
  const shrunk = details.counterexample?.[0];
  const path = `${details.counterexamplePath ?? ''}#${/replayPath="([^"]*)"/.exec(stringify(shrunk))?.[1] ?? ''}`;
  const again = shrunk === undefined ? undefined : await attempt(shrunk, t.session.options.settleMs);
  const violation = again !== undefined && keyOf(again) === quarry.key ? again : quarry.first;
  if (violation !== undefined) t.report({ ...violation, path });
}

type Attempt = (commands: Commands, patienceMs: number) => Promise<Violation | undefined>;

/** What is hunted: the first departure that shows again, and from then on only that. */
class Quarry {
  readonly #t: TestContext;
  readonly #attempt: Attempt;
  readonly #certain: boolean;
  readonly #began = Date.now();
  #until = Date.now() + BUDGET_MS;
  #tried = 0;
  /** Set once sequences were left out for want of time. */
  cutShort = false;
  key: string | undefined;
  first: Violation | undefined;
  /** Ends the hunt: the target is gone, or nothing can be made. */
  fatal: unknown;

  constructor(t: TestContext, attempt: Attempt, certain: boolean) {
    this.#t = t;
    this.#attempt = attempt;
    this.#certain = certain;
  }

  async passes(commands: Commands): Promise<boolean> {
    if (this.fatal !== undefined || this.#isOver()) return true;
    try {
      this.#tried += 1;
      this.#t.countCases(1);
      return this.key === undefined
        ? await this.#begins(commands)
        : keyOf(await this.#attempt(commands, Math.min(HASTE_MS, this.#t.session.options.settleMs))) !== this.key;
    } catch (error) {
      this.fatal = error;
      return true;
    }
  }

  #isOver(): boolean {
    const now = Date.now();
    const over =
      now > this.#until && (this.key !== undefined || this.#tried >= FEWEST || now - this.#began > LONGEST_MS);
    this.cutShort ||= over && this.key === undefined;
    return over;
  }

  /** A departure counts where two of three more runs of the same commands end in it: others may have set the order in between. */
  async #begins(commands: Commands): Promise<boolean> {
    const { settleMs } = this.#t.session.options;
    const violation = await this.#attempt(commands, settleMs);
    if (violation === undefined) return true;
    let shown = 0;
    for (let time = 0; time < 3 && shown < 2 && !this.#certain; time += 1)
      shown += keyOf(await this.#attempt(commands, settleMs)) === keyOf(violation) ? 1 : 0;
    if (shown < 2 && !this.#certain) return true;
    [this.key, this.first] = [keyOf(violation), violation];
    this.#until = Date.now() + BUDGET_MS;
    return false;
  }
}

/** Runs commands on things of their own. */
async function attemptOnce(real: Real, commands: Commands, past: Past[]): Promise<Violation | undefined> {
  const subjects = await Promise.all(Array.from({ length: AT_FIRST }, () => real.make()));
  try {
    const model: Model = { subjects, order: undefined };
    await asyncModelRun(() => ({ model, real }), commands);
    past.push({ model, steps: real.steps });
    return undefined;
  } catch (error) {
    if (error instanceof Departure) return error.violation;
    if (error instanceof Halt) return undefined;
    throw error;
  }
}

function keyOf(violation: Violation | undefined): string | undefined {
  return violation === undefined ? undefined : `${violation.check} ${violation.operation?.id ?? ''} ${violation.cause}`;
}

/** fast-check's path, and which commands ran; undefined where another kind of counterexample is replayed. */
function pathOf(path: string | undefined): readonly [string?, string?] {
  const parts = path?.split('#') ?? [];
  return parts.length === 2 ? [parts[0] ?? '', parts[1] ?? ''] : [];
}
