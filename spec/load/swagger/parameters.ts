import { isObject, scalarText } from '../../json.ts';
import { readPointer } from '../../pointer.ts';
import type { Json, JsonObject } from '../../json.ts';

/** Keys of a Swagger 2 parameter that belong to the parameter; all others describe its value. */
const OWN: readonly string[] = [
  'name',
  'in',
  'description',
  'required',
  'collectionFormat',
  'allowEmptyValue',
  'schema',
];

interface Style {
  readonly style?: string;
  readonly explode: boolean;
}

/** How `collectionFormat` reads in OpenAPI 3, by place. */
const COLLECTIONS: Readonly<Record<string, (place: string) => Style>> = {
  csv: (place) => ({ style: place === 'query' || place === 'cookie' ? 'form' : 'simple', explode: false }),
  ssv: () => ({ style: 'spaceDelimited', explode: false }),
  tsv: () => ({ style: 'spaceDelimited', explode: false }),
  pipes: () => ({ style: 'pipeDelimited', explode: false }),
  multi: () => ({ style: 'form', explode: true }),
};

/** Follows the references of a list of Swagger 2 parameters. */
export function followed(document: JsonObject, parameters: Json | undefined): readonly JsonObject[] {
  if (!Array.isArray(parameters)) return [];
  return (parameters as readonly Json[]).flatMap((item) => {
    const ref = isObject(item) ? item['$ref'] : undefined;
    const target = typeof ref === 'string' ? readPointer(document, decodeURI(ref.replace(/^#/, ''))) : item;
    return isObject(target) ? [target] : [];
  });
}

/** Schema of a parameter's value, from the keys that stand beside its name. */
export function valueSchema(parameter: JsonObject): JsonObject {
  const schema = parameter['schema'];
  if (isObject(schema)) return schema;
  const entries = Object.entries(parameter).filter(
    ([key]) => !OWN.includes(key) && (!key.startsWith('x-') || key === 'x-nullable'),
  );
  return Object.fromEntries(
    entries.map(([key, value]) => [key, key === 'items' && isObject(value) ? valueSchema(value) : value]),
  );
}

/** A Swagger 2 parameter (no body, no form data) as OpenAPI 3 has it. */
export function convertParameter(parameter: JsonObject): JsonObject {
  const place = scalarText(parameter['in']);
  const collection = parameter['collectionFormat'] ?? (parameter['type'] === 'array' ? 'csv' : undefined);
  const style = typeof collection === 'string' ? COLLECTIONS[collection]?.(place) : undefined;
  const own = Object.entries(parameter).filter(
    ([key]) => ['name', 'in', 'description', 'required'].includes(key) || key.startsWith('x-'),
  );
  return { ...Object.fromEntries(own), ...style, schema: valueSchema(parameter) };
}
