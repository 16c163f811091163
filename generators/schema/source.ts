import type { Contract, SchemaRef } from '../../spec/index.ts';
import { VIRTUAL } from './place.ts';

/** What generating needs of a contract: following `$ref`s, and the last word on what is valid. */
export type SchemaSource = Pick<Contract, 'document' | 'resolve' | 'validate'>;

/** True where a value fits each of the schemas; a schema that can't be compiled fits everything. */
export function fitsAll(source: SchemaSource, refs: readonly SchemaRef[], value: unknown): boolean {
  return refs.every((ref) => fitsOne(source, ref, value));
}

function fitsOne(source: SchemaSource, ref: SchemaRef, value: unknown): boolean {
  if (ref.pointer.startsWith(VIRTUAL)) return true;
  try {
    return source.validate(ref, value).length === 0;
  } catch {
    return true;
  }
}
