import { isObject, serialiseParameter } from '../../spec/index.ts';
import type { Contract, Json, JsonObject, MediaContent, Operation } from '../../spec/index.ts';
import { Draw } from '../core/draw.ts';
import type { Generator, JsonGenerator } from '../core/generator.ts';
import { setProperty } from '../core/set-property.ts';
import { isUnsatisfiable } from '../schema/arbitrary-for.ts';
import type { Unsatisfiable } from '../schema/arbitrary-for.ts';
import { simplerJson } from '../shrink/json.ts';
import type { ShrinkGuide, Path } from '../shrink/json.ts';
import { concreteType } from './media.ts';
import { isGenerated, parameterPart } from './parameter.ts';
import type { ParameterPart } from './parameter.ts';
import { PLACES } from './request.ts';
import type { GeneratedRequest, RequestOptions } from './request.ts';

/** The generator of a request's body. */
export interface BodyPart {
  readonly media: MediaContent;
  readonly required: boolean;
  readonly generator: JsonGenerator;
}

/** Generates complete requests of one operation. */
export class RequestGenerator implements Generator<GeneratedRequest>, ShrinkGuide {
  readonly #parts: readonly ParameterPart[];
  readonly #body: BodyPart | undefined;
  readonly #options: RequestOptions;

  constructor(parts: readonly ParameterPart[], body: BodyPart | undefined, options: RequestOptions) {
    this.#parts = parts;
    this.#body = body;
    this.#options = options;
  }

  generate(draw: Draw): GeneratedRequest {
    const places = { path: { ...this.#options.path }, query: { ...this.#options.query }, headers: {}, cookies: {} };
    for (const part of this.#parts) {
      if (this.#isGiven(part)) continue;
      const value =
        part.parameter.required || draw.random.chance(draw.profile.optional) ? part.generate(draw) : undefined;
      if (value !== undefined)
        setProperty<Json>(
          places[placeOf(part)],
          part.name,
          part.parameter.in === 'header' ? serialiseParameter(part.parameter, value) : value,
        );
    }
    const body = this.#body;
    const hasBody = body !== undefined && (body.required || draw.profile.optional === 0 || draw.random.chance(0.9));
    const request = withoutEmpty(places);
    return hasBody
      ? { ...request, body: { type: concreteType(body.media.type), value: body.generator.generate(draw) } }
      : request;
  }

  accepts(value: unknown): boolean {
    if (!isObject(value)) return false;
    const { path, query, headers, cookies = {}, body } = value;
    if (!isObject(path) || !isObject(query) || !isObject(headers) || !isObject(cookies)) return false;
    // Shrinking must not rename a header: it would be an undeclared one.
    if (!Object.keys(headers).every((name) => this.#partAt('headers', name) !== undefined)) return false;
    if (!this.#parts.every((part) => this.#isGiven(part) || fitsPart(part, value[placeOf(part)]))) return false;
    if (this.#body === undefined || body === undefined) return body === undefined && this.#body?.required !== true;
    return (
      isObject(body) &&
      body['type'] === concreteType(this.#body.media.type) &&
      body['value'] !== undefined &&
      this.#body.generator.accepts(body['value'])
    );
  }

  *simpler(request: GeneratedRequest): Iterable<() => GeneratedRequest> {
    for (const candidate of simplerJson(asJson(request), this)) yield () => asRequest(candidate());
  }

  suggest(path: Path): readonly Json[] {
    const [place, name, ...rest] = path;
    if (path.length === 0) return [asJson(this.generate(Draw.simplest()))];
    if (place === 'body') return name === 'value' ? (this.#body?.generator.suggest(rest) ?? []) : [];
    const part = this.#partAt(place, name);
    const suggestions = part?.schema.suggest(rest).filter((value) => rest.length > 0 || part.accepts(value)) ?? [];
    return part === undefined || place !== 'headers'
      ? suggestions
      : suggestions.map((value) => serialiseParameter(part.parameter, value));
  }

  hasFixedSyntax(path: Path): boolean {
    const [place, name, ...rest] = path;
    if (place === 'body') return name === 'value' && this.#body?.generator.hasFixedSyntax?.(rest) === true;
    return this.#partAt(place, name)?.schema.hasFixedSyntax(rest) === true;
  }

  isFixed(path: Path): boolean {
    const [place, name, ...rest] = path;
    if (path.length === 1) return false;
    if (place === 'body')
      return name === 'type' || (name === 'value' && this.#body?.generator.isFixed?.(rest) === true);
    return this.#isPinned(place, name);
  }

  #isPinned(place: string | number | undefined, name: string | number | undefined): boolean {
    const given = place === 'path' ? this.#options.path : place === 'query' ? this.#options.query : undefined;
    return given !== undefined && typeof name === 'string' && Object.hasOwn(given, name);
  }

  #isGiven(part: ParameterPart): boolean {
    return this.#isPinned(placeOf(part), part.name);
  }

  #partAt(place: string | number | undefined, name: string | number | undefined): ParameterPart | undefined {
    return this.#parts.find((part) => placeOf(part) === place && part.name === name);
  }
}

function withoutEmpty({ cookies, ...places }: Required<Omit<GeneratedRequest, 'body'>>): GeneratedRequest {
  return Object.keys(cookies).length === 0 ? places : { ...places, cookies };
}

function placeOf(part: ParameterPart): (typeof PLACES)[keyof typeof PLACES] {
  return PLACES[part.parameter.in];
}

function fitsPart(part: ParameterPart, place: Json | undefined): boolean {
  const value = isObject(place) && Object.hasOwn(place, part.name) ? place[part.name] : undefined;
  return value === undefined ? !part.parameter.required : part.accepts(value);
}

function asJson(request: GeneratedRequest): JsonObject {
  const { cookies, body, ...places } = request;
  return { ...places, ...(cookies === undefined ? {} : { cookies }), ...(body === undefined ? {} : { body }) };
}

function asRequest(value: Json): GeneratedRequest {
  return value as unknown as GeneratedRequest;
}

/** The generated parameters of an operation; {@link Unsatisfiable} if a required one has no valid value. */
export function parameterParts(contract: Contract, operation: Operation): readonly ParameterPart[] | Unsatisfiable {
  const parts: ParameterPart[] = [];
  for (const parameter of operation.parameters.filter(isGenerated)) {
    const part = parameterPart(contract, parameter);
    if (!isUnsatisfiable(part)) parts.push(part);
    else if (parameter.required) return part;
  }
  return parts;
}
