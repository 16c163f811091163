import { isObject } from '../../json.ts';
import { pointerTo } from '../../pointer.ts';
import { schemaIn } from './responses.ts';
import { follow, textOf } from './read.ts';
import type { Parameter, ParameterStyle, SchemaRef } from '../../contract.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { LocatedNode, Reading } from './read.ts';

const PLACES = ['path', 'query', 'header', 'cookie'] as const;

/** Styles by place; the first is the default. */
const STYLES = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
} as const satisfies Record<Parameter['in'], readonly ParameterStyle[]>;

/** Headers that are not parameters in OpenAPI. */
const NOT_PARAMETERS: readonly string[] = ['accept', 'content-type', 'authorization'];

/** A token (RFC 9110, 5.6.2). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/;

/** Key of the document that holds schemas which the description does not have. */
export const ADDED_KEY = 'x-assay';

/** The schema of a parameter without one: a string that is not empty. */
export const TEXT_SCHEMA: JsonObject = { type: 'string', minLength: 1 };

const TEXT: SchemaRef = { pointer: `/${ADDED_KEY}/text`, schema: TEXT_SCHEMA };

/** The parameter names of a path template, in order. */
export function templateNames(path: string): readonly string[] {
  return [...path.matchAll(/\{([^{}/]+)\}/g)].map((match) => match[1] ?? '');
}

function styleOf(reading: Reading, place: LocatedNode, where: Parameter['in']): ParameterStyle {
  const allowed: readonly ParameterStyle[] = STYLES[where];
  const written = textOf(place.node, 'style');
  const style = allowed.find((name) => name === written);
  if (written !== undefined && style === undefined) {
    const message = `A ${where} parameter cannot have the style ${written}.`;
    reading.report.warning('style', pointerTo(place.pointer, 'style'), message, `Read as ${STYLES[where][0]}.`);
  }
  return style ?? STYLES[where][0];
}

function schemaOf(place: LocatedNode): { readonly schema: SchemaRef; readonly mediaType?: string } {
  const content = place.node['content'];
  const [mediaType, media] = isObject(content) ? (Object.entries(content)[0] ?? []) : [];
  if (mediaType !== undefined && isObject(media)) {
    return {
      schema: schemaIn(media, pointerTo(place.pointer, 'content', mediaType)) ?? TEXT,
      mediaType: mediaType.toLowerCase(),
    };
  }
  return { schema: schemaIn(place.node, place.pointer) ?? TEXT };
}

function build(reading: Reading, place: LocatedNode, name: string, where: Parameter['in']): Parameter {
  const { node } = place;
  const style = styleOf(reading, place, where);
  const explode = typeof node['explode'] === 'boolean' ? node['explode'] : style === 'form' || style === 'deepObject';
  return {
    name,
    in: where,
    required: where === 'path' || node['required'] === true,
    style,
    explode,
    allowReserved: node['allowReserved'] === true,
    ...schemaOf(place),
  };
}

/** The template's spelling of a path parameter; undefined if the template does not have it. */
function templateSpelling(names: readonly string[], name: string): string | undefined {
  return names.find((item) => item === name) ?? names.find((item) => item.toLowerCase() === name.toLowerCase());
}

function placeOf(node: JsonObject, name: string, names: readonly string[]): Parameter['in'] {
  const where = textOf(node, 'in')?.toLowerCase();
  return PLACES.find((place) => place === where) ?? (templateSpelling(names, name) === undefined ? 'query' : 'path');
}

function readOne(reading: Reading, item: Json, pointer: string, names: readonly string[]): Parameter | undefined {
  // A reference to nothing, which is reported as such.
  if (item === false) return undefined;
  const place = follow(reading.document, item, pointer);
  const name = place === undefined ? undefined : textOf(place.node, 'name');
  if (place === undefined || name === undefined || name === '') {
    reading.report.warning('parameter', pointer, 'The parameter has no name.', 'Ignored.');
    return undefined;
  }
  const where = placeOf(place.node, name, names);
  if (textOf(place.node, 'in') !== where) {
    const at = place.node['in'] === undefined ? place.pointer : pointerTo(place.pointer, 'in');
    reading.report.warning('parameter-in', at, `${name} has no valid "in".`, `Read as in: ${where}.`);
  }
  if (where === 'header' && !HEADER_NAME.test(name)) {
    reading.report.warning('parameter', pointer, `No header can have the name ${JSON.stringify(name)}.`, 'Ignored.');
    return undefined;
  }
  if (where === 'header' && NOT_PARAMETERS.includes(name.toLowerCase())) return undefined;
  return where === 'path' ? readPath(reading, place, name, pointer, names) : build(reading, place, name, where);
}

function readPath(
  reading: Reading,
  place: LocatedNode,
  name: string,
  pointer: string,
  names: readonly string[],
): Parameter | undefined {
  const spelling = templateSpelling(names, name);
  if (spelling === undefined) {
    const hint = 'Add it to the path or remove it. Ignored.';
    reading.report.warning('path-parameter-undeclared', pointer, `The path has no {${name}}.`, hint);
    return undefined;
  }
  if (spelling !== name)
    reading.report.note(
      'path-parameter-case',
      pointer,
      `${name} is {${spelling}} in the path.`,
      `Read as ${spelling}.`,
    );
  if (place.node['required'] !== true) {
    const message = `The path parameter ${name} does not say required: true.`;
    reading.report.warning('path-parameter-required', place.pointer, message, 'Read as required.');
  }
  return build(reading, place, spelling, 'path');
}

/** The parameters of an operation and its path item; undeclared ones of the template are strings. */
export function parametersOf(
  reading: Reading,
  path: string,
  lists: readonly { readonly list: Json | undefined; readonly pointer: string }[],
  at: string,
): readonly Parameter[] {
  const names = templateNames(path);
  const found = new Map<string, Parameter>();
  for (const { list, pointer } of lists) {
    for (const [index, item] of Array.isArray(list) ? (list as readonly Json[]).entries() : []) {
      const parameter = readOne(reading, item, pointerTo(pointer, index), names);
      const key = `${parameter?.in} ${parameter?.name}`;
      if (parameter !== undefined && !found.has(key)) found.set(key, parameter);
    }
  }
  for (const name of names.filter((item) => !found.has(`path ${item}`))) {
    const message = `The path parameter {${name}} is not declared.`;
    reading.report.warning('path-parameter-missing', at, message, 'Read as a required string.');
    const style = { style: 'simple', explode: false, allowReserved: false } as const;
    found.set(`path ${name}`, { name, in: 'path', required: true, ...style, schema: TEXT });
  }
  return [...found.values()];
}
