import type { Contract, SchemaRef } from '../../spec/index.ts';
import { VIRTUAL } from './subschemas.ts';

/** The part of a contract that generators need: resolving `$ref`s and validation. */
export type SchemaSource = Pick<Contract, 'document' | 'resolve' | 'validate'>;

/** True if a value is valid for all schemas; a schema that cannot be compiled accepts everything. */
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
