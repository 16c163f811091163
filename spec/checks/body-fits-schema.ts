import { isObject, mapValues, parsedJson } from '../json.ts';
import type { ResponseSpec, SchemaViolation } from '../contract.ts';
import type { ReceivedResponse } from '../exchange.ts';
import type { Json } from '../json.ts';
import { readPointer } from '../pointer.ts';
import type { Check, Subject } from './check.ts';
import type { ExchangeViolation } from '../violation.ts';
import { contentFor, isJsonType, isSuccess, responseFor } from './media.ts';
import { writeOnlyMembers } from './write-only.ts';

/** Success statuses that never have a body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205]);

/** Keywords that a value of a wrong type violates too. */
const OF_VALUE: ReadonlySet<string> = new Set(['enum', 'const']);

/** Violations reported per body. */
const MAX_VIOLATIONS = 3;

/** The response body matches the schema that the description declares for its status and media type. */
export const bodyFitsSchema: Check = (subject) => {
  const { contract, operation, exchange } = subject;
  const { response } = exchange;
  if (response === undefined || response.truncated || exchange.request.method !== operation.method) return [];
  const spec = responseFor(operation, response.status);
  if (spec === undefined || spec.content.length === 0 || operation.method === 'HEAD') return [];
  if (response.body.length === 0)
    return isSuccess(response.status) && !BODILESS.has(response.status) && !isEmptyFile(subject, response, spec)
      ? [absent(subject, response, spec)]
      : [];
  const schema = contentFor(spec.content, response.mediaType)?.schema;
  const value = valueOf(response);
  if (schema === undefined || value === undefined) return [];
  const violations = contract.validate(schema, shortened(value), 'response');
  const asText = response.mediaType === 'text/plain' ? new TextDecoder().decode(response.body) : undefined;
  const shown = isSuccess(response.status) ? writeOnlyMembers(subject, schema, value) : [];
  if (violations.length === 0 || (asText !== undefined && contract.validate(schema, asText, 'response').length === 0))
    return shown;
  return [...toReport(violations).map((each) => mismatch(subject, each)), ...shown];
};

/** Items validated per list: with many mismatches, validation is slow. */
const MOST_ITEMS = 5000;

/** The value with long lists, also those inside a wrapper, cut to {@link MOST_ITEMS}. */
function shortened(value: Json, depth = 2): Json {
  if (Array.isArray(value)) return value.length > MOST_ITEMS ? (value as readonly Json[]).slice(0, MOST_ITEMS) : value;
  if (depth === 0 || !isObject(value) || !Object.values(value).some((each) => typeof each === 'object')) return value;
  return mapValues(value, (each) => shortened(each, depth - 1));
}

/** Parsed JSON, where the media type is JSON; for text/plain the JSON in the text, or else the text itself. */
function valueOf(response: ReceivedResponse): Json | undefined {
  if (isJsonType(response.mediaType ?? '')) return response.json;
  if (response.mediaType !== 'text/plain') return undefined;
  const text = new TextDecoder().decode(response.body);
  const value = parsedJson(text);
  return value === undefined ? text : value;
}

/** Whether an empty body is valid as text or a file: a media type that may be its own is not JSON, and allows an empty string. */
function isEmptyFile({ contract }: Subject, { mediaType }: ReceivedResponse, { content }: ResponseSpec): boolean {
  if (mediaType !== undefined && isJsonType(mediaType)) return false;
  const described = mediaType === undefined ? content : [contentFor(content, mediaType)];
  return described.some((each) => {
    if (each === undefined || isJsonType(each.type)) return false;
    return each.schema === undefined || contract.validate(each.schema, '', 'response').length === 0;
  });
}

function absent({ operation }: Subject, response: ReceivedResponse, { content }: ResponseSpec): ExchangeViolation {
  return {
    code: 'body-fits-schema/missing',
    message: `${operation.id} answers ${response.status} without the documented body`,
    expected: `a body of ${content[0]?.type ?? 'the documented media type'}`,
    received: `status ${response.status}, no body`,
  };
}

function rank({ grade }: SchemaViolation): 0 | 1 {
  return grade === 'documented' ? 0 : 1;
}

/** The violations to report: documented before published ones, each subject once. A value of a wrong type is in no enumeration either. */
function toReport(violations: readonly SchemaViolation[]): readonly SchemaViolation[] {
  const seen = new Set<string>();
  const mistyped = new Map<string, number>();
  for (const each of violations)
    if (each.keyword === 'type')
      mistyped.set(each.instancePointer, Math.min(rank(each), mistyped.get(each.instancePointer) ?? rank(each)));
  // What only the published type contradicts may still contradict a documented enumeration.
  const isMistyped = (each: SchemaViolation): boolean => (mistyped.get(each.instancePointer) ?? Infinity) <= rank(each);
  return violations
    .filter((each) => !OF_VALUE.has(each.keyword) || !isMistyped(each))
    .sort((a, b) => rank(a) - rank(b))
    .filter((each) => {
      const key = subjectOf(each);
      return seen.has(key) ? false : seen.add(key);
    })
    .slice(0, MAX_VIOLATIONS);
}

/**
 * Pointer and keyword. List positions differ between runs and are left out. For a published schema only the member of the item
 * counts: its content is mostly data that this run sent.
 */
function subjectOf({ instancePointer, keyword, grade }: SchemaViolation): string {
  const pointer = instancePointer.replaceAll(/\/\d+(?=\/|$)/g, '/*');
  if (grade !== 'published') return `${pointer} ${keyword}`;
  return /^(?:\/[^/]+)?\/\*(?:\/[^/]+)?|^\/[^/]+/.exec(pointer)?.[0] ?? keyword;
}

function mismatch({ operation, exchange }: Subject, violation: SchemaViolation): ExchangeViolation {
  const place = violation.instancePointer === '' ? 'the body' : violation.instancePointer;
  return {
    ...(violation.grade === 'documented'
      ? {}
      : {
          grade: violation.grade,
          ...(violation.grade === 'published' ? { requirement: publishedOf(violation) } : {}),
        }),
    code: 'body-fits-schema/mismatch',
    subject: subjectOf(violation),
    message: `${operation.id} answers with a body that does not match its schema: ${place} ${violation.message}`,
    expected: violation.expected,
    received: shown(exchange.response?.json, violation.instancePointer),
    instancePointer: violation.instancePointer,
    schemaPointer: violation.schemaPointer,
  };
}

/** The published requirement that a schema belongs to. */
function publishedOf({ schemaPointer }: SchemaViolation): string {
  return /paginated/i.test(schemaPointer) ? 'published.paginated-fields' : 'published.fields';
}

function shown(json: Json | undefined, pointer: string): string {
  const text = JSON.stringify(readPointer(json, pointer)) ?? 'no value';
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
