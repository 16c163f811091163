import { isObject } from '../json.ts';
import { existingPointer, pointerTo } from '../pointer.ts';
import { breakCycles } from './cycles.ts';
import { AMBIGUOUS, resolveRefs } from './refs.ts';
import { reporterTo } from './report.ts';
import { rewriteDocument } from './rewrite.ts';
import { markReferences } from './schema/access.ts';
import { convertNull, convertSchema } from './schema/convert.ts';
import { withMovingSchemas } from './swagger-refs.ts';
import { convertSwagger } from './swagger.ts';
import type { Contract, DescriptionProblem } from '../contract.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Anchors } from './refs.ts';
import type { Reporter } from './report.ts';
import type { NodeKind } from './rewrite.ts';

/** A reporter whose pointers refer to the description as it was written. */
function reporterInto(written: JsonObject, receive: (problem: DescriptionProblem) => void): Reporter {
  const place = 'swagger' in written ? swaggerPlace : (pointer: string) => pointer;
  return reporterTo((problem) => receive({ ...problem, pointer: existingPointer(written, place(problem.pointer)) }));
}

/** The place in a Swagger 2 document of a place in the converted one. */
function swaggerPlace(pointer: string): string {
  return pointer
    .replace(/^\/components\/schemas\//, '/definitions/')
    .replace(/^\/components\/(?=responses\/)/, '/')
    .replace(/(\/responses\/[^/]+)\/content\/[^/]+(?=\/schema)/, '$1');
}

function collectAnchors(schema: Json, pointer: string, anchors: Anchors): void {
  if (!isObject(schema)) return;
  for (const key of ['$anchor', '$dynamicAnchor']) {
    const anchor = schema[key];
    if (typeof anchor === 'string') anchors.set(`#${anchor}`, anchors.has(`#${anchor}`) ? AMBIGUOUS : pointer);
  }
  const id = schema['$id'];
  if (typeof id === 'string') anchors.set(id, pointer);
}

function checkComponentNames(written: JsonObject, report: Reporter): void {
  const hint = 'Use letters, digits, dots, hyphens and underscores. References to it are still resolved.';
  for (const [group, components] of Object.entries(isObject(written['components']) ? written['components'] : {})) {
    for (const name of isObject(components) ? Object.keys(components) : []) {
      if (/^[A-Za-z0-9._-]+$/.test(name)) continue;
      const pointer = pointerTo('', 'components', group, name);
      report.note('component-name', pointer, `"${name}" is not a valid component name.`, hint);
    }
  }
}

/**
 * Converts a description to OpenAPI 3.1 with JSON Schema 2020-12. Pointers into the original stay valid where the shape does not change,
 * `$ref`s are kept, and anything unusable is reported and allows any value.
 */
export function normalise(
  written: JsonObject,
  dialect: Contract['dialect'],
  receive: (problem: DescriptionProblem) => void,
): JsonObject {
  const report = reporterInto(written, receive);
  const context = { dialect, report };
  checkComponentNames(written, report);
  const anchors: Anchors = new Map();
  const before = (kind: NodeKind, node: Json, pointer: string): Json => {
    if (kind !== 'schema') return node;
    collectAnchors(node, pointer, anchors);
    return convertSchema(node, pointer, context);
  };
  const after = (kind: NodeKind, node: Json, pointer: string): Json =>
    kind === 'schema' ? convertNull(node, pointer, context) : node;
  const tooDeep = (pointer: string): void =>
    report.error('too-deep', pointer, 'The description is nested too deeply.', 'Anything is allowed below this level.');
  const shaped = dialect === 'swagger-2' ? convertSwagger(withMovingSchemas(written)) : written;
  const converted = rewriteDocument({ before, after, tooDeep }, shaped);
  return breakCycles(markReferences(resolveRefs({ ...converted, openapi: '3.1.0' }, anchors, report)), report);
}
