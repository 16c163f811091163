import type { Json, JsonObject, JsonSchema } from './json.ts';
import type { Requirement } from './requirements.ts';
import type { SecurityAlternatives } from './security.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS' | 'TRACE';

/** What a request does to the deployment, from harmless to costly. `--allow` lists the effects that a run may have. */
export const EFFECTS = ['read', 'reversible', 'global', 'irreversible', 'costly'] as const;
export type Effect = (typeof EFFECTS)[number];

/**
 * What a caller needs: `none` (no token), `any` (any valid token), `unstated` (a token, the permission is not shown),
 * or the name of a policy such as `RACI:management.accesscontrol`.
 */
export type Permission = string;

/** One way to address an operation. */
export interface Form {
  /** `/api`, `/api/v1`, or the explicit prefix of an endpoint that exists in one form only. */
  readonly name: string;
  /** Path template after the base URL, for example `/api/v1/aijob/{id}`. */
  readonly path: string;
  /** JSON pointer of this form's operation object in the original description. */
  readonly pointer: string;
}

/** A schema and its JSON pointer into {@link Contract.document}. */
export interface SchemaRef {
  readonly pointer: string;
  readonly schema: JsonSchema;
}

export type ParameterStyle = 'simple' | 'label' | 'matrix' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required: boolean;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  /** Set if the parameter is described by `content`: its value is serialised as this media type. */
  readonly mediaType?: string;
  readonly schema: SchemaRef;
}

export interface MediaContent {
  /** Media type or range as described, lower case, for example `application/json` or `application/*+json`. */
  readonly type: string;
  readonly schema?: SchemaRef;
  /** Names of the fields of a multipart form that are files. */
  readonly files?: readonly string[];
  readonly examples: readonly Json[];
}

export interface RequestBody {
  readonly required: boolean;
  readonly content: readonly MediaContent[];
}

export interface ResponseSpec {
  /** `200`, `4XX` or `default`. */
  readonly status: string;
  /** Empty if the description has no schema: any body, or none, is allowed. */
  readonly content: readonly MediaContent[];
  readonly headers: Readonly<Record<string, { readonly required: boolean; readonly schema?: SchemaRef }>>;
}

/** One method and path template, with all its forms. */
export interface Operation {
  /** `METHOD /path/after/the/form`, for example `GET /accesscontrolpolicies/{id}`. */
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly forms: readonly Form[];
  readonly tag: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly body?: RequestBody;
  readonly responses: readonly ResponseSpec[];
  readonly permission: Permission;
  /** True if the description says nothing about authentication: there are no requirements for tokens, and `permission` is a guess. */
  readonly authUndeclared?: boolean;
  /** How requests are authenticated; if undefined, the description does not say, and a bearer token is sent. */
  readonly security?: SecurityAlternatives;
  /** True if the description says that requests without {@link security} are refused. */
  readonly securityRequired?: true;
  readonly effect: Effect;
  /** True for an operation of the API document found in another description. */
  readonly inDocument?: true;
  /** Extensions (`x-…`) of the operation object. */
  readonly extensions: JsonObject;
  /** Section of the API document (`x-section`). */
  readonly section?: string;
}

/** A defect of a description, repaired if the intent is clear. */
export interface DescriptionProblem {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'note';
  /** JSON pointer into the original description. */
  readonly pointer: string;
  readonly message: string;
  readonly hint: string;
}

/** One reason why a value is invalid. Both pointers are RFC 6901. */
export interface SchemaViolation {
  readonly instancePointer: string;
  readonly schemaPointer: string;
  readonly keyword: string;
  readonly message: string;
  /** What the schema allows instead, for example `a string`. */
  readonly expected: string;
  /** `published` if only schemas marked with `x-grade: published` are violated. */
  readonly grade: 'documented' | 'published';
}

/** Which way a value goes: a `readOnly` property is never required of a request, a `writeOnly` one never of a response. */
export type Direction = 'request' | 'response';

/** The loaded description. */
export interface Contract {
  readonly title: string;
  readonly version: string;
  /** File path or URL it was read from. */
  readonly source: string;
  readonly dialect: 'openapi-3.1' | 'openapi-3.0' | 'swagger-2';
  /** True for the built-in description. Only the loader and `domain/` may use this. */
  readonly builtIn: boolean;
  /** The description as OpenAPI 3.1 with JSON Schema 2020-12, `$ref`s kept. */
  readonly document: JsonObject;
  readonly operations: readonly Operation[];
  readonly requirements: readonly Requirement[];
  readonly problems: readonly DescriptionProblem[];
  operation(id: string): Operation | undefined;
  /** Resolves `$ref`s until a schema that is not a reference. */
  resolve(ref: SchemaRef): SchemaRef;
  /** Validates a value, by default of a request; empty if it is valid. Each schema is compiled once, at its first use. */
  validate(ref: SchemaRef, value: unknown, direction?: Direction): readonly SchemaViolation[];
}

/**
 * True for a header that names one request: with a key that it knows, a server returns the response to the earlier request
 * (IETF draft-ietf-httpapi-idempotency-key-header). Each request needs a new one.
 */
export function isIdempotencyKey(header: string): boolean {
  return /^(?:x-)?idempotency-?key$/i.test(header);
}

/** True for a key that the run made for one request; a repeated request needs another one. */
export function isOwnIdempotencyKey(header: string, value: string): boolean {
  return isIdempotencyKey(header) && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
}
