import { isObject } from '../../json.ts';
import { pointerTo } from '../../pointer.ts';
import { schemaAt } from './content.ts';
import { follow, textOf } from './read.ts';
import { TEXT_POINTER, TEXT_SCHEMA } from './text-schema.ts';
import type { Parameter, ParameterStyle, SchemaRef } from '../../contract.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { Place, Reading } from './read.ts';

const PLACES = ['path', 'query', 'header', 'cookie'] as const;

/** Styles that each place can have; the first is its default. */
const STYLES = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
} as const satisfies Record<Parameter['in'], readonly ParameterStyle[]>;

/** Headers that OpenAPI leaves to the client. */
const NOT_PARAMETERS: readonly string[] = ['accept', 'content-type', 'authorization'];

const TEXT: SchemaRef = { pointer: TEXT_POINTER, schema: TEXT_SCHEMA };

/** The names in a path template, in their order. */
export function templateNames(path: string): readonly string[] {
  return [...path.matchAll(/\{([^{}/]+)\}/g)].map((match) => match[1] ?? '');
}

function styleOf(reading: Reading, place: Place, where: Parameter['in']): ParameterStyle {
  const allowed: readonly ParameterStyle[] = STYLES[where];
  const written = textOf(place.node, 'style');
  const style = allowed.find((name) => name === written);
  if (written !== undefined && style === undefined) {
    reading.report({
      code: 'style',
      severity: 'warning',
      pointer: pointerTo(place.pointer, 'style'),
      message: `A ${where} parameter cannot have the style ${written}.`,
      mend: `Read as ${STYLES[where][0]}.`,
    });
  }
  return style ?? STYLES[where][0];
}

function schemaOf(place: Place): { readonly schema: SchemaRef; readonly mediaType?: string } {
  const content = place.node['content'];
  const [mediaType, media] = isObject(content) ? (Object.entries(content)[0] ?? []) : [];
  if (mediaType !== undefined && isObject(media)) {
    return {
      schema: schemaAt(media, 'schema', pointerTo(place.pointer, 'content', mediaType)) ?? TEXT,
      mediaType: mediaType.toLowerCase(),
    };
  }
  return { schema: schemaAt(place.node, 'schema', place.pointer) ?? TEXT };
}

function build(reading: Reading, place: Place, name: string, where: Parameter['in']): Parameter {
  const { node } = place;
  const style = styleOf(reading, place, where);
  const explode = typeof node['explode'] === 'boolean' ? node['explode'] : style === 'form' || style === 'deepObject';
  const description = textOf(node, 'description');
  return {
    name,
    in: where,
    required: where === 'path' || node['required'] === true,
    style,
    explode,
    allowReserved: node['allowReserved'] === true,
    ...schemaOf(place),
    ...(description === undefined ? {} : { description }),
  };
}

/** A path parameter under the spelling of the template; undefined where the template has none of that name. */
function templateSpelling(names: readonly string[], name: string): string | undefined {
  return names.find((item) => item === name) ?? names.find((item) => item.toLowerCase() === name.toLowerCase());
}

function placeOf(node: JsonObject, name: string, names: readonly string[]): Parameter['in'] {
  const where = textOf(node, 'in')?.toLowerCase();
  return PLACES.find((place) => place === where) ?? (templateSpelling(names, name) === undefined ? 'query' : 'path');
}

function readOne(reading: Reading, item: Json, pointer: string, names: readonly string[]): Parameter | undefined {
  const place = follow(reading.document, item, pointer);
  const name = place === undefined ? undefined : textOf(place.node, 'name');
  if (place === undefined || name === undefined) {
    reading.report({
      code: 'parameter',
      severity: 'warning',
      pointer,
      message: 'This is no parameter: it has no name.',
      mend: 'Left out.',
    });
    return undefined;
  }
  const where = placeOf(place.node, name, names);
  if (textOf(place.node, 'in') !== where) {
    reading.report({
      code: 'parameter-in',
      severity: 'warning',
      pointer: place.pointer,
      message: `${name} does not say where it stands.`,
      mend: `Read as in: ${where}.`,
    });
  }
  if (where === 'header' && NOT_PARAMETERS.includes(name.toLowerCase())) return undefined;
  return where === 'path' ? readPath(reading, place, name, pointer, names) : build(reading, place, name, where);
}

function readPath(
  reading: Reading,
  place: Place,
  name: string,
  pointer: string,
  names: readonly string[],
): Parameter | undefined {
  const spelling = templateSpelling(names, name);
  if (spelling === undefined) {
    reading.report({
      code: 'path-parameter-undeclared',
      severity: 'warning',
      pointer,
      message: `The path has no {${name}}.`,
      mend: 'Put it into the path or remove it; left out.',
    });
    return undefined;
  }
  if (spelling !== name) {
    reading.report({
      code: 'path-parameter-case',
      severity: 'note',
      pointer,
      message: `${name} is {${spelling}} in the path.`,
      mend: `Read as ${spelling}.`,
    });
  }
  return build(reading, place, spelling, 'path');
}

/** Parameters of an operation and its path item; what the template needs and nobody declares is a string. */
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
    reading.report({
      code: 'path-parameter-missing',
      severity: 'warning',
      pointer: at,
      message: `{${name}} of the path is not declared.`,
      mend: 'Read as a required string.',
    });
    found.set(`path ${name}`, {
      name,
      in: 'path',
      required: true,
      style: 'simple',
      explode: false,
      allowReserved: false,
      schema: TEXT,
    });
  }
  return [...found.values()];
}
