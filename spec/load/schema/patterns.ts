import { isObject } from '../../json.ts';
import { pointerTo } from '../../pointer.ts';
import { withKey } from './context.ts';
import type { SchemaContext, SchemaMend } from './context.ts';

function reasonAgainst(pattern: string): string | undefined {
  try {
    RegExp(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function report(context: SchemaContext, pointer: string, reason: string): void {
  context.report({
    code: 'pattern',
    severity: 'warning',
    pointer,
    message: reason,
    mend: 'Write the pattern as ECMA-262 has it (no inline flags, no possessive groups); left out.',
  });
}

/** Patterns that JavaScript cannot read are left out. */
export const mendPatterns: SchemaMend = (schema, pointer, context) => {
  const pattern = schema['pattern'];
  const against = typeof pattern === 'string' ? reasonAgainst(pattern) : undefined;
  if (against !== undefined) report(context, pointerTo(pointer, 'pattern'), against);
  const rest = against === undefined ? schema : withKey(schema, 'pattern', undefined);
  const byPattern = rest['patternProperties'];
  if (!isObject(byPattern)) return rest;
  const good = Object.entries(byPattern).filter(([key]) => {
    const reason = reasonAgainst(key);
    if (reason !== undefined) report(context, pointerTo(pointer, 'patternProperties', key), reason);
    return reason === undefined;
  });
  return { ...rest, patternProperties: Object.fromEntries(good) };
};
