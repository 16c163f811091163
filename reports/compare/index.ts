export { compareRuns, isSame, isWorse } from './compare.ts';
export { comparisonSentence, printComparison } from './console.ts';
export { writeComparison } from './write.ts';
export type * from './types.ts';
