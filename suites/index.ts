export { runSuites } from './run.ts';
export type { SuiteRunOptions } from './session/settings.ts';
export { ORDER_NAME, restoreOrder } from './state/order.ts';
