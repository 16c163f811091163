import { isObject } from '../json.ts';
import { readPointer } from '../pointer.ts';
import type { SchemaRef, SchemaViolation } from '../contract.ts';
import type { ReceivedResponse } from '../exchange.ts';
import type { Json } from '../json.ts';
import type { RuleViolation, Judge, Subject } from './check.ts';
import { contentFor, isJsonType, isSuccess, responseFor } from './media.ts';

/** Successes that never have a body, whatever a description says. */
const BODILESS: ReadonlySet<number> = new Set([204, 205]);

/** The most violations of one body that are told; the rest rarely adds anything. */
const MOST = 3;

/** The body of an answer fits the schema that the description gives for its status and media type. */
export const bodyFitsSchema: Judge = (subject) => {
  const { contract, operation, exchange } = subject;
  const { response } = exchange;
  if (response === undefined || response.truncated || exchange.request.method !== operation.method) return [];
  const spec = responseFor(operation, response.status);
  if (spec === undefined || spec.content.length === 0) return [];
  const schema = contentFor(spec, response)?.schema;
  if (response.body.length === 0)
    return isSuccess(response.status) && !BODILESS.has(response.status) && !isEmptyText(subject, response, schema)
      ? [absent(subject, response)]
      : [];
  const value = valueOf(response);
  if (schema === undefined || value === undefined) return [];
  const violations = contract.validate(schema, shortened(value));
  const asText = response.mediaType === 'text/plain' ? new TextDecoder().decode(response.body) : undefined;
  if (violations.length === 0 || (asText !== undefined && contract.validate(schema, asText).length === 0)) return [];
  return mostTelling(violations).map((each) => breachOf(subject, each));
};

/** Most items of a list that are judged: each that does not fit costs as much as all before it. */
const MOST_ITEMS = 5000;

/** The value with lists, also those that a wrapper holds, cut to what can be judged in a second or so. */
function shortened(value: Json, depth = 2): Json {
  if (Array.isArray(value)) return value.length > MOST_ITEMS ? (value as readonly Json[]).slice(0, MOST_ITEMS) : value;
  if (depth === 0 || !isObject(value) || !Object.values(value).some((each) => typeof each === 'object')) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortened(each, depth - 1)]));
}

/** What the body says: parsed JSON, or for text/plain the JSON that the text is, else the text itself. */
function valueOf(response: ReceivedResponse): Json | undefined {
  if (response.json !== undefined || response.mediaType !== 'text/plain') return response.json;
  const text = new TextDecoder().decode(response.body);
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** No bytes are a text too, where the answer is of another kind than JSON and its schema bears an empty one. */
function isEmptyText({ contract }: Subject, { mediaType }: ReceivedResponse, schema: SchemaRef | undefined): boolean {
  if (mediaType === undefined || isJsonType(mediaType)) return false;
  return schema !== undefined && contract.validate(schema, '').length === 0;
}

function absent({ operation }: Subject, response: ReceivedResponse): RuleViolation {
  return {
    cause: 'no body',
    message: `${operation.id} answers ${response.status} without the documented body`,
    expected: `a body of ${operation.responses[0]?.content[0]?.type ?? 'the documented media type'}`,
    received: `status ${response.status}, no body`,
  };
}

function rank({ grade }: SchemaViolation): 0 | 1 {
  return grade === 'documented' ? 0 : 1;
}

/** Documented before published, each rule once. */
function mostTelling(violations: readonly SchemaViolation[]): readonly SchemaViolation[] {
  const seen = new Set<string>();
  return [...violations]
    .sort((a, b) => rank(a) - rank(b))
    .filter((each) => {
      const key = causeOf(each);
      return seen.has(key) ? false : seen.add(key);
    })
    .slice(0, MOST);
}

/** List positions differ from run to run; the rule that broke does not. */
function causeOf(violation: SchemaViolation): string {
  return `${violation.instancePointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')} ${violation.keyword}`;
}

function breachOf({ operation, exchange }: Subject, violation: SchemaViolation): RuleViolation {
  const place = violation.instancePointer === '' ? 'the body' : violation.instancePointer;
  return {
    ...(violation.grade === 'documented'
      ? {}
      : {
          grade: violation.grade,
          ...(violation.grade === 'published' ? { requirement: publishedOf(violation) } : {}),
        }),
    cause: causeOf(violation),
    message: `${operation.id} answers with a body that does not fit its schema: ${place} ${violation.message}`,
    expected: `${place} ${violation.message}`,
    received: shown(exchange.response?.json, violation.instancePointer),
    instancePointer: violation.instancePointer,
    schemaPointer: violation.schemaPointer,
  };
}

/** The sentence of what is published that a schema stands for. */
function publishedOf({ schemaPointer }: SchemaViolation): string {
  return /paginated/i.test(schemaPointer) ? 'published.paginated-fields' : 'published.fields';
}

function shown(json: Json | undefined, pointer: string): string {
  const text = JSON.stringify(readPointer(json, pointer)) ?? 'nothing';
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
