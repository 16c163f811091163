import { isObject } from '../json.ts';
import { reporterOf } from './change.ts';
import { compareSchemas } from './schema/walk.ts';
import type { Contract, Operation, Parameter } from '../contract.ts';
import type { Json } from '../json.ts';
import type { OperationPair } from './change.ts';
import type { SchemaDiff } from './schema/walk.ts';

/** Path parameters are identified by position, others by name (headers in any case). */
function byKey(operation: Operation): ReadonlyMap<string, Parameter> {
  const order = [...operation.path.matchAll(/\{([^{}/]+)\}/g)].map((match) => match[1]);
  const nameOf = (parameter: Parameter): string | number => {
    if (parameter.in === 'path') return order.indexOf(parameter.name);
    return parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name;
  };
  return new Map(operation.parameters.map((parameter) => [`${parameter.in} ${nameOf(parameter)}`, parameter]));
}

function defaultOf(contract: Contract, parameter: Parameter): Json | undefined {
  const { schema } = contract.resolve(parameter.schema);
  return isObject(schema) ? schema['default'] : undefined;
}

function subjectOf(parameter: Parameter): string {
  return `the ${parameter.in} parameter ${parameter.name}`;
}

function styleOf({ style, explode }: Parameter): string {
  return `${style}${explode ? ', exploded' : ''}`;
}

function compareParameter(comparison: SchemaDiff, a: Parameter, b: Parameter): void {
  const pointers = { pointerA: a.schema.pointer, pointerB: b.schema.pointer };
  const report = reporterOf(comparison.report, { side: 'request', ...pointers, subject: subjectOf(b) });
  if (b.required && !a.required) report('breaking', 'is now required');
  if (a.required && !b.required) report('harmless', 'is no longer required');
  if (a.style !== b.style || a.explode !== b.explode || a.mediaType !== b.mediaType)
    report('breaking', `is now serialised as ${styleOf(b)}, was ${styleOf(a)}`);
  const [before, after] = [defaultOf(comparison.a, a), defaultOf(comparison.b, b)].map((value) =>
    JSON.stringify(value),
  );
  if (before !== after) report('risky', `now has the default ${after ?? 'none'}, was ${before ?? 'none'}`);
  compareSchemas(comparison, 'request', a.schema, b.schema, subjectOf(b));
}

/** Compares the parameters of two versions of one operation. */
export function compareParameters(comparison: SchemaDiff, pair: OperationPair): void {
  const [before, after] = [byKey(pair.a), byKey(pair.b)];
  for (const [key, parameter] of before) {
    const other = after.get(key);
    if (other !== undefined) compareParameter(comparison, parameter, other);
    else {
      const subject = { side: 'request', pointerA: parameter.schema.pointer, subject: subjectOf(parameter) } as const;
      reporterOf(comparison.report, subject)('risky', 'was removed');
    }
  }
  for (const [key, parameter] of after) {
    if (before.has(key)) continue;
    const subject = { side: 'request', pointerB: parameter.schema.pointer, subject: subjectOf(parameter) } as const;
    const report = reporterOf(comparison.report, subject);
    if (parameter.required) report('breaking', 'was added and is required');
    else report('harmless', 'was added');
  }
}
