export { runSuites } from './run.ts';
export { patternsWithoutTests } from './declared.ts';
export { readLearned } from './learn/file.ts';
export type { SuiteRunOptions } from './session/settings.ts';
export { ORDER_NAME, restoreOrder } from './state/order.ts';
