import type { DescriptionProblem } from '../contract.ts';

/** Takes what is odd in a description, pointer by pointer. */
export type Report = (problem: DescriptionProblem) => void;

/** Collects problems; the same one at the same place is told once. */
export function problemList(): { readonly problems: DescriptionProblem[]; readonly report: Report } {
  const problems: DescriptionProblem[] = [];
  const seen = new Set<string>();
  const report: Report = (problem) => {
    const key = `${problem.code} ${problem.pointer} ${problem.message}`;
    if (seen.has(key)) return;
    seen.add(key);
    problems.push(problem);
  };
  return { problems, report };
}
