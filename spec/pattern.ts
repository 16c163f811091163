import { Script, createContext } from 'node:vm';

/** Longest time for one text, in milliseconds. */
const TIME_LIMIT = 50;

/** Shorter texts are always matched in no time. */
const SHORT = 20;

const REPETITION = /(?<!\\)(?:[+*]|\{\d+,\})/g;

/** An expression that gives up on texts which take too long, since the patterns of a description may backtrack without end. */
class LimitedRegExp extends RegExp {
  readonly #undecided: boolean;
  readonly #run: (text: string) => unknown;
  /** Texts of this length are not tried: one of twice the length has taken too long. */
  #tooLong = Infinity;

  constructor(pattern: string, flags: string, undecided: boolean) {
    super(pattern, flags);
    this.#undecided = undecided;
    const context = createContext({ expression: new RegExp(pattern, flags), text: '' });
    const script = new Script('expression.test(text)');
    this.#run = (text) => {
      context['text'] = text;
      return script.runInContext(context, { timeout: TIME_LIMIT });
    };
  }

  override test(text: string): boolean {
    if (text.length < SHORT) return super.test(text);
    if (text.length >= this.#tooLong) return this.#undecided;
    try {
      return this.#run(text) === true;
    } catch {
      this.#tooLong = text.length / 2;
      return this.#undecided;
    }
  }
}

/** The expression of a schema's pattern; `undecided` is its result for texts that take too long. Throws if it is not ECMA-262. */
export function patternExpression(pattern: string, flags: string, undecided: boolean): RegExp {
  const repetitions = pattern.match(REPETITION)?.length ?? 0;
  return repetitions < 2 ? new RegExp(pattern, flags) : new LimitedRegExp(pattern, flags, undecided);
}
