import type { ErrorObject } from 'ajv';

const SHOWN = 80;

function shown(value: unknown): string {
  const json = JSON.stringify(value) ?? String(value);
  return json.length > SHOWN ? `${json.slice(0, SHOWN - 1)}…` : json;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;
}

/** What to add to ajv's words, by keyword. */
const MORE: Readonly<Record<string, (error: ErrorObject) => string>> = {
  type: (error) => `must be ${[error.schema].flat().join(' or ')}, is ${kindOf(error.data)}`,
  enum: (error) => `must be one of ${shown(error.schema)}, is ${shown(error.data)}`,
  const: (error) => `must be ${shown(error.schema)}, is ${shown(error.data)}`,
  format: (error) => `must be a ${String(error.schema)}, is ${shown(error.data)}`,
  pattern: (error) => `must match ${String(error.schema)}, is ${shown(error.data)}`,
  required: (error) => `must have the member ${shown(error.params['missingProperty'])}`,
  additionalProperties: (error) => `must not have the member ${shown(error.params['additionalProperty'])}`,
  unevaluatedProperties: (error) => `must not have the member ${shown(error.params['unevaluatedProperty'])}`,
  anyOf: (error) => `must fit one of ${Array.isArray(error.schema) ? error.schema.length : 'the'} alternatives`,
};

/** One reason in words, free of where it stands. */
export function messageOf(error: ErrorObject): string {
  const more = Object.hasOwn(MORE, error.keyword) ? MORE[error.keyword] : undefined;
  return more?.(error) ?? error.message ?? `fails ${error.keyword}`;
}
