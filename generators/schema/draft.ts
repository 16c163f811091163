import type { Json, JsonObject, SchemaRef } from '../../spec/index.ts';

export const TYPES = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const;
export type TypeName = (typeof TYPES)[number];

/** What one schema says about the members of an object. */
export interface Members {
  properties: ReadonlyMap<string, SchemaRef>;
  patterns: readonly (readonly [RegExp, SchemaRef])[];
  /** Undefined where the schema is silent. */
  additional: SchemaRef | undefined;
}

/** What one schema says about the items of an array. */
export interface Tuple {
  prefix: readonly SchemaRef[];
  rest: SchemaRef | undefined;
}

/** One way out of a choice: schemas that then hold, and members that must or must not be there. */
export interface Alternative {
  readonly refs: readonly SchemaRef[];
  readonly require?: readonly string[];
  readonly forbid?: readonly string[];
}

/** A place where one of several alternatives must hold. */
export interface Choice {
  readonly pointer: string;
  readonly alternatives: readonly Alternative[];
}

/** All that a conjunction of schemas demands, gathered keyword by keyword. */
export interface Draft {
  types: Set<TypeName>;
  /** True once a `type` keyword has spoken. */
  typed: boolean;
  /** Types that other keywords speak about. */
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
  /** More schemas that hold too, still to be gathered. */
  also: SchemaRef[];
  choices: Choice[];
  /** Alternatives of which one should hold, though a discriminator may tell them apart where their schemas don't. */
  apart: (readonly SchemaRef[])[];
  /** No members or items but those that are described. */
  closed: boolean;
  /** True where a keyword can only be judged on the finished value. */
  risky: boolean;
  /** Why nothing fits, where that is plain. */
  impossible: string | undefined;
}

/** Where a keyword stands. */
export interface Place {
  readonly pointer: string;
  readonly schema: JsonObject;
  /** Pointer of the schema that a reader would say the value is of. */
  readonly root: string;
  /** Whether discriminators are to be obeyed. */
  readonly naming: boolean;
}

/** Adds what one keyword demands to the draft; odd values are passed over. */
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
