export { hasSample, sampleBody } from './domain/sample-body.ts';
export type { SampleContext } from './domain/sample-body.ts';
export { originCode } from './domain/origin-code.ts';
export { arbitraryFor, isUnsatisfiable, SchemaArbitrary } from './schema/arbitrary-for.ts';
export type { SchemaOptions, Unsatisfiable } from './schema/arbitrary-for.ts';
export type { SchemaSource } from './schema/source.ts';
export { CaseArbitrary } from './core/case-arbitrary.ts';
export { SWEEP_LENGTH } from './core/draw.ts';
