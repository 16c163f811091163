import { isObject, scalarText } from '../../spec/index.ts';
import type { Json, Parameter } from '../../spec/index.ts';
import type { Draw } from '../core/draw.ts';
import { arbitraryFor, isUnsatisfiable } from '../schema/arbitrary-for.ts';
import type { Unsatisfiable } from '../schema/arbitrary-for.ts';
import type { SchemaGenerator } from '../schema/schema-generator.ts';
import type { SchemaSource } from '../schema/source.ts';

/** A parameter and the generator of its values. */
export interface ParameterPart {
  readonly parameter: Parameter;
  /** The name in a {@link GeneratedRequest}: headers in lower case. */
  readonly name: string;
  readonly schema: SchemaGenerator;
  generate(draw: Draw): Json | undefined;
  accepts(value: Json): boolean;
}

/** Headers that the client sets itself, or that cannot be set. */
const RESERVED_HEADERS = new Set([
  'accept',
  'authorization',
  'content-type',
  'content-length',
  'host',
  'connection',
  'transfer-encoding',
  'expect',
  'upgrade',
  'te',
  'trailer',
  'keep-alive',
  // Its value is the current ETag of the item: the client reads it.
  'if-match',
]);

export function isGenerated(parameter: Parameter): boolean {
  return parameter.in !== 'header' || !RESERVED_HEADERS.has(parameter.name.toLowerCase());
}

export function parameterPart(source: SchemaSource, parameter: Parameter): ParameterPart | Unsatisfiable {
  const arbitrary = arbitraryFor(source, parameter.schema);
  if (isUnsatisfiable(arbitrary)) return arbitrary;
  const schema = arbitrary.parts;
  const isSendable = IS_SENDABLE[parameter.in];
  return {
    parameter,
    name: parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name,
    schema,
    generate: (draw) => firstSendable(schema, draw, (value) => isSendable(value) && isNeverMissing(parameter, value)),
    accepts: (value) =>
      isSendable(value) && (parameter.in === 'header' ? someReadingIsValid(value, schema) : schema.accepts(value)),
  };
}

/** Candidates if the simplest values of a schema cannot be sent, for example an empty text in a path. */
const FALLBACK_VALUES: readonly Json[] = ['a', '1', 'A', 'aa', 'aaa', 1, ['a'], [1], { a: 'a' }];

function firstSendable(schema: SchemaGenerator, draw: Draw, isSendable: (value: Json) => boolean): Json | undefined {
  for (let attempt = 0; attempt < 30; attempt += 1) {
    const value = schema.generate(draw);
    if (isSendable(value)) return value;
    draw.offset += 1;
  }
  return [...schema.suggest([]), ...FALLBACK_VALUES].find((value) => isSendable(value) && schema.accepts(value));
}

/** Longest encoded value, in characters: a healthy server may limit the request line to 8 KB. */
const MAX_LENGTH = 1000;

/** Whether a value can be sent in each place. A null cannot: it would arrive as the text "null". */
const IS_SENDABLE: Record<Parameter['in'], (value: Json) => boolean> = {
  query: (value) => !containsNull(value) && encodeURIComponent(JSON.stringify(value)).length <= MAX_LENGTH,
  path: (value) => !isAmbiguous(value) && fitsPath(wireText(value)),
  header: (value) =>
    !containsNull(value) &&
    !isAmbiguous(value) &&
    /^[\u0021-\u007E]([\u0020-\u007E]*[\u0021-\u007E])?$/.test(wireText(value)) &&
    wireText(value).length <= MAX_LENGTH,
  cookie: (value) =>
    !containsNull(value) && !isAmbiguous(value) && encodeURIComponent(JSON.stringify(value)).length <= MAX_LENGTH,
};

/** False for an empty text in a query: `allowEmptyValue` is false unless stated (OpenAPI 3), and servers take it for a missing value. */
function isNeverMissing({ in: place }: Parameter, value: Json): boolean {
  return place !== 'query' || value !== '';
}

/** True if a comma inside an item cannot be distinguished from one between items. */
function isAmbiguous(value: Json): boolean {
  if (isObject(value))
    return Object.entries(value).some(([key, member]) => `${key}${scalarText(member)}`.includes(',') || key === '');
  return Array.isArray(value) && value.some((item) => scalarText(item).includes(','));
}

/** A value as text, approximately as in a path or header (style `simple`). */
function wireText(value: Json): string {
  if (Array.isArray(value)) return value.map(scalarText).join(',');
  return isObject(value)
    ? Object.entries(value)
        .flatMap(([key, member]) => [key, scalarText(member)])
        .join(',')
    : scalarText(value);
}

/** An empty segment, `.` or `..` would address another resource. */
function fitsPath(text: string): boolean {
  return (
    text !== '' &&
    text !== '.' &&
    text !== '..' &&
    !/\p{Cc}/u.test(text) &&
    encodeURIComponent(text).length <= MAX_LENGTH
  );
}

function containsNull(value: Json): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.some(containsNull);
  return isObject(value) && Object.values(value).some(containsNull);
}

/** Whether one interpretation of a header's text is valid. */
function someReadingIsValid(value: Json, schema: SchemaGenerator): boolean {
  if (typeof value !== 'string' || (value.includes(',') && schema.suggest([]).some((simple) => isObject(simple))))
    return true;
  return readings(value).some((reading) => schema.accepts(reading));
}

/** The values that a text in a URL or header may represent. */
export function readings(text: string): Json[] {
  const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? [Number(text)] : [];
  const boolean = /^(true|false)$/i.test(text) ? [text.toLowerCase() === 'true'] : [];
  const parts = text.split(',');
  const pairs =
    parts.length % 2 === 0
      ? [
          Object.fromEntries(
            parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parseScalar(parts[index + 1] ?? '')]] : [])),
          ),
        ]
      : [];
  return [text, ...number, ...boolean, parts, parts.map(parseScalar), ...pairs];
}

function parseScalar(text: string): Json {
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)
    ? Number(text)
    : text === 'true' || text === 'false'
      ? text === 'true'
      : text;
}
