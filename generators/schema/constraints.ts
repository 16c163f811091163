import type { Json, JsonObject, SchemaRef } from '../../spec/index.ts';

export const TYPES = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const;
export type TypeName = (typeof TYPES)[number];

/** Constraints of one schema on the properties of an object. */
export interface Members {
  properties: ReadonlyMap<string, SchemaRef>;
  patterns: readonly (readonly [RegExp, SchemaRef])[];
  /** Undefined without `additionalProperties`. */
  additional: SchemaRef | undefined;
}

/** Constraints of one schema on the items of an array. */
export interface Tuple {
  prefix: readonly SchemaRef[];
  rest: SchemaRef | undefined;
}

/** One alternative: schemas that hold, and properties that must or must not be present. */
export interface Alternative {
  readonly refs: readonly SchemaRef[];
  readonly require?: readonly string[];
  readonly forbid?: readonly string[];
}

/** Alternatives of which one must hold. */
export interface Choice {
  readonly pointer: string;
  readonly alternatives: readonly Alternative[];
}

/** The constraints of a conjunction of schemas. */
export interface Draft {
  types: Set<TypeName>;
  /** True if there is a `type` keyword. */
  typed: boolean;
  /** Types that other keywords constrain. */
  hinted: Set<TypeName>;
  values: readonly Json[] | undefined;
  text: { min: number; max: number; patterns: string[]; formats: string[] };
  number: {
    min: number;
    max: number;
    above: number;
    below: number;
    steps: number[];
    whole: boolean;
    formats: string[];
  };
  list: {
    min: number;
    max: number;
    unique: boolean;
    tuples: Tuple[];
    contains: { ref: SchemaRef; min: number; max: number }[];
  };
  members: Members[];
  required: Set<string>;
  forbidden: Set<string>;
  size: { min: number; max: number };
  names: SchemaRef[];
  dependent: Map<string, readonly string[]>;
  /** Further schemas that hold, to be gathered. */
  also: SchemaRef[];
  choices: Choice[];
  /** Alternatives of which one should hold, even if only a discriminator distinguishes them. */
  apart: (readonly SchemaRef[])[];
  /** Only described properties and items are generated. */
  closed: boolean;
  /** True if a keyword can only be checked on the finished value. */
  risky: boolean;
  /** Why there is no value. */
  impossible: string | undefined;
}

/** The place of a keyword. */
export interface Place {
  readonly pointer: string;
  readonly schema: JsonObject;
  /** Pointer of the first schema that is not a reference. */
  readonly root: string;
  /** Whether discriminators apply. */
  readonly naming: boolean;
}

/** Adds the constraints of one keyword to the draft; unusable values are ignored. */
export type Keyword = (draft: Draft, value: Json, place: Place) => void;

export function emptyDraft(): Draft {
  return {
    types: new Set(TYPES),
    typed: false,
    hinted: new Set(),
    values: undefined,
    text: { min: 0, max: Infinity, patterns: [], formats: [] },
    number: { min: -Infinity, max: Infinity, above: -Infinity, below: Infinity, steps: [], whole: false, formats: [] },
    list: { min: 0, max: Infinity, unique: false, tuples: [], contains: [] },
    members: [],
    required: new Set(),
    forbidden: new Set(),
    size: { min: 0, max: Infinity },
    names: [],
    dependent: new Map(),
    also: [],
    choices: [],
    apart: [],
    closed: false,
    risky: false,
    impossible: undefined,
  };
}
