import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isObject } from '../../json.ts';
import { patternExpression } from '../../pattern.ts';
import { pointerFragment, pointerTo } from '../../pointer.ts';
import { rewriteDocument } from '../rewrite.ts';
import { isRelaxed } from '../schema/relaxed.ts';
import { STRING_FORMATS } from './formats.ts';
import { LAZY_REF } from './views.ts';
import type { DataValidateFunction } from 'ajv/dist/types/index.js';
import type { ErrorObject, FuncKeywordDefinition, ValidateFunction } from 'ajv';
import type { Json, JsonObject } from '../../json.ts';
import type { NodeKind } from '../rewrite.ts';

const ID = 'assay-spec';

/** A failed keyword and its place in the document. */
export interface KeywordFailure {
  readonly error: ErrorObject;
  /** JSON pointer of the schema that holds the keyword. */
  readonly schemaPointer: string;
}

/** Validates values by the schemas of one view of a document; compiles each schema when a value first reaches it. */
export interface Compiler {
  /** Undefined if the value is valid. */
  judge(pointer: string, value: unknown): readonly KeywordFailure[] | undefined;
}

type Validator = Pick<ValidateFunction, 'errors'> & ((value: unknown) => boolean);

/** ajv overwrites schema and data of errors that a custom keyword returns, so the original error is kept. */
interface PassedOn extends ErrorObject {
  readonly original?: ErrorObject;
}

function passOn(error: PassedOn, base: string): PassedOn {
  return { ...error, instancePath: `${base}${error.instancePath}`, original: error.original ?? error };
}

function original(error: PassedOn): ErrorObject {
  return error.original === undefined ? error : { ...error.original, instancePath: error.instancePath };
}

/** Selects the failures that count: several alternatives may match if a discriminator selects one, or if one is relaxed. */
function selector(view: JsonObject): (error: ErrorObject) => boolean {
  const known = new WeakMap<object, boolean>();
  const isUnsure = (schema: unknown): boolean => {
    if (!isObject(schema)) return false;
    const found = known.get(schema) ?? isRelaxed(view, schema, LAZY_REF);
    known.set(schema, found);
    return found;
  };
  return ({ keyword, schema, parentSchema, params }) => {
    if (keyword === 'not') return !isUnsure(schema);
    const { passingSchemas } = params as { readonly passingSchemas?: readonly number[] | null };
    if (keyword !== 'oneOf' || !Array.isArray(passingSchemas) || !isObject(parentSchema)) return true;
    if (isObject(parentSchema['discriminator'])) return false;
    return !passingSchemas.some((index) => Array.isArray(schema) && isUnsure(schema[index]));
  };
}

function lazyRef(
  validatorOf: (pointer: string) => Validator,
  counts: ReturnType<typeof selector>,
): FuncKeywordDefinition {
  return {
    keyword: LAZY_REF,
    compile: (pointer: string): DataValidateFunction => {
      const run: DataValidateFunction = (value: unknown, context) => {
        const validator = validatorOf(pointer);
        if (validator(value)) return true;
        run.errors = validator.errors?.filter(counts).map((error) => passOn(error, context?.instancePath ?? '')) ?? [];
        return run.errors.length === 0;
      };
      return run;
    },
  };
}

/** A text whose match takes too long counts as valid. */
const expressionOf = Object.assign((pattern: string) => patternExpression(pattern, true), { code: 'new RegExp' });

/** The quotient of decimal fractions is a whole number but for the rounding of each of them. */
function isMultiple(divisor: number, value: number): boolean {
  const quotient = value / divisor;
  return Math.abs(quotient - Math.round(quotient)) <= Math.max(1e-8, Math.abs(quotient) * 2 ** -51);
}

function createAjv(view: JsonObject, validatorOf: (pointer: string) => Validator): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    verbose: true,
    validateSchema: false,
    logger: false,
    addUsedSchema: false,
    ownProperties: true,
    unicodeRegExp: false,
    code: { optimize: false, regExp: expressionOf },
  });
  addFormats.default(ajv);
  for (const [name, format] of Object.entries(STRING_FORMATS)) ajv.addFormat(name, format);
  ajv.addKeyword(lazyRef(validatorOf, selector(view)));
  // The identifier of older drafts, which ajv refuses.
  ajv.removeKeyword('id');
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword({ keyword: 'multipleOf', type: 'number', schemaType: 'number', validate: isMultiple });
  ajv.addSchema({ ...view, $id: ID });
  return ajv;
}

function schemaPointers(view: JsonObject): WeakMap<object, string> {
  const pointers = new WeakMap<object, string>();
  const before = (kind: NodeKind, node: Json, pointer: string): Json => {
    if (kind === 'schema' && isObject(node)) pointers.set(node, pointer);
    return node;
  };
  rewriteDocument({ before }, view);
  return pointers;
}

const ACCEPT: Validator = () => true;

/** Creates the compiler of a view; nothing is compiled before the first value. */
export function createCompiler(view: JsonObject): Compiler {
  const compiled = new Map<string, Validator>();
  const counts = selector(view);
  let ajv: Ajv2020 | undefined;
  let pointers: WeakMap<object, string> | undefined;
  const compile = (pointer: string): Validator => {
    try {
      ajv ??= createAjv(view, validatorOf);
      return ajv.getSchema(`${ID}${pointerFragment(pointer)}`) ?? ACCEPT;
    } catch (error) {
      if (error instanceof RangeError) throw error;
      // A schema that cannot be compiled accepts any value. It was reported as a problem, or ajv does not support it.
      return ACCEPT;
    }
  };
  const validatorOf = (pointer: string): Validator => {
    const known = compiled.get(pointer) ?? compile(pointer);
    compiled.set(pointer, known);
    return known;
  };
  const place = (error: ErrorObject, root: string): KeywordFailure => {
    pointers ??= schemaPointers(view);
    const parent =
      typeof error.parentSchema === 'object' && error.parentSchema !== null
        ? pointers.get(error.parentSchema)
        : undefined;
    return { error: original(error), schemaPointer: parent ?? root };
  };
  return {
    judge(pointer, value) {
      const errors = errorsOf(validatorOf, pointer, value)?.filter(counts) ?? [];
      return errors.length === 0 ? undefined : errors.map((error) => place(error, pointer));
    },
  };
}

/** A value so deep that a recursive schema overflows the stack counts as valid. */
function errorsOf(
  validatorOf: (pointer: string) => Validator,
  pointer: string,
  value: unknown,
): readonly ErrorObject[] | undefined {
  try {
    const validator = validatorOf(pointer);
    if (validator(value)) return undefined;
    return validator.errors ?? undefined;
  } catch {
    return undefined;
  }
}

export function keywordPointer(failure: KeywordFailure): string {
  const { keyword } = failure.error;
  return keyword === 'false schema' ? failure.schemaPointer : pointerTo(failure.schemaPointer, keyword);
}
