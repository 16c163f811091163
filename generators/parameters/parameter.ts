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
  /** Its name as requests carry it: headers in lower case. */
  readonly name: string;
  readonly schema: SchemaGenerator;
  make(draw: Draw): Json | undefined;
  accepts(value: Json): boolean;
}

/** Headers that the client sets, or that no one may set. */
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
]);

export function isGenerated(parameter: Parameter): boolean {
  return parameter.in !== 'header' || !RESERVED_HEADERS.has(parameter.name.toLowerCase());
}

export function parameterPart(source: SchemaSource, parameter: Parameter): ParameterPart | Unsatisfiable {
  const arbitrary = arbitraryFor(source, parameter.schema);
  if (isUnsatisfiable(arbitrary)) return arbitrary;
  const schema = arbitrary.parts;
  const usable = USABLE[parameter.in];
  return {
    parameter,
    name: parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name,
    schema,
    make: (draw) => firstUsable(schema, draw, usable),
    accepts: (value) =>
      usable(value) && (parameter.in === 'header' ? someReadingFits(value, schema) : schema.accepts(value)),
  };
}

/** For schemas whose simplest values say nothing at all, which a path can't carry. */
const LAST_RESORTS: readonly Json[] = ['a', '1', 'A', 'aa', 'aaa', 1, ['a'], [1], { a: 'a' }];

function firstUsable(schema: SchemaGenerator, draw: Draw, usable: (value: Json) => boolean): Json | undefined {
  for (let attempt = 0; attempt < 30; attempt += 1) {
    const value = schema.make(draw);
    if (usable(value)) return value;
    draw.offset += 1;
  }
  return [...schema.suggest([]), ...LAST_RESORTS].find((value) => usable(value) && schema.accepts(value));
}

/** Longest encoded value: a request line of 8 KB is what a healthy server may insist on. */
const LONGEST = 1000;

/** What can be said in each place. A null can't: it would arrive as the text "null". */
const USABLE: Record<Parameter['in'], (value: Json) => boolean> = {
  query: (value) => !holdsNull(value) && encodeURIComponent(JSON.stringify(value)).length <= LONGEST,
  path: (value) => !isAmbiguous(value) && fitsPath(wireText(value)),
  header: (value) =>
    !holdsNull(value) &&
    !isAmbiguous(value) &&
    /^[\u0021-\u007E]([\u0020-\u007E]*[\u0021-\u007E])?$/.test(wireText(value)) &&
    wireText(value).length <= LONGEST,
  cookie: (value) =>
    !holdsNull(value) && !isAmbiguous(value) && encodeURIComponent(JSON.stringify(value)).length <= LONGEST,
};

/** True where a comma inside a part would read as one between parts. */
function isAmbiguous(value: Json): boolean {
  if (isObject(value))
    return Object.entries(value).some(([key, member]) => `${key}${scalarText(member)}`.includes(',') || key === '');
  return Array.isArray(value) && value.some((item) => scalarText(item).includes(','));
}

/** A value as text, nearly as a path or a header carries it (style `simple`). */
function wireText(value: Json): string {
  if (Array.isArray(value)) return value.map(scalarText).join(',');
  return isObject(value)
    ? Object.entries(value)
        .flatMap(([key, member]) => [key, scalarText(member)])
        .join(',')
    : scalarText(value);
}

/** An empty segment, or one that URL parsers take for a step, would address something else. */
function fitsPath(text: string): boolean {
  return (
    text !== '' && text !== '.' && text !== '..' && !/\p{Cc}/u.test(text) && encodeURIComponent(text).length <= LONGEST
  );
}

function holdsNull(value: Json): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.some(holdsNull);
  return isObject(value) && Object.values(value).some(holdsNull);
}

/** Headers are texts; the schema may mean something else by them. */
function someReadingFits(value: Json, schema: SchemaGenerator): boolean {
  if (typeof value !== 'string' || (value.includes(',') && schema.suggest([]).some((simple) => isObject(simple))))
    return true;
  return readings(value).some((reading) => schema.accepts(reading));
}

/** What a text in a URL or header can mean. */
export function readings(text: string): Json[] {
  const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? [Number(text)] : [];
  const boolean = /^(true|false)$/i.test(text) ? [text.toLowerCase() === 'true'] : [];
  const parts = text.split(',');
  const pairs =
    parts.length % 2 === 0
      ? [
          Object.fromEntries(
            parts.flatMap((part, index) => (index % 2 === 0 ? [[part, typed(parts[index + 1] ?? '')]] : [])),
          ),
        ]
      : [];
  return [text, ...number, ...boolean, parts, parts.map(typed), ...pairs];
}

function typed(text: string): Json {
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)
    ? Number(text)
    : text === 'true' || text === 'false'
      ? text === 'true'
      : text;
}
