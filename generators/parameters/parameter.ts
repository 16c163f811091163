import { isObject, scalarText } from '../../spec/index.ts';
import type { Json, Parameter } from '../../spec/index.ts';
import type { Draw } from '../core/draw.ts';
import { arbitraryFor, isUnsatisfiable } from '../schema/arbitrary-for.ts';
import type { Unsatisfiable } from '../schema/arbitrary-for.ts';
import type { SchemaGenerator } from '../schema/schema-generator.ts';
import type { SchemaSource } from '../schema/source.ts';

/** One parameter and how its values are made. */
export interface ParameterPart {
  readonly parameter: Parameter;
  /** Its name as requests carry it: headers in lower case. */
  readonly name: string;
  readonly schema: SchemaGenerator;
  make(draw: Draw): Json | undefined;
  accepts(value: Json): boolean;
}

/** Headers that the client sets, or that no one may set. */
const RESERVED_HEADERS = new Set(['accept', 'authorization', 'content-type', 'content-length', 'host', 'connection', 'transfer-encoding', 'expect', 'upgrade', 'te', 'trailer', 'keep-alive']);

export function isGenerated(parameter: Parameter): boolean {
  return parameter.in === 'path' || parameter.in === 'query' || (parameter.in === 'header' && !RESERVED_HEADERS.has(parameter.name.toLowerCase()));
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
    accepts: (value) => usable(value) && schema.accepts(parameter.in === 'query' ? value : typedBack(value, schema)),
  };
}

function firstUsable(schema: SchemaGenerator, draw: Draw, usable: (value: Json) => boolean): Json | undefined {
  for (let attempt = 0; attempt < 30; attempt += 1) {
    const value = schema.make(draw);
    if (usable(value)) return value;
    draw.offset += 1;
  }
  return schema.suggest([]).find(usable);
}

/** Longest encoded value: a request line of 8 KB is what a healthy server may insist on. */
const LONGEST = 1000;

/** What can be said in each place. A null can't: it would arrive as the text "null". */
const USABLE: Record<Parameter['in'], (value: Json) => boolean> = {
  query: (value) => !holdsNull(value) && encodeURIComponent(JSON.stringify(value)).length <= LONGEST,
  path: (value) => fitsPath(scalarText(value)),
  header: (value) => /^[\u0021-\u007E]([\u0020-\u007E]*[\u0021-\u007E])?$/.test(scalarText(value)) && scalarText(value).length <= LONGEST,
  cookie: () => false,
};

/** An empty segment, or one that URL parsers take for a step, would address something else. */
function fitsPath(text: string): boolean {
  return text !== '' && text !== '.' && text !== '..' && !/\p{Cc}/u.test(text) && encodeURIComponent(text).length <= LONGEST;
}

function holdsNull(value: Json): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.some(holdsNull);
  return isObject(value) && Object.values(value).some(holdsNull);
}

/** Path and header values are texts; the schema may mean a number or a boolean by them. */
function typedBack(value: Json, schema: SchemaGenerator): Json {
  if (typeof value !== 'string' || schema.accepts(value)) return value;
  const typed = readings(value).find((reading) => schema.accepts(reading));
  return typed ?? value;
}

/** What a text in a URL or header can mean. */
export function readings(text: string): Json[] {
  const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? [Number(text)] : [];
  const boolean = /^(true|false)$/i.test(text) ? [text.toLowerCase() === 'true'] : [];
  return [text, ...number, ...boolean];
}
