import type { Json, SchemaRef } from '../../../spec/index.ts';
import type { Draw } from '../../../generators/core/draw.ts';
import type { JsonGenerator } from '../../../generators/core/generator.ts';
import { arbitraryFor, isUnsatisfiable } from '../../../generators/schema/arbitrary-for.ts';
import { fitsAll } from '../../../generators/schema/source.ts';
import type { SchemaSource } from '../../../generators/schema/source.ts';
import { simplerJson } from '../../../generators/shrink/json.ts';
import type { Path } from '../../../generators/shrink/json.ts';

/** How bodies of one kind are generated. */
export interface BodyKind {
  make(draw: Draw): Json;
  /** What makes a value valid, besides the schema. */
  accepts?(value: Json): boolean;
  /** Members that shrinking keeps. */
  readonly fixed?: readonly string[];
}

/** Generates bodies of one kind, and shrinks them within the schema. */
export class DomainGenerator implements JsonGenerator {
  readonly #source: SchemaSource;
  readonly #ref: SchemaRef;
  readonly #kind: BodyKind;

  constructor(source: SchemaSource, ref: SchemaRef, kind: BodyKind) {
    this.#source = source;
    this.#ref = ref;
    this.#kind = kind;
  }

  generate(draw: Draw): Json {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const value = this.#kind.make(draw);
      if (this.accepts(value)) return value;
    }
    return this.suggest([])[0] ?? null;
  }

  accepts(value: unknown): value is Json {
    return fitsAll(this.#source, [this.#ref], value) && this.#kind.accepts?.(value as Json) !== false;
  }

  simpler(value: Json): Iterable<() => Json> {
    return simplerJson(value, this);
  }

  suggest(path: Path): readonly Json[] {
    const schema = arbitraryFor(this.#source, this.#ref);
    const suggestions = isUnsatisfiable(schema) ? [] : schema.parts.suggest(path);
    return path.length === 0 ? suggestions.filter((value) => this.accepts(value)) : suggestions;
  }

  hasFixedSyntax(path: Path): boolean {
    const schema = arbitraryFor(this.#source, this.#ref);
    return !isUnsatisfiable(schema) && schema.parts.hasFixedSyntax(path);
  }

  isFixed(path: Path): boolean {
    const [first] = path;
    return path.length > 0 && typeof first === 'string' && this.#kind.fixed?.includes(first) === true;
  }
}
