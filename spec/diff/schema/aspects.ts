import { isObject } from '../../json.ts';
import type { Json } from '../../json.ts';
import type { View } from './view.ts';

/** How the set of valid values changed. */
export type ShiftDirection = 'wider' | 'narrower' | 'other';

/** One difference of two schemas. `soft`: most clients tolerate it if responses become wider. */
export interface SchemaShift {
  readonly direction: ShiftDirection;
  readonly message: string;
  readonly soft?: boolean;
}

type Aspect = (a: View, b: View) => readonly SchemaShift[];

function list(values: readonly Json[]): string {
  return values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(', ');
}

function covers(types: readonly string[], type: string): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

const types: Aspect = (a, b) => {
  if (a.types === undefined && b.types === undefined) return [];
  if (a.types === undefined)
    return [{ direction: 'narrower', message: `is now ${list(b.types ?? [])}, was of any type` }];
  if (b.types === undefined) return [{ direction: 'wider', message: `is now of any type, was ${list(a.types)}` }];
  const lost = a.types.filter((type) => !covers(b.types ?? [], type));
  const gained = b.types.filter((type) => !covers(a.types ?? [], type));
  if (lost.length === 0 && gained.length === 0) return [];
  const direction = lost.length > 0 && gained.length > 0 ? 'other' : lost.length > 0 ? 'narrower' : 'wider';
  return [{ direction, message: `is now ${list(b.types)}, was ${list(a.types)}` }];
};

const nullable: Aspect = (a, b) => {
  if (a.nullable === b.nullable || (a.types === undefined) !== (b.types === undefined)) return [];
  return [
    b.nullable
      ? { direction: 'wider', message: 'can now be null' }
      : { direction: 'narrower', message: 'can no longer be null' },
  ];
};

function valuesOf(view: View): readonly Json[] | undefined {
  const { keywords } = view;
  const values = keywords['const'] === undefined ? keywords['enum'] : [keywords['const']];
  return Array.isArray(values) ? (values as readonly Json[]).filter((value) => value !== null) : undefined;
}

function has(all: readonly Json[], value: Json): boolean {
  return all.some((item) => JSON.stringify(item) === JSON.stringify(value));
}

const values: Aspect = (a, b) => {
  const [before, after] = [valuesOf(a), valuesOf(b)];
  if (before === undefined && after === undefined) return [];
  if (before === undefined) return [{ direction: 'narrower', message: `is now one of ${list(after ?? [])}` }];
  if (after === undefined)
    return [{ direction: 'wider', message: `is no longer only one of ${list(before)}`, soft: true }];
  const lost = before.filter((value) => !has(after, value));
  const gained = after.filter((value) => !has(before, value));
  return [
    ...(lost.length > 0 ? [{ direction: 'narrower' as const, message: `no longer has the values ${list(lost)}` }] : []),
    ...(gained.length > 0
      ? [{ direction: 'wider' as const, message: `has new values ${list(gained)}`, soft: true }]
      : []),
  ];
};

function bound(keyword: string, upper: boolean): Aspect {
  return (a, b) => {
    const [before, after] = [a.keywords[keyword], b.keywords[keyword]];
    if (before === after || (typeof before !== 'number' && typeof after !== 'number')) return [];
    const none = upper ? Infinity : -Infinity;
    const [from, to] = [typeof before === 'number' ? before : none, typeof after === 'number' ? after : none];
    const direction = to < from === upper ? 'narrower' : 'wider';
    return [
      {
        direction,
        message: `${keyword} ${typeof after === 'number' ? `is now ${after}` : 'was removed'}, was ${typeof before === 'number' ? before : 'not set'}`,
        soft: true,
      },
    ];
  };
}

/** Pairs of formats of which the second accepts all values of the first. */
const WIDENINGS: readonly string[] = ['int32 int64', 'float double', 'uri uri-reference', 'date-time date-time'];

const format: Aspect = (a, b) => {
  const [before, after] = [a.keywords['format'], b.keywords['format']];
  if (before === after) return [];
  const message = `format is now ${after === undefined ? 'none' : list([after])}, was ${before === undefined ? 'none' : list([before])}`;
  if (before === undefined || WIDENINGS.includes(`${list([after ?? ''])} ${list([before])}`))
    return [{ direction: 'narrower', message, soft: true }];
  if (after === undefined || WIDENINGS.includes(`${list([before])} ${list([after])}`))
    return [{ direction: 'wider', message, soft: true }];
  return [{ direction: 'other', message }];
};

const pattern: Aspect = (a, b) => {
  const [before, after] = [a.keywords['pattern'], b.keywords['pattern']];
  if (before === after) return [];
  const direction = before === undefined ? 'narrower' : after === undefined ? 'wider' : 'other';
  return [
    { direction, message: `pattern is now ${list([after ?? 'none'])}, was ${list([before ?? 'none'])}`, soft: true },
  ];
};

const unique: Aspect = (a, b) => {
  const [before, after] = [a.keywords['uniqueItems'] === true, b.keywords['uniqueItems'] === true];
  if (before === after) return [];
  return [
    after
      ? { direction: 'narrower', message: 'must now have unique items' }
      : { direction: 'wider', message: 'can now have repeated items', soft: true },
  ];
};

const additional: Aspect = (a, b) => {
  const [before, after] = [a.keywords['additionalProperties'], b.keywords['additionalProperties']];
  if ((before === false) === (after === false)) return [];
  return [
    after === false
      ? { direction: 'narrower', message: 'no longer accepts undescribed properties' }
      : { direction: 'wider', message: 'can now have undescribed properties', soft: true },
  ];
};

/** Keywords whose changes cannot be classified. */
function opaque(keyword: string): Aspect {
  return (a, b) => {
    const [before, after] = [a.keywords[keyword], b.keywords[keyword]];
    if (JSON.stringify(before) === JSON.stringify(after)) return [];
    const direction = before === undefined ? 'narrower' : after === undefined ? 'wider' : 'other';
    return [{ direction, message: `${keyword} changed`, soft: true }];
  };
}

/** Compared even if the types differ; all other differences follow from the types. */
const BESIDE_TYPES: readonly Aspect[] = [nullable, values];

const ASPECTS: readonly Aspect[] = [
  nullable,
  values,
  format,
  pattern,
  unique,
  additional,
  ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'].map((keyword) => bound(keyword, false)),
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'].map((keyword) => bound(keyword, true)),
  ...['multipleOf', 'not', 'if', 'patternProperties', 'contains'].map(opaque),
];

/** All differences of two schemas, without their subschemas. */
export function shiftsBetween(a: View, b: View): readonly SchemaShift[] {
  const shifted = types(a, b);
  return [...shifted, ...(shifted.length > 0 ? BESIDE_TYPES : ASPECTS).flatMap((aspect) => aspect(a, b))];
}

export function requiredNames(view: View): readonly string[] {
  const names = view.keywords['required'];
  return Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string') : [];
}

/** Pointers of a schema's properties by name. */
export function memberPointers(view: View): Readonly<Record<string, string>> {
  const properties = view.keywords['properties'];
  if (!isObject(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
