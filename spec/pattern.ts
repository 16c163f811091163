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

/** Unicode properties and code points, which only expressions with the flag `u` know. */
const NEEDS_UNICODE = /(?:^|[^\\])(?:\\\\)*\\(?:[pP]\{|u\{)/;

/** Escapes of other engines, such as `\A` and `\z`; without the flag `u`, JavaScript reads them as letters. */
const FOREIGN_ESCAPE = /(?:^|[^\\])(?:\\\\)*(\\(?:[aAeEgGhHiIjJKlLmMNoOqQRTUVXyYzZ]|[pP](?!\{)))/;

/** Why a pattern cannot be used as an ECMA-262 expression; undefined if it can. */
export function patternProblem(pattern: string): string | undefined {
  const escape = FOREIGN_ESCAPE.exec(pattern)?.[1];
  if (escape !== undefined) return `ECMA-262 has no ${escape}.`;
  if (/\[\[:\^?[a-z]+:\]/.test(pattern)) return 'ECMA-262 has no classes such as [:alpha:].';
  if (pattern.startsWith('/^')) return 'Nothing matches a pattern with a slash before ^.';
  try {
    patternExpression(pattern, true);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A character of two UTF-16 units, which engines count as one or as two. */
const WIDE = /[\u{10000}-\u{10FFFF}]/u;

/** An expression that is undecided about texts which match or not, depending on how an engine counts wide characters. */
class EitherRegExp extends RegExp {
  readonly #units: RegExp;
  readonly #characters: RegExp;
  readonly #undecided: boolean;

  constructor(units: RegExp, characters: RegExp, undecided: boolean) {
    super(units.source);
    this.#units = units;
    this.#characters = characters;
    this.#undecided = undecided;
  }

  override test(text: string): boolean {
    const matches = this.#units.test(text);
    return matches === this.#undecided || !WIDE.test(text) ? matches : this.#characters.test(text);
  }
}

/** The expression of a pattern; `undecided`: its result for texts that take too long, or differ by engine. Throws if it is invalid. */
export function patternExpression(pattern: string, undecided: boolean): RegExp {
  if (NEEDS_UNICODE.test(pattern)) return limitedExpression(pattern, 'u', undecided);
  const units = limitedExpression(pattern, '', undecided);
  try {
    return new EitherRegExp(units, limitedExpression(pattern, 'u', undecided), undecided);
  } catch {
    return units;
  }
}

function limitedExpression(pattern: string, flags: string, undecided: boolean): RegExp {
  const repetitions = pattern.match(REPETITION)?.length ?? 0;
  const isExponential = REPEATED_GROUP.test(pattern) && (repetitions > 1 || pattern.includes('|'));
  if (repetitions < 2 && !isExponential) return new RegExp(pattern, flags);
  // Without repeated groups, the number of steps is at most the length to the power of the repetitions.
  return new LimitedRegExp(pattern, flags, isExponential ? SHORT : FEW_STEPS ** (1 / repetitions), undecided);
}
