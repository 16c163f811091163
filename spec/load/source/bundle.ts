import { isObject } from '../../json.ts';
import type { OpenAPI } from 'openapi-types';
import type { Json, JsonObject } from '../../json.ts';
import type { Report } from '../problems.ts';

/** True where some `$ref` names another document. */
export function hasExternalRefs(value: Json): boolean {
  const stack: Json[] = [value];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (Array.isArray(node)) stack.push(...(node as readonly Json[]));
    else if (isObject(node)) {
      const ref = node['$ref'];
      if (typeof ref === 'string' && isFile(ref)) return true;
      stack.push(...Object.values(node));
    }
  }
  return false;
}

function isFile(ref: string): boolean {
  return !ref.startsWith('#') && /[./]/.test(ref.split('#')[0] ?? '');
}

/** Brings what other documents hold into this one; what cannot be read stays and is told as a problem. */
export async function bundle(document: JsonObject, source: string, report: Report): Promise<JsonObject> {
  const { default: SwaggerParser } = await import('@apidevtools/swagger-parser');
  try {
    const copy = structuredClone(document) as unknown as OpenAPI.Document;
    const bundled: unknown = await SwaggerParser.bundle(source, copy, { resolve: { http: { timeout: 10_000 } } });
    return bundled as JsonObject;
  } catch (error) {
    report({
      code: 'external-ref',
      severity: 'error',
      pointer: '',
      mend: 'Put the file where the reference says, or bundle the description first.',
      message: `A reference to another document cannot be followed: ${error instanceof Error ? error.message : String(error)}`,
    });
    return document;
  }
}
