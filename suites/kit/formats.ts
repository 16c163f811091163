import { isObject, pointerTokens } from '../../spec/index.ts';
import type { Contract, MediaContent, Operation, SchemaRef } from '../../spec/index.ts';
import { alternatives, propertyOf, restOf } from './schema-parts.ts';

/**
 * The format that the description gives the value at a JSON pointer, for example `date-time`; `plain` for a value with a type and no
 * format. Undefined where the description says nothing about the value.
 */
export type Formats = (pointer: string) => string | undefined;

export const NO_FORMATS: Formats = () => undefined;

const ofOperations = new WeakMap<Operation, Map<'body' | 'response', Formats>>();

export function bodyFormats(contract: Contract, operation: Operation): Formats {
  return remembered(operation, 'body', () => schemaFormats(contract, schemaIn(operation.body?.content)));
}

export function responseFormats(contract: Contract, operation: Operation): Formats {
  const success = operation.responses.find(({ status }) => status.startsWith('2'));
  return remembered(operation, 'response', () => schemaFormats(contract, schemaIn(success?.content)));
}

function remembered(operation: Operation, part: 'body' | 'response', make: () => Formats): Formats {
  const known = ofOperations.get(operation) ?? new Map<typeof part, Formats>();
  ofOperations.set(operation, known);
  const formats = known.get(part) ?? make();
  known.set(part, formats);
  return formats;
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
