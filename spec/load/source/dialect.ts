import { AssayError, EXIT } from '../../errors.ts';
import { isObject, scalarText } from '../../json.ts';
import type { Contract } from '../../contract.ts';
import type { JsonObject } from '../../json.ts';
import type { Report } from '../problems.ts';

type Dialect = Contract['dialect'];

function refuse(message: string, hint: string): AssayError {
  return new AssayError(message, { hint, exitCode: EXIT.usage });
}

/** Which dialect a document is written in; an {@link AssayError} where it is none that can be read. */
export function dialectOf(document: JsonObject, source: string, report: Report): Dialect {
  const dialect =
    'openapi' in document
      ? openapiDialect(scalarText(document['openapi']), source, report)
      : swaggerDialect(document, source);
  if (!isObject(document['paths'])) {
    if (dialect === 'openapi-3.1' && (isObject(document['components']) || isObject(document['webhooks'])))
      return dialect;
    throw refuse(
      `${source} has no paths (at #/paths).`,
      'An OpenAPI description lists its operations under the key paths.',
    );
  }
  return dialect;
}

function openapiDialect(version: string, source: string, report: Report): Dialect {
  if (/^3\.0(\.|$)/.test(version)) return 'openapi-3.0';
  if (/^3\.1(\.|$)/.test(version)) return 'openapi-3.1';
  if (version === '3') return 'openapi-3.0';
  if (/^3\.\d+/.test(version)) {
    report({
      code: 'newer-version',
      severity: 'warning',
      pointer: '/openapi',
      message: `OpenAPI ${version} is read as 3.1.`,
      mend: 'What is new in that version is left out; give a 3.1 description to be sure.',
    });
    return 'openapi-3.1';
  }
  throw refuse(
    `${source} is OpenAPI ${version} (at #/openapi), which cannot be read.`,
    'Give an OpenAPI 3.0 or 3.1 or a Swagger 2.0 description.',
  );
}

function swaggerDialect(document: JsonObject, source: string): Dialect {
  if (!('swagger' in document)) {
    throw refuse(
      `${source} is no OpenAPI description: it has neither the key openapi nor swagger.`,
      'Give an OpenAPI 3.0 or 3.1 or a Swagger 2.0 description.',
    );
  }
  if (/^2(\.0)?$/.test(scalarText(document['swagger']))) return 'swagger-2';
  throw refuse(
    `${source} is Swagger ${scalarText(document['swagger'])} (at #/swagger), which cannot be read.`,
    'Give an OpenAPI 3.0 or 3.1 or a Swagger 2.0 description.',
  );
}
