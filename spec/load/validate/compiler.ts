import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isObject } from '../../json.ts';
import { pointerFragment, pointerTo } from '../../pointer.ts';
import { rewriteDocument } from '../rewrite.ts';
import { FORMATS } from './formats.ts';
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Json, JsonObject } from '../../json.ts';
import type { Kind } from '../shape.ts';

const ID = 'assay-spec';

/** A failed keyword, with where it stands in the document. */
export interface Failure {
  readonly error: ErrorObject;
  /** JSON pointer of the schema that holds the keyword. */
  readonly schemaPointer: string;
}

/** Judges values by the schemas of one view of a document; compiles each schema when it is first asked for. */
export interface Compiler {
  /** Undefined where the value fits. */
  judge(pointer: string, value: unknown): readonly Failure[] | undefined;
}

function createAjv(view: JsonObject): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false, allErrors: true, verbose: true, validateSchema: false, logger: false,
    multipleOfPrecision: 8, unicodeRegExp: false, addUsedSchema: false, code: { optimize: false },
  });
  addFormats.default(ajv);
  for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format);
  ajv.addSchema({ ...view, $id: ID });
  return ajv;
}

function schemaPointers(view: JsonObject): WeakMap<object, string> {
  const pointers = new WeakMap<object, string>();
  const before = (kind: Kind, node: Json, pointer: string): Json => {
    if (kind === 'schema' && isObject(node)) pointers.set(node, pointer);
    return node;
  };
  rewriteDocument({ before }, view);
  return pointers;
}

type Validator = Pick<ValidateFunction, 'errors'> & ((value: unknown) => boolean);

const FITS: Validator = () => true;

/** A compiler over a view; nothing is done until the first value is judged. */
export function createCompiler(view: JsonObject): Compiler {
  const compiled = new Map<string, Validator>();
  let ajv: Ajv2020 | undefined;
  let pointers: WeakMap<object, string> | undefined;
  const compile = (pointer: string): Validator => {
    try {
      ajv ??= createAjv(view);
      return ajv.getSchema(`${ID}${pointerFragment(pointer)}`) ?? FITS;
    } catch {
      // A schema that cannot be compiled judges nothing: it was told as a problem, or it is beyond what validators know.
      return FITS;
    }
  };
  const validatorOf = (pointer: string): Validator => {
    const known = compiled.get(pointer) ?? compile(pointer);
    compiled.set(pointer, known);
    return known;
  };
  const place = (error: ErrorObject, root: string): Failure => {
    pointers ??= schemaPointers(view);
    const parent = typeof error.parentSchema === 'object' && error.parentSchema !== null ? pointers.get(error.parentSchema) : undefined;
    return { error, schemaPointer: parent ?? root };
  };
  return {
    judge(pointer, value) {
      const validator = validatorOf(pointer);
      if (fits(validator, value)) return undefined;
      return (validator.errors ?? []).map((error) => place(error, pointer));
    },
  };
}

/** A value so deep that a recursive schema overflows the stack is not judged. */
function fits(validator: Validator, value: unknown): boolean {
  try {
    return validator(value);
  } catch {
    return true;
  }
}

/** Pointer of the keyword that failed. */
export function keywordPointer(failure: Failure): string {
  const { keyword } = failure.error;
  return keyword === 'false schema' ? failure.schemaPointer : pointerTo(failure.schemaPointer, keyword);
}
