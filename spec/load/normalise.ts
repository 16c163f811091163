import { isObject } from '../json.ts';
import { existingPointer, pointerTo } from '../pointer.ts';
import { breakCircles } from './circles.ts';
import { settleRefs } from './refs.ts';
import { rewriteDocument } from './rewrite.ts';
import { mendNull, mendSchema } from './schema/index.ts';
import { convertSwagger } from './swagger/index.ts';
import type { Contract } from '../contract.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Report } from './problems.ts';
import type { SchemaContext } from './schema/context.ts';
import type { Kind } from './shape.ts';

/** Lets problems point into the description as it was written. */
function reportInto(written: JsonObject, report: Report): Report {
  return (problem) => {
    const pointer = problem.pointer.replace(
      '/components/schemas/',
      'definitions' in written ? '/definitions/' : '/components/schemas/',
    );
    report({ ...problem, pointer: existingPointer(written, pointer) });
  };
}

function noteAnchors(schema: Json, pointer: string, anchors: Map<string, string>): void {
  if (!isObject(schema)) return;
  for (const key of ['$anchor', '$dynamicAnchor']) {
    const anchor = schema[key];
    if (typeof anchor === 'string') anchors.set(`#${anchor}`, pointer);
  }
  const id = schema['$id'];
  if (typeof id === 'string') anchors.set(id, pointer);
}

function tellNames(written: JsonObject, report: Report): void {
  for (const [home, components] of Object.entries(isObject(written['components']) ? written['components'] : {})) {
    for (const name of isObject(components) ? Object.keys(components) : []) {
      if (/^[A-Za-z0-9._-]+$/.test(name)) continue;
      const pointer = pointerTo('', 'components', home, name);
      report({
        code: 'component-name',
        severity: 'note',
        pointer,
        message: `"${name}" is no name for a component.`,
        mend: 'Use letters, digits, dots, hyphens and underscores; found all the same.',
      });
    }
  }
}

/**
 * A description as OpenAPI 3.1 with JSON Schema 2020-12: pointers of the user's document stay valid wherever the shape does not
 * change, `$ref`s are kept, and whatever cannot be read is opened and reported.
 */
export function normalise(written: JsonObject, dialect: Contract['dialect'], report: Report): JsonObject {
  const told = reportInto(written, report);
  const context: SchemaContext = { dialect, report: told };
  tellNames(written, told);
  const anchors = new Map<string, string>();
  const before = (kind: Kind, node: Json, pointer: string): Json => {
    if (kind !== 'schema') return node;
    noteAnchors(node, pointer, anchors);
    return mendSchema(node, pointer, context);
  };
  const after = (kind: Kind, node: Json, pointer: string): Json =>
    kind === 'schema' ? mendNull(node, pointer, context) : node;
  const tooDeep = (pointer: string): void =>
    told({
      code: 'too-deep',
      severity: 'error',
      pointer,
      message: 'The description nests too deeply.',
      mend: 'Read as open below.',
    });
  const shaped = dialect === 'swagger-2' ? convertSwagger(written) : written;
  const mended = rewriteDocument({ before, after, tooDeep }, shaped);
  return breakCircles(settleRefs({ ...mended, openapi: '3.1.0' }, anchors, told), told);
}
