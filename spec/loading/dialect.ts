import { usageError } from '../errors.ts';
import { isObject, scalarText } from '../json.ts';
import type { Contract } from '../contract.ts';
import type { JsonObject } from '../json.ts';
import type { Reporter } from './report.ts';

type Dialect = Contract['dialect'];

const SUPPORTED = 'Use an OpenAPI 3.0 or 3.1 or a Swagger 2.0 description.';

/** The dialect of a document. Throws an {@link AssayError} for one that is not supported. */
export function dialectOf(document: JsonObject, source: string, report: Reporter): Dialect {
  const dialect =
    'openapi' in document
      ? openapiDialect(scalarText(document['openapi']), source, report)
      : swaggerDialect(document, source);
  if (isObject(document['paths'])) return dialect;
  if (dialect === 'openapi-3.1' && (isObject(document['components']) || isObject(document['webhooks']))) return dialect;
  throw usageError(
    `${source} has no paths (at #/paths).`,
    'An OpenAPI description lists its operations under the key paths.',
  );
}

function openapiDialect(version: string, source: string, report: Reporter): Dialect {
  if (/^3(\.0(\.|$)|$)/.test(version)) return 'openapi-3.0';
  if (/^3\.1(\.|$)/.test(version)) return 'openapi-3.1';
  if (!/^3\.\d+/.test(version))
    throw usageError(`${source} is OpenAPI ${version} (at #/openapi), which is not supported.`, SUPPORTED);
  const hint = 'Features of that version are ignored. Use a 3.1 description to be sure.';
  report.warning('newer-version', '/openapi', `OpenAPI ${version} is read as 3.1.`, hint);
  return 'openapi-3.1';
}

function swaggerDialect(document: JsonObject, source: string): Dialect {
  if (!('swagger' in document))
    throw usageError(`${source} is not an OpenAPI description: it has neither the key openapi nor swagger.`, SUPPORTED);
  const version = scalarText(document['swagger']);
  if (/^2(\.0)?$/.test(version)) return 'swagger-2';
  throw usageError(`${source} is Swagger ${version} (at #/swagger), which is not supported.`, SUPPORTED);
}
