import { isObject } from '../json.ts';
import type { SchemaRef } from '../contract.ts';
import type { Json } from '../json.ts';
import type { Check, Subject } from './check.ts';
import type { ExchangeViolation } from '../violation.ts';
import { isSuccess, responseFor } from './media.ts';

/** Headers whose syntax HTTP defines, whatever a schema says. */
const OF_HTTP: ReadonlySet<string> = new Set(
  'content-location date expires last-modified link location retry-after set-cookie'.split(' '),
);

/** Types that a header can have without a serialisation of members. */
const TYPES: ReadonlySet<Json> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'null']);

/** Required response headers are present, all match their schemas, and a documented body has a Content-Type. */
export const headersDeclared: Check = (subject) => {
  const { operation, exchange } = subject;
  const { response, request } = exchange;
  if (response === undefined) return [];
  const spec = responseFor(operation, response.status);
  const declared = Object.entries(spec?.headers ?? {});
  const required = declared.flatMap(([name, header]) => (header.required ? [name] : []));
  const typed = isSuccess(response.status) && response.body.length > 0 && (spec?.content.length ?? 0) > 0;
  const sent = new Set(response.headers.map(([name]) => name));
  const missing = [...new Set([...required, ...(typed ? ['Content-Type'] : [])])]
    .filter((name) => !sent.has(name.toLowerCase()))
    .map((name): ExchangeViolation => ({
      code: 'headers-declared/missing',
      subject: name.toLowerCase(),
      message: `${operation.id} answers without the required header ${name}`,
      expected: `the header ${name}`,
      received: 'no such header',
    }));
  if (request.method !== operation.method) return missing;
  const values = (name: string): readonly string[] =>
    response.headers.flatMap(([each, value]) => (each === name ? [value] : []));
  return [...missing, ...declared.flatMap(([name, { schema }]) => mismatch(subject, name, values(name), schema))];
};

/** A header of which no value, nor all of them together, match its schema in any reading. */
function mismatch(
  { contract, operation }: Subject,
  name: string,
  values: readonly string[],
  ref: SchemaRef | undefined,
): readonly ExchangeViolation[] {
  if (ref === undefined || values.length === 0 || OF_HTTP.has(name)) return [];
  const { schema } = contract.resolve(ref);
  const types: readonly Json[] = isObject(schema) ? [schema['type'] ?? 'unknown'].flat() : [];
  if (!types.every((type) => TYPES.has(type))) return [];
  const received = values.join(', ');
  const found = [received, ...values].flatMap(readings).map((value) => contract.validate(ref, value, 'response'));
  if (found.some((violations) => violations.length === 0)) return [];
  const all = (types.includes('array') ? found.toReversed() : found).flat();
  const violation = all.find(({ keyword }) => keyword !== 'type') ?? all[0];
  return [
    {
      code: 'headers-declared/mismatch',
      subject: name,
      message: `${operation.id} answers with a header that does not match its schema: ${name} ${violation?.message ?? ''}`,
      expected: violation?.expected ?? '',
      received,
      ...(violation === undefined ? {} : { schemaPointer: violation.schemaPointer }),
    },
  ];
}

/** The values that the text of a header can stand for. */
function readings(text: string): readonly Json[] {
  const items = text === '' ? [] : text.split(',').map((item) => item.trim());
  return [...new Set([text, scalar(text)]), items, items.map(scalar)];
}

function scalar(text: string): Json {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
}
