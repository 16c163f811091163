import type { Json, SchemaRef } from '../../spec/index.ts';
import { CaseArbitrary } from '../core/case-arbitrary.ts';
import { nodesOf, SchemaGenerator } from './schema-generator.ts';
import type { MakingStats, Pins } from './schema-generator.ts';
import { fitsAll } from './source.ts';
import type { SchemaSource } from './source.ts';
import type { NodeOf } from './types/maker.ts';

/** Nothing fits the schema, or nothing was found that does. */
export interface Unsatisfiable {
  readonly unsatisfiable: true;
  readonly pointer: string;
  readonly reason: string;
}

/** Values of one schema. */
export class SchemaArbitrary extends CaseArbitrary<Json> {
  readonly stats: MakingStats;
  /** Its making and judging, to be part of something larger. */
  readonly parts: SchemaGenerator;

  constructor(generator: SchemaGenerator) {
    super(generator);
    this.stats = generator.stats;
    this.parts = generator;
  }
}

export interface SchemaOptions {
  /** Members of the value (an object) that are set as given in each case and never shrunk. */
  readonly pins?: Pins;
}

/** What is known of a source; kept as long as the source is. */
interface Known {
  readonly nodeOf: NodeOf;
  readonly arbitraries: Map<string, SchemaArbitrary | Unsatisfiable>;
}

const KNOWN = new WeakMap<SchemaSource, Known>();

export function isUnsatisfiable(result: object): result is Unsatisfiable {
  return 'unsatisfiable' in result;
}

/**
 * Values of a schema as a fast-check arbitrary: each valid in the eyes of `source.validate`, also while shrinking, the
 * same for the same seed. Compiled once a schema and source. Never throws: a schema that nothing fits is told as data.
 */
export function arbitraryFor(
  source: SchemaSource,
  ref: SchemaRef,
  options: SchemaOptions = {},
): SchemaArbitrary | Unsatisfiable {
  const known = knownOf(source);
  if (options.pins !== undefined) return compiled(source, ref, known.nodeOf, options.pins);
  const result = known.arbitraries.get(ref.pointer) ?? compiled(source, ref, known.nodeOf);
  known.arbitraries.set(ref.pointer, result);
  return result;
}

function knownOf(source: SchemaSource): Known {
  const known = KNOWN.get(source) ?? {
    nodeOf: nodesOf(source),
    arbitraries: new Map<string, SchemaArbitrary | Unsatisfiable>(),
  };
  KNOWN.set(source, known);
  return known;
}

function compiled(source: SchemaSource, ref: SchemaRef, nodeOf: NodeOf, pins?: Pins): SchemaArbitrary | Unsatisfiable {
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
