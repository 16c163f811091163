export { hasSample, sampleBody } from './domain/sample-body.ts';
export type { SampleContext } from './domain/sample-body.ts';
export { originCode } from './domain/origin-code.ts';
