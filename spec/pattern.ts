import { Script, createContext } from 'node:vm';

/** Longest time for one text, in milliseconds. */
const TIME_LIMIT = 50;

/** Shorter texts are matched in no time even where the time doubles with each character. */
const SHORT = 20;

/** Steps that take no time. */
const FEW_STEPS = 1e7;

const REPETITION = /(?<!\\)(?:[+*]|\{\d+,\})/g;

/** A repeated group, which can be matched in exponentially many ways if it has repetitions or alternatives of its own. */
const REPEATED_GROUP = /(?<!\\)\)(?:[+*]|\{\d)/;

/** An expression that gives up on texts which take too long, since the patterns of a description may backtrack without end. */
class LimitedRegExp extends RegExp {
  readonly #undecided: boolean;
  readonly #short: number;
  #run: ((text: string) => unknown) | undefined;
  /** Texts of this length are not tried: one of twice the length has taken too long. */
  #tooLong = Infinity;

  constructor(pattern: string, flags: string, short: number, undecided: boolean) {
    super(pattern, flags);
    this.#short = short;
    this.#undecided = undecided;
  }

  override test(text: string): boolean {
    if (text.length < this.#short) return super.test(text);
    if (text.length >= this.#tooLong) return this.#undecided;
    try {
      this.#run ??= limited(new RegExp(this.source, this.flags));
      return this.#run(text) === true;
    } catch {
      this.#tooLong = text.length / 2;
      return this.#undecided;
    }
  }
}

/** Matches a text; throws where this takes too long. */
function limited(expression: RegExp): (text: string) => unknown {
  const context = createContext({ expression, text: '' });
  const script = new Script('expression.test(text)');
  return (text) => {
    context['text'] = text;
    return script.runInContext(context, { timeout: TIME_LIMIT });
  };
}

/** The expression of a schema's pattern; `undecided` is its result for texts that take too long. Throws if it is not ECMA-262. */
export function patternExpression(pattern: string, flags: string, undecided: boolean): RegExp {
  const repetitions = pattern.match(REPETITION)?.length ?? 0;
  const isExponential = REPEATED_GROUP.test(pattern) && (repetitions > 1 || pattern.includes('|'));
  if (repetitions < 2 && !isExponential) return new RegExp(pattern, flags);
  // Without repeated groups, the number of steps is at most the length to the power of the repetitions.
  return new LimitedRegExp(pattern, flags, isExponential ? SHORT : FEW_STEPS ** (1 / repetitions), undecided);
}
