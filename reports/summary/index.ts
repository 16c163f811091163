export { summarise } from './summarise.ts';
export { exitCodeOf } from './verdict.ts';
export type * from './types.ts';
