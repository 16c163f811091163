import { AssayError, EXIT } from '../spec/errors.ts';

/** One thing to mend before anything is sent. */
export interface Problem {
  /** The flag, variable, key or file, for example `--base-url` or `ASSAY_ALLOW in .env`. */
  readonly thing: string;
  readonly wrong: string;
  readonly mend: string;
}

const show = (problem: Problem): string =>
  `  ${problem.thing} ${problem.wrong}${problem.mend === '' ? '' : `\n      ${problem.mend}`}`;

/** Everything that is wrong with the input, at once. */
export class InputError extends AssayError {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const count = problems.length === 1 ? 'one thing' : `${problems.length} things`;
    super(`${count} to mend; nothing was sent:\n${problems.map(show).join('\n')}`, { hint: '', exitCode: EXIT.usage });
    this.name = 'InputError';
    this.problems = problems;
  }
}

/** Throws where there is a problem. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new InputError(problems);
}
