export { runSuites } from './run.ts';
export type { SuiteRunOptions } from './session/settings.ts';
