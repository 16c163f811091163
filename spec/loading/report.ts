import type { DescriptionProblem } from '../contract.ts';

type Severity = DescriptionProblem['severity'];

/** Receives the problems of a description, one function per severity. */
export type Reporter = Readonly<
  Record<Severity, (code: string, pointer: string, message: string, hint: string) => void>
>;

/** A reporter that passes each problem to a function. */
export function reporterTo(receive: (problem: DescriptionProblem) => void): Reporter {
  const report = (severity: Severity) => (code: string, pointer: string, message: string, hint: string) =>
    receive({ code, severity, pointer, message, hint });
  return { error: report('error'), warning: report('warning'), note: report('note') };
}

/** Collects problems, each once per place. A place has one error: the first, which tells the cause. */
export class ProblemList {
  readonly problems: DescriptionProblem[] = [];
  readonly report: Reporter = reporterTo((problem) => this.add(problem));
  readonly #seen = new Set<string>();

  add(problem: DescriptionProblem): void {
    const { code, severity, pointer, message } = problem;
    const key = severity === 'error' && pointer !== '' ? `error ${pointer}` : `${code} ${pointer} ${message}`;
    if (!this.#seen.has(key)) this.problems.push(problem);
    this.#seen.add(key);
  }
}
