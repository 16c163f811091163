import { isObject } from '../json.ts';
import { compareSchemas } from './schema/walk.ts';
import type { Operation, Parameter } from '../contract.ts';
import type { Json } from '../json.ts';
import type { OperationPair, Setting } from './pair.ts';

/** Path parameters are known by their position, others by name (headers in any case). */
function keyed(operation: Operation): ReadonlyMap<string, Parameter> {
  const order = [...operation.path.matchAll(/\{([^{}/]+)\}/g)].map((match) => match[1]);
  return new Map(
    operation.parameters.map((parameter) => {
      const name =
        parameter.in === 'path'
          ? String(order.indexOf(parameter.name))
          : parameter.in === 'header'
            ? parameter.name.toLowerCase()
            : parameter.name;
      return [`${parameter.in} ${name}`, parameter];
    }),
  );
}

function defaultOf(setting: Setting, parameter: Parameter, which: 'a' | 'b'): Json | undefined {
  const { schema } = setting[which].resolve(parameter.schema);
  return isObject(schema) ? schema['default'] : undefined;
}

function subjectOf(parameter: Parameter): string {
  return `the ${parameter.in} parameter ${parameter.name}`;
}

function compareOne(setting: Setting, a: Parameter, b: Parameter): void {
  const common = {
    side: 'request' as const,
    pointerA: a.schema.pointer,
    pointerB: b.schema.pointer,
    subject: subjectOf(b),
  };
  if (b.required && !a.required) setting.tell({ ...common, class: 'breaking', words: 'is now required' });
  if (a.required && !b.required) setting.tell({ ...common, class: 'harmless', words: 'is no longer required' });
  if (a.style !== b.style || a.explode !== b.explode || a.mediaType !== b.mediaType) {
    setting.tell({
      ...common,
      class: 'breaking',
      words: `is now written as ${b.style}${b.explode ? ', exploded' : ''}, was ${a.style}${a.explode ? ', exploded' : ''}`,
    });
  }
  const [before, after] = [defaultOf(setting, a, 'a'), defaultOf(setting, b, 'b')];
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    setting.tell({
      ...common,
      class: 'risky',
      words: `has the default ${JSON.stringify(after) ?? 'none'}, was ${JSON.stringify(before) ?? 'none'}`,
    });
  }
  compareSchemas(setting, 'request', a.schema, b.schema, subjectOf(b));
}

/** Compares the parameters of two versions of one operation. */
export function compareParameters(setting: Setting, pair: OperationPair): void {
  const [before, after] = [keyed(pair.a), keyed(pair.b)];
  for (const [key, parameter] of before) {
    const other = after.get(key);
    if (other !== undefined) compareOne(setting, parameter, other);
    else
      setting.tell({
        class: 'risky',
        side: 'request',
        pointerA: parameter.schema.pointer,
        subject: subjectOf(parameter),
        words: 'is gone',
      });
  }
  for (const [key, parameter] of after) {
    if (before.has(key)) continue;
    const words = parameter.required ? 'is new and required' : 'is new';
    setting.tell({
      class: parameter.required ? 'breaking' : 'harmless',
      side: 'request',
      pointerB: parameter.schema.pointer,
      subject: subjectOf(parameter),
      words,
    });
  }
}
