export { runSuites } from './run.ts';
export { plannedNames, planSuites } from './plan.ts';
export type { TestPlan } from './plan.ts';
export { declared, patternsWithoutTests } from './declared.ts';
export { readSnapshot } from './snapshot/file.ts';
export { DEPTHS, SUITES, SUITES_ABOUT, testsEndAfter } from './kit/options.ts';
export type { Depth, SuiteRunOptions } from './kit/options.ts';
export { progressReporter, remainingMs } from './kit/progress.ts';
