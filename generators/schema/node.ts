import { hash } from 'fast-check';
import { isObject } from '../../spec/index.ts';
import type { Json, JsonObject, SchemaRef } from '../../spec/index.ts';
import { Draw } from '../core/draw.ts';
import { Prng } from '../core/prng.ts';
import { weight } from '../shrink/weight.ts';
import type { Constraints, TypeName } from './constraints.ts';
import { collectConstraints } from './collect-constraints.ts';
import { fitsAll } from './source.ts';
import type { SchemaSource } from './source.ts';
import { anyJsonGenerator } from './types/any-json.ts';
import type { Child, ValueGenerator, NodeOf } from './types/value-generator.ts';
import { fixedValues, generatorFor } from './types/generator-for.ts';
import { declaredNames } from './types/properties.ts';

interface Option {
  readonly type: TypeName | 'any' | 'fixed';
  readonly generator: ValueGenerator;
}

const MAX_DEPTH = 24;
const ATTEMPTS = 12;

/** Generates the values to which several schemas apply. Built at first use, and shared by all references to them. */
export class Node implements Child {
  readonly salt: number;
  readonly #source: SchemaSource;
  readonly #refs: readonly SchemaRef[];
  readonly #nodeOf: NodeOf;
  #options: readonly Option[] | undefined;
  #needsValidation = false;
  #exclusiveAlternatives: Constraints['exclusiveAlternatives'] = [];
  #active = 0;
  #simplest: Json | undefined;
  #failedDepth = -1;
  #suggestions: readonly Json[] | undefined;

  constructor(source: SchemaSource, refs: readonly SchemaRef[], nodeOf: NodeOf) {
    this.#source = source;
    this.#refs = refs;
    this.#nodeOf = nodeOf;
    this.salt = hash(refs.map((ref) => ref.pointer).join(' ')) % 997;
  }

  get possible(): boolean {
    for (let depth = 0; depth <= MAX_DEPTH; depth += 1) if (this.simplest(depth) !== undefined) return true;
    return false;
  }

