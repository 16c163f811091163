export { runSuites } from './run.ts';
export { patternsWithoutTests } from './declared.ts';
export { readSnapshot } from './snapshot/file.ts';
export { SUITES } from './kit/options.ts';
export type { SuiteRunOptions } from './kit/options.ts';
