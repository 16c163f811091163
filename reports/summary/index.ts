export { formsOf, isExpired } from './findings.ts';
export { summarise } from './summarise.ts';
export type { SummariseOptions } from './summarise.ts';
export { exitCodeOf, isFailing } from './verdict.ts';
export type * from './types.ts';
