import type { Json, SchemaRef } from '../../spec/index.ts';
import { GeneratorArbitrary } from '../core/generator-arbitrary.ts';
import { nodesOf, SchemaGenerator } from './schema-generator.ts';
import type { GenerationStats, Pins } from './schema-generator.ts';
import { fitsAll } from './source.ts';
import type { SchemaSource } from './source.ts';
import type { NodeOf } from './types/value-generator.ts';

/** The schema has no value, or none was found. */
export interface Unsatisfiable {
  readonly unsatisfiable: true;
  readonly pointer: string;
  readonly reason: string;
}

/** An arbitrary for the values of one schema. */
export class SchemaArbitrary extends GeneratorArbitrary<Json> {
  readonly stats: GenerationStats;
  /** The generator, for composition. */
  readonly parts: SchemaGenerator;

  constructor(generator: SchemaGenerator) {
    super(generator);
    this.stats = generator.stats;
    this.parts = generator;
  }
}

export interface SchemaOptions {
  /** Fixed values for properties of the value (an object); never shrunk. */
  readonly pins?: Pins;
}

/** What is cached per source. */
interface SourceCache {
  readonly nodeOf: NodeOf;
  readonly arbitraries: Map<string, SchemaArbitrary | Unsatisfiable>;
}

const CACHES = new WeakMap<SchemaSource, SourceCache>();

export function isUnsatisfiable(result: object): result is Unsatisfiable {
  return 'unsatisfiable' in result;
}

/**
 * An arbitrary for the values of a schema. All values and shrinks are valid for `source.validate`; the same seed gives the same values.
 * Compiled once per schema and source. An unsatisfiable schema is returned as data.
 */
export function arbitraryFor(
  source: SchemaSource,
  ref: SchemaRef,
  options: SchemaOptions = {},
): SchemaArbitrary | Unsatisfiable {
  const known = cacheOf(source);
  if (options.pins !== undefined) return compile(source, ref, known.nodeOf, options.pins);
  const result = known.arbitraries.get(ref.pointer) ?? compile(source, ref, known.nodeOf);
  known.arbitraries.set(ref.pointer, result);
  return result;
}

function cacheOf(source: SchemaSource): SourceCache {
  const known = CACHES.get(source) ?? {
    nodeOf: nodesOf(source),
    arbitraries: new Map<string, SchemaArbitrary | Unsatisfiable>(),
  };
  CACHES.set(source, known);
  return known;
}

function compile(source: SchemaSource, ref: SchemaRef, nodeOf: NodeOf, pins?: Pins): SchemaArbitrary | Unsatisfiable {
  const node = nodeOf([ref]);
  if (!node.possible) return unsatisfiable(ref, 'no value satisfies all keywords');
  const simplest = node.simplest(0) ?? null;
  const generator = new SchemaGenerator(source, ref, node, pins);
  if (pins === undefined && !fitsAll(source, [ref], simplest))
    return unsatisfiable(ref, 'no value was found that the validator accepts');
  return new SchemaArbitrary(generator);
}

function unsatisfiable(ref: SchemaRef, reason: string): Unsatisfiable {
  return { unsatisfiable: true, pointer: ref.pointer, reason };
}
