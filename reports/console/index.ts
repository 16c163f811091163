export { createConsole } from './create.ts';
export type { ConsoleOptions, RunConsole } from './create.ts';
export type { LiveLoad, LiveState } from './progress.ts';
