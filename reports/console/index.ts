export { createConsole } from './create.ts';
export type { RunConsole } from './create.ts';
export type { LiveState } from './progress.ts';