  generate(draw: Draw): Json {
    draw.budget -= 1;
    if (draw.budget < 0 || this.#active >= draw.profile.depth) return this.#fallback();
    this.#active += 1;
    try {
      return this.#needsValidation ? this.#generateValid(draw) : this.#generateOnce(draw);
    } finally {
      this.#active -= 1;
    }
  }

  simplest(depth: number): Json | undefined {
    if (this.#simplest !== undefined) return this.#simplest;
    if (depth <= this.#failedDepth) return undefined;
    this.#failedDepth = depth;
    const values = this.#generators()
      .map(({ generator }) => generator.simplest(depth))
      .filter((value) => value !== undefined);
    const sorted = values.toSorted((one, other) => weight(one) - weight(other));
    const first = sorted.find(
      (value) => !this.#needsValidation || (this.#fits(value) && this.#matchesOneAlternative(value)),
    );
    this.#simplest = first === undefined && this.#needsValidation ? this.#searchSimplest() : first;
    return this.#simplest;
  }

  suggest(): readonly Json[] {
    this.#suggestions ??= this.#collectSuggestions();
    return this.#suggestions;
  }

  /** The constraints of the schemas, one variant per combination of alternatives. */
  variants(): readonly Constraints[] {
    return collectConstraints(this.#source, this.#refs, false);
  }

  get hasFixedSyntax(): boolean {
    return this.#generators().some(({ generator }) => generator.hasFixedSyntax === true);
  }

  child(token: string | number): Child | undefined {
    for (const { generator } of this.#generators()) {
      const found = generator.child?.(token);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #collectSuggestions(): readonly Json[] {
    const own = this.#generators().flatMap(({ generator }) => [
      generator.simplest(MAX_DEPTH),
      ...(generator.alternatives ?? []),
    ]);
    const values = [this.#simplest, ...own].filter((value) => value !== undefined);
    return values.toSorted((one, other) => weight(one) - weight(other)).slice(0, 40);
  }

  #fallback(): Json {
    return this.possible ? (this.#simplest ?? null) : null;
  }

  #generateValid(draw: Draw): Json {
    let several: Json | undefined;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const value = this.#generateOnce(draw);
      if (!this.#fits(value)) continue;
      if (this.#matchesOneAlternative(value)) return value;
      several ??= value;
    }
    return several ?? this.#fallback();
  }

  /** True unless the value matches two alternatives that only a discriminator distinguishes. */
  #matchesOneAlternative(value: Json): boolean {
    return this.#exclusiveAlternatives.every(
      (refs) => refs.filter((ref) => fitsAll(this.#source, [ref], value)).length < 2,
    );
  }

  #generateOnce(draw: Draw): Json {
    const options = this.#generators();
    const [first] = options;
    if (first === undefined) return null;
    if (options.length === 1) return first.generator.generate(draw);
    if (first.type === 'null' && draw.random.chance(draw.profile.nulls)) return null;
    const rest = first.type === 'null' ? options.slice(1) : options;
    return draw.random.pick(rest).generator.generate(draw);
  }

  #fits(value: Json): boolean {
    return fitsAll(this.#source, this.#refs, value);
  }

  /** For schemas whose simplest value violates a keyword that only the validator checks. */
  #searchSimplest(): Json | undefined {
    const options = this.#generators();
    const made = Array.from(
      { length: options.length === 0 ? 0 : 150 },
      (_, attempt) => options[attempt % options.length]?.generator.generate(new Draw(new Prng(attempt))) ?? null,
    );
    const one = [made, withForbiddenMembers(made, collectConstraints(this.#source, this.#refs, false))]
      .flat()
      .find((value) => this.#fits(value) && this.#matchesOneAlternative(value));
    return one ?? (this.#exclusiveAlternatives.length === 0 ? undefined : made.find((value) => this.#fits(value)));
  }

  #generators(): readonly Option[] {
    this.#options ??= this.#build();
    return this.#options;
  }

  #build(): readonly Option[] {
    this.#options = [];
    for (const withDiscriminators of [true, false]) {
      const variants = collectConstraints(this.#source, this.#refs, withDiscriminators);
      this.#needsValidation = variants.some((constraints) => constraints.needsValidation);
      this.#exclusiveAlternatives = variants.flatMap((constraints) => constraints.exclusiveAlternatives);
      const options = variants.flatMap((constraints, index) =>
        optionsOf(constraints, this.salt + index * 7, this.#nodeOf, this.#enumFilter(constraints)),
      );
      if (options.length > 0) return nullFirst(options);
    }
    return [];
  }

  #enumFilter(constraints: Constraints): (value: Json) => boolean {
    return constraints.values === undefined ? () => true : (value) => this.#fits(value);
  }
}

function nullFirst(options: readonly Option[]): readonly Option[] {
  const nulls = options.filter(({ type }) => type === 'null').slice(0, 1);
  return [...nulls, ...options.filter(({ type }) => type !== 'null')];
}

function optionsOf(constraints: Constraints, salt: number, nodeOf: NodeOf, fits: (value: Json) => boolean): Option[] {
  if (constraints.values !== undefined) return enumerated(constraints.values.filter(fits), salt);
  if (!constraints.isTyped && constraints.impliedTypes.size === 0)
    return [{ type: 'any', generator: anyJsonGenerator(salt) }];
  const types = constraints.isTyped
    ? constraints.types
    : [...constraints.impliedTypes].filter((type) => constraints.types.has(type));
  return [...types].flatMap((type) => {
    const generator = generatorFor(type, constraints, salt, nodeOf);
    return generator === undefined ? [] : [{ type, generator }];
  });
}

function enumerated(values: readonly Json[], salt: number): Option[] {
  const others = fixedValues(
    values.filter((value) => value !== null),
    salt,
  );
  const none = values.includes(null) ? fixedValues([null], salt) : undefined;
  return [
    ...(none === undefined ? [] : [{ type: 'null' as const, generator: none }]),
    ...(others === undefined ? [] : [{ type: 'fixed' as const, generator: others }]),
  ];
}

const OTHER_TYPES: readonly Json[] = [null, 0, 'a', [], {}];

/**
 * Variants of objects that match several alternatives of a `oneOf`: a property that only another alternative describes gets a value that
 * this alternative forbids.
 */
function withForbiddenMembers(values: readonly Json[], variants: readonly Constraints[]): readonly Json[] {
  const names = new Set(variants.flatMap(declaredNames));
  const objects: readonly JsonObject[] = [{}, ...values.filter((made) => isObject(made)).slice(0, 6)];
  return objects.flatMap((value) =>
    [...names].slice(0, 30).flatMap((name) => OTHER_TYPES.map((other) => ({ ...value, [name]: other }))),
  );
}
