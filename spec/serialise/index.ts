export { serialiseParameter } from './parameter.ts';
export { renderUrl } from './url.ts';
export { isWritable, writeBody } from './body.ts';
export type { SerialisedParameter } from './parameter.ts';
export type { Addressed } from './url.ts';
