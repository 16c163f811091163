import type { Json, JsonObject, SchemaRef } from '../../spec/index.ts';
import { isObject } from '../../spec/index.ts';
import type { Draw } from '../core/draw.ts';
import { PROFILES } from '../core/profile.ts';
import type { Generator } from '../core/generator.ts';
import { simplerJson } from '../shrink/json.ts';
import type { ShrinkGuide, Path } from '../shrink/json.ts';
import type { Constraints } from './constraints.ts';
import { Node } from './node.ts';
import { fitsAll } from './source.ts';
import type { SchemaSource } from './source.ts';
import type { Child, NodeOf } from './types/value-generator.ts';

/** Generated values, and those that the validator rejected. */
export interface GenerationStats {
  generated: number;
  rejected: number;
}

/** Fixed values for properties of the value (an object); never shrunk. */
export type Pins = Readonly<Record<string, Json>>;

/** Generates values of one schema. */
export class SchemaGenerator implements Generator<Json>, ShrinkGuide {
  readonly stats: GenerationStats = { generated: 0, rejected: 0 };
  readonly #source: SchemaSource;
  readonly #refs: readonly SchemaRef[];
  readonly #node: Child;
  readonly #pins: Pins;

  constructor(source: SchemaSource, ref: SchemaRef, node: Child, pins: Pins = {}) {
    this.#source = source;
    this.#refs = [ref];
    this.#node = node;
    this.#pins = pins;
  }

  generate(draw: Draw): Json {
    this.stats.generated += 1;
    const { budget } = draw;
    for (let attempt = 0; attempt < (draw.profile === PROFILES.minimal ? 1 : 10); attempt += 1) {
      draw.budget = budget;
      const value = this.#pinned(this.#node.generate(draw));
      if (fitsAll(this.#source, this.#refs, value)) return value;
      this.stats.rejected += 1;
    }
    return this.#pinned(this.#node.simplest(0) ?? null);
  }

  accepts(value: unknown): boolean {
    return this.#keepsPins(value) && fitsAll(this.#source, this.#refs, value);
  }

  simpler(value: Json): Iterable<() => Json> {
    return simplerJson(value, this);
  }

  suggest(path: Path): readonly Json[] {
    const suggestions = this.#at(path)?.suggest() ?? [];
    return path.length === 0 ? suggestions.map((value) => this.#pinned(value)) : suggestions;
  }

  hasFixedSyntax(path: Path): boolean {
    return this.#at(path)?.hasFixedSyntax === true;
  }

  /** The constraints of the part at a path. */
  variantsAt(path: Path): readonly Constraints[] {
    return this.#at(path)?.variants() ?? [];
  }

  isFixed(path: Path): boolean {
    const [first] = path;
    return typeof first === 'string' && Object.hasOwn(this.#pins, first);
  }

  #at(path: Path): Child | undefined {
    let node: Child | undefined = this.#node;
    for (const token of path) node = node?.child?.(token);
    return node;
  }

  #keepsPins(value: unknown): boolean {
    const pins = Object.entries(this.#pins);
    return (
      pins.length === 0 ||
      (isObject(value) && pins.every(([name, pin]) => JSON.stringify(value[name]) === JSON.stringify(pin)))
    );
  }

  #pinned(value: Json): Json {
    if (!isObject(value) || Object.keys(this.#pins).length === 0) return value;
    return { ...value, ...this.#pins } satisfies JsonObject;
  }
}

/** Creates and caches the nodes of one source. */
export function nodesOf(source: SchemaSource): NodeOf {
  const nodes = new Map<string, Node>();
  const nodeOf: NodeOf = (refs) => {
    const key = refs.map((ref) => ref.pointer).join(' ');
    const known = nodes.get(key) ?? new Node(source, refs, nodeOf);
    nodes.set(key, known);
    return known;
  };
  return nodeOf;
}
