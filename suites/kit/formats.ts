import { isObject, pointerTokens } from '../../spec/index.ts';
import { memoize } from '../../spec/memoize.ts';
import type { Contract, MediaContent, Operation, SchemaRef } from '../../spec/index.ts';
import { alternatives, propertyOf, restOf } from './schema-parts.ts';

/**
 * The format that the description gives the value at a JSON pointer, for example `date-time`; `plain` for a value with a type and no
 * format. Undefined where the description says nothing about the value.
 */
export type Formats = (pointer: string) => string | undefined;

export const NO_FORMATS: Formats = () => undefined;

const formatsOf = memoize((contract: Contract) => ({
  body: memoize(({ body }: Operation) => schemaFormats(contract, schemaIn(body?.content))),
  response: memoize(({ responses }: Operation) => {
    const success = responses.find(({ status }) => status.startsWith('2'));
    return schemaFormats(contract, schemaIn(success?.content));
  }),
}));

export function bodyFormats(contract: Contract, operation: Operation): Formats {
  return formatsOf(contract).body(operation);
}

export function responseFormats(contract: Contract, operation: Operation): Formats {
  return formatsOf(contract).response(operation);
}

function schemaIn(content: readonly MediaContent[] | undefined): SchemaRef | undefined {
  return content?.find((each) => each.schema !== undefined)?.schema;
}

export function schemaFormats(contract: Contract, schema: SchemaRef | undefined): Formats {
  if (schema === undefined) return NO_FORMATS;
  const known = new Map<string, string | undefined>();
  return (pointer) => {
    if (!known.has(pointer)) known.set(pointer, formatAt(contract, schema, pointerTokens(pointer)));
    return known.get(pointer);
  };
}

function formatAt(contract: Contract, schema: SchemaRef, tokens: readonly string[]): string | undefined {
  let at: SchemaRef | undefined = schema;
  for (const token of tokens)
    at = at === undefined ? undefined : (propertyOf(contract, at, token) ?? restOf(contract, at));
  return at === undefined ? undefined : formatIn(contract, at);
}

function formatIn(contract: Contract, ref: SchemaRef): string | undefined {
  for (const { schema } of alternatives(contract, ref)) {
    if (!isObject(schema)) continue;
    if (typeof schema['format'] === 'string') return schema['format'];
    const types = [schema['type'] ?? []].flat().filter((type) => type !== 'null');
    if (types.length > 0 || 'enum' in schema || 'const' in schema) return 'plain';
  }
  return undefined;
}
