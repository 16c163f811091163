export { runSuites } from './run.ts';
export { patternsWithoutTests } from './declared.ts';
export { readLearned } from './snapshot/file.ts';
export type { SuiteRunOptions } from './kit/options.ts';
