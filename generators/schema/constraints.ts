import type { Json, JsonObject, SchemaRef } from '../../spec/index.ts';

export const TYPES = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const;
export type TypeName = (typeof TYPES)[number];

/** Constraints of one schema on the properties of an object. */
export interface PropertyConstraints {
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

/** One alternative: schemas that apply, and properties that must or must not be present. */
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

/** The constraints of several schemas that all apply. */
export interface Constraints {
  types: Set<TypeName>;
  /** True if there is a `type` keyword. */
  isTyped: boolean;
  /** Types to which keywords other than `type` apply. */
  impliedTypes: Set<TypeName>;
  values: readonly Json[] | undefined;
  text: { min: number; max: number; patterns: string[]; formats: string[] };
  number: {
    min: number;
    max: number;
    exclusiveMin: number;
    exclusiveMax: number;
    multiples: number[];
    integer: boolean;
    formats: string[];
  };
  list: {
    min: number;
    max: number;
    unique: boolean;
    tuples: Tuple[];
    contains: { ref: SchemaRef; min: number; max: number }[];
  };
  members: PropertyConstraints[];
  required: Set<string>;
  forbidden: Set<string>;
  size: { min: number; max: number };
  propertyNames: SchemaRef[];
  dependentRequired: Map<string, readonly string[]>;
  /** Further schemas that apply and are still to be added. */
  pending: SchemaRef[];
  choices: Choice[];
  /** Alternatives of which one should hold, even if only a discriminator distinguishes them. */
  exclusiveAlternatives: (readonly SchemaRef[])[];
  /** Only described properties and items are generated. */
  closed: boolean;
  /** True if a keyword can only be checked on the generated value. */
  needsValidation: boolean;
  /** Why there is no value. */
  impossible: string | undefined;
}

/** Where a keyword stands. */
export interface KeywordContext {
  readonly pointer: string;
  readonly schema: JsonObject;
  /** Pointer of the first schema that is not a reference. */
  readonly root: string;
  /** Whether discriminators apply. */
  readonly withDiscriminators: boolean;
}

/** Adds one keyword to the constraints; malformed values are ignored. */
export type Keyword = (constraints: Constraints, value: Json, place: KeywordContext) => void;

export function noConstraints(): Constraints {
  return {
    types: new Set(TYPES),
    isTyped: false,
    impliedTypes: new Set(),
    values: undefined,
    text: { min: 0, max: Infinity, patterns: [], formats: [] },
    number: {
      min: -Infinity,
      max: Infinity,
      exclusiveMin: -Infinity,
      exclusiveMax: Infinity,
      multiples: [],
      integer: false,
      formats: [],
    },
    list: { min: 0, max: Infinity, unique: false, tuples: [], contains: [] },
    members: [],
    required: new Set(),
    forbidden: new Set(),
    size: { min: 0, max: Infinity },
    propertyNames: [],
    dependentRequired: new Map(),
    pending: [],
    choices: [],
    exclusiveAlternatives: [],
    closed: false,
    needsValidation: false,
    impossible: undefined,
  };
}
