import { isObject } from '../../spec/index.ts';
import type { Json, JsonObject, SchemaRef } from '../../spec/index.ts';
import { Draw } from '../core/draw.ts';
import { hash } from 'fast-check';
import { Prng } from '../core/prng.ts';
import { weight } from '../shrink/weight.ts';
import type { Draft, TypeName } from './draft.ts';
import { gather } from './gather.ts';
import { fitsAll } from './source.ts';
import type { SchemaSource } from './source.ts';
import { anythingMaker } from './types/anything.ts';
import type { Child, Maker, NodeOf } from './types/maker.ts';
import { fixedMaker, makerFor } from './types/makers.ts';
import { declaredNames } from './types/members.ts';

interface Option {
  readonly type: TypeName | 'any' | 'fixed';
  readonly maker: Maker;
}

const DEEPEST = 24;
const ATTEMPTS = 12;

/** A conjunction of schemas: built at first use, shared by all references to it. */
export class Node implements Child {
  readonly salt: number;
  readonly #source: SchemaSource;
  readonly #refs: readonly SchemaRef[];
  readonly #nodeOf: NodeOf;
  #options: readonly Option[] | undefined;
  #risky = false;
  #apart: Draft['apart'] = [];
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
    for (let depth = 0; depth <= DEEPEST; depth += 1) if (this.simplest(depth) !== undefined) return true;
    return false;
  }

  make(draw: Draw): Json {
    draw.budget -= 1;
    if (draw.budget < 0 || this.#active >= draw.profile.depth) return this.#fallback();
    this.#active += 1;
    try {
      return this.#risky ? this.#makeChecked(draw) : this.#makeOnce(draw);
    } finally {
      this.#active -= 1;
    }
  }

  simplest(depth: number): Json | undefined {
    if (this.#simplest !== undefined) return this.#simplest;
    if (depth <= this.#failedDepth) return undefined;
    this.#failedDepth = depth;
    const values = this.#all()
      .map(({ maker }) => maker.simplest(depth))
      .filter((value) => value !== undefined);
    const sorted = values.toSorted((one, other) => weight(one) - weight(other));
    const first = sorted.find((value) => !this.#risky || (this.#fits(value) && this.#isOne(value)));
    this.#simplest = first === undefined && this.#risky ? this.#searched() : first;
    return this.#simplest;
  }

  suggest(): readonly Json[] {
    this.#suggestions ??= this.#suggested();
    return this.#suggestions;
  }

  /** The constraints of the schemas, one draft for each combination of alternatives. */
  drafts(): readonly Draft[] {
    return gather(this.#source, this.#refs, false);
  }

  get shaped(): boolean {
    return this.#all().some(({ maker }) => maker.shaped === true);
  }

  child(token: string | number): Child | undefined {
    for (const { maker } of this.#all()) {
      const found = maker.child?.(token);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #suggested(): readonly Json[] {
    const own = this.#all().flatMap(({ maker }) => [maker.simplest(DEEPEST), ...(maker.alternatives ?? [])]);
    const values = [this.#simplest, ...own].filter((value) => value !== undefined);
    return values.toSorted((one, other) => weight(one) - weight(other)).slice(0, 40);
  }

  #fallback(): Json {
    return this.possible ? (this.#simplest ?? null) : null;
  }

  #makeChecked(draw: Draw): Json {
    let several: Json | undefined;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const value = this.#makeOnce(draw);
      if (!this.#fits(value)) continue;
      if (this.#isOne(value)) return value;
      several ??= value;
    }
    return several ?? this.#fallback();
  }

  /** True unless the value matches two alternatives that only a discriminator distinguishes. */
  #isOne(value: Json): boolean {
    return this.#apart.every((refs) => refs.filter((ref) => fitsAll(this.#source, [ref], value)).length < 2);
  }

  #makeOnce(draw: Draw): Json {
    const options = this.#all();
    const [first] = options;
    if (first === undefined) return null;
    if (options.length === 1) return first.maker.make(draw);
    if (first.type === 'null' && draw.random.chance(draw.profile.nulls)) return null;
    const rest = first.type === 'null' ? options.slice(1) : options;
    return draw.random.pick(rest).maker.make(draw);
  }

  #fits(value: Json): boolean {
    return fitsAll(this.#source, this.#refs, value);
  }

  /** For schemas whose simplest value violates a keyword that only the validator checks. */
  #searched(): Json | undefined {
    const options = this.#all();
    const made = Array.from(
      { length: options.length === 0 ? 0 : 150 },
      (_, attempt) => options[attempt % options.length]?.maker.make(new Draw(new Prng(attempt))) ?? null,
    );
    const one = [made, withForbiddenMembers(made, gather(this.#source, this.#refs, false))]
      .flat()
      .find((value) => this.#fits(value) && this.#isOne(value));
    return one ?? (this.#apart.length === 0 ? undefined : made.find((value) => this.#fits(value)));
  }

  #all(): readonly Option[] {
    this.#options ??= this.#build();
    return this.#options;
  }

  #build(): readonly Option[] {
    this.#options = [];
    for (const naming of [true, false]) {
      const drafts = gather(this.#source, this.#refs, naming);
      this.#risky = drafts.some((draft) => draft.risky);
      this.#apart = drafts.flatMap((draft) => draft.apart);
      const options = drafts.flatMap((draft, index) =>
        optionsOf(draft, this.salt + index * 7, this.#nodeOf, this.#fitsDraft(draft)),
      );
      if (options.length > 0) return nullFirst(options);
    }
    return [];
  }

  #fitsDraft(draft: Draft): (value: Json) => boolean {
    return draft.values === undefined ? () => true : (value) => this.#fits(value);
  }
}

function nullFirst(options: readonly Option[]): readonly Option[] {
  const nulls = options.filter(({ type }) => type === 'null').slice(0, 1);
  return [...nulls, ...options.filter(({ type }) => type !== 'null')];
}

function optionsOf(draft: Draft, salt: number, nodeOf: NodeOf, fits: (value: Json) => boolean): Option[] {
  if (draft.values !== undefined) return enumerated(draft.values.filter(fits), salt);
  if (!draft.typed && draft.hinted.size === 0) return [{ type: 'any', maker: anythingMaker(salt) }];
  const types = draft.typed ? draft.types : [...draft.hinted].filter((type) => draft.types.has(type));
  return [...types].flatMap((type) => {
    const maker = makerFor(type, draft, salt, nodeOf);
    return maker === undefined ? [] : [{ type, maker }];
  });
}

function enumerated(values: readonly Json[], salt: number): Option[] {
  const others = fixedMaker(
    values.filter((value) => value !== null),
    salt,
  );
  const none = values.includes(null) ? fixedMaker([null], salt) : undefined;
  return [
    ...(none === undefined ? [] : [{ type: 'null' as const, maker: none }]),
    ...(others === undefined ? [] : [{ type: 'fixed' as const, maker: others }]),
  ];
}

const OTHER_TYPES: readonly Json[] = [null, 0, 'a', [], {}];

/**
 * Variants of objects that match several alternatives of a `oneOf`: a property that only another alternative describes gets a value that
 * this alternative forbids.
 */
function withForbiddenMembers(values: readonly Json[], drafts: readonly Draft[]): readonly Json[] {
  const names = new Set(drafts.flatMap(declaredNames));
  const objects: readonly JsonObject[] = [{}, ...values.filter((made) => isObject(made)).slice(0, 6)];
  return objects.flatMap((value) =>
    [...names].slice(0, 30).flatMap((name) => OTHER_TYPES.map((other) => ({ ...value, [name]: other }))),
  );
}
