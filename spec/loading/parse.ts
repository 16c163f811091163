import { readFile } from 'node:fs/promises';
import { usageError } from '../errors.ts';
import type { AssayError } from '../errors.ts';
import { isObject, scalarText } from '../json.ts';
import { jsonMistake } from '../json-mistake.ts';
import { pointerTo, readPointer } from '../pointer.ts';
import { isUrl } from './read.ts';
import { visitObjects } from './visit.ts';
import type { Options } from '@apidevtools/swagger-parser';
import type { OpenAPI } from 'openapi-types';
import type { DescriptionProblem } from '../contract.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Reporter } from './report.ts';

/** A key `<<`: swagger-parser's YAML schema has no merge keys. */
const MERGE_KEY = /(^|[\s{,])<<\s*:/m;

/**
 * Parses JSON or YAML with swagger-parser. A text that it rejects is parsed again here: duplicate keys are reported, and any other
 * error is thrown as an {@link AssayError} with file, line and column.
 */
export async function parseText(text: string, source: string, report: Reporter): Promise<JsonObject> {
  let size: number;
  let document: Json | undefined;
  try {
    const parsed = MERGE_KEY.test(text) ? undefined : await parseWithSwaggerParser(text, source);
    document = isObject(parsed) ? parsed : await parseYaml(text, source, report);
    size = expandedSize(document, new Map());
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const hint = 'Move nested parts to components, and refer to them with $ref.';
    throw usageError(`${source} is nested too deeply.`, hint, error);
  }
  if (!isObject(document)) throw notDescription(source, text);
  if (size <= MAX_VALUES) return document;
  const hint = 'A YAML alias contains itself or many others. Use $ref instead.';
  const message = `${source} expands to more than ${MAX_VALUES / 1e6} million values.`;
  throw usageError(message, hint);
}

/** Most values of a description with its YAML aliases expanded; the largest known descriptions have a tenth of it. */
const MAX_VALUES = 20_000_000;

/** Most levels of a description: recursion over it must not exhaust the stack. */
const MAX_LEVELS = 1000;

/** Counts the values in a value, with repeated objects as often as they occur; infinite if one contains itself. */
function expandedSize(value: Json, known: Map<Json, number>, level = 0): number {
  if (typeof value !== 'object' || value === null) return 1;
  if (level > MAX_LEVELS) throw new RangeError(`more than ${MAX_LEVELS} levels`);
  const before = known.get(value);
  if (before !== undefined) return before;
  known.set(value, Infinity);
  const sizeOf = (each: Json): number => expandedSize(each, known, level + 1);
  const size = Object.values(value).reduce<number>((sum, each: Json) => sum + sizeOf(each), 1);
  known.set(value, size);
  return size;
}

/** Parses a YAML file of this package. */
export async function parseFile(path: string): Promise<Json | undefined> {
  return parseWithSwaggerParser(await readFile(path, 'utf8'), path);
}

/** The value of a JSON or YAML text; undefined if swagger-parser cannot parse it. */
async function parseWithSwaggerParser(text: string, source: string): Promise<Json | undefined> {
  const { default: SwaggerParser } = await import('@apidevtools/swagger-parser');
  const parser = new SwaggerParser();
  try {
    await parser.parse(source, {
      resolve: { file: false, http: false, given: { order: 1, canRead: true, read: () => text } },
      parse: { text: false, binary: false },
    } as Options);
  } catch {
    // A syntax error leaves `api` null. Otherwise swagger-parser does not support the version, which the caller checks.
  }
  return (parser.api as unknown as Json | null) ?? undefined;
}

async function parseYaml(text: string, source: string, report: Reporter): Promise<Json> {
  const { parseDocument } = await import('yaml');
  if (/^\s*<(!doctype|html|\?xml)/i.test(text)) throw notDescription(source, text);
  const document = parseDocument(text, { merge: true, logLevel: 'silent' });
  for (const error of document.errors) {
    if (error.code === 'RESOURCE_EXHAUSTION') throw new RangeError(error.message);
    const { line, col } = error.linePos?.[0] ?? { line: 1, col: 1 };
    if (error.code !== 'DUPLICATE_KEY')
      throw (await jsonError(text, source)) ?? syntaxError(`${source}:${line}:${col}`, error);
    report.error('duplicate-key', '', `Line ${line} repeats a key.`, 'Remove one of them. The last one is used.');
  }
  try {
    return document.toJS({ maxAliasCount: 10_000 }) as Json;
  } catch (error) {
    throw error instanceof RangeError ? error : syntaxError(source, error);
  }
}

/** The error of a text that is meant as JSON, by its name or its beginning: that of YAML would not fit. */
async function jsonError(text: string, source: string): Promise<AssayError | undefined> {
  const isJson = /\.json$/i.test(source) || /^\s*[{[]/.test(text);
  const mistake = isJson ? await jsonMistake(text.replace(/^\uFEFF/, '')) : undefined;
  if (mistake === undefined) return undefined;
  const { what, line, column } = mistake;
  return usageError(`${source}:${line}:${column} is not valid JSON: ${what}.`, 'Correct the syntax there.');
}

function syntaxError(place: string, cause: unknown): AssayError {
  const reason = cause instanceof Error ? (cause.message.split(' at line ')[0] ?? '') : String(cause);
  return usageError(
    `${place} is neither JSON nor YAML: ${reason.replace(/[.:]$/, '')}.`,
    'Correct the syntax there.',
    cause,
  );
}

function notDescription(source: string, text: string): AssayError {
  const html = /^\s*<(!doctype|html)/i.test(text);
  return usageError(
    `${source} is ${html ? 'a web page' : 'not an OpenAPI description'}.`,
    html
      ? 'Use the URL of the description itself, which often ends in /swagger.json or /openapi.yaml, not of the page that shows it.'
      : 'Use a file that contains an object with the key openapi (3.0, 3.1) or swagger (2.0).',
  );
}

/** True if a `$ref` names another document: neither a place in this one nor the identifier of one of its schemas. */
export function hasExternalRefs(value: Json): boolean {
  const files = new Set<Json>();
  const identifiers = new Set<Json>();
  visitObjects(value, ({ $ref: ref, $id: id }, isData) => {
    if (isData) return;
    if (typeof ref === 'string' && /^[^#]*[./]/.test(ref)) files.add(ref.split('#')[0] ?? '');
    if (id !== undefined) identifiers.add(id);
  });
  return [...files].some((file) => !identifiers.has(file));
}

/** Stands for `$ref` in data, which swagger-parser would follow. */
const REF_IN_DATA = 'x-assay-data-ref';

function renameKey(node: JsonObject, from: string, to: string): void {
  const value = node[from];
  if (value === undefined) return;
  Reflect.deleteProperty(node, from);
  Reflect.set(node, to, value);
}

/** The names of authentication schemes have no case (RFC 9110, 11.1); a path parameter that is not required is reported as such. */
function makeAcceptable(node: JsonObject): void {
  if (node['type'] === 'http' && /^bearer$/i.test(scalarText(node['scheme']))) Reflect.set(node, 'scheme', 'bearer');
  if (node['in'] === 'path' && typeof node['name'] === 'string') Reflect.set(node, 'required', true);
}

/** A copy that swagger-parser may change, with a version that it supports. */
function copyForSwaggerParser(document: JsonObject): OpenAPI.Document {
  const copy = structuredClone(document) as Record<string, unknown>;
  visitObjects(copy as JsonObject, (node, isData) => {
    if (isData) renameKey(node, '$ref', REF_IN_DATA);
    else makeAcceptable(node);
  });
  const version = scalarText(document['openapi']);
  if ('swagger' in copy) copy['swagger'] = '2.0';
  else if (/^3\.0\.[0-4]$|^3\.1\.[0-2]$/.test(version)) copy['openapi'] = version;
  else copy['openapi'] = /^3(\.0(\.|$)|$)/.test(version) ? '3.0.4' : '3.1.0';
  const info = copy['info'];
  if (isObject(info) && typeof info['version'] === 'number')
    copy['info'] = { ...info, version: String(info['version']) };
  return copy as unknown as OpenAPI.Document;
}

/** A description read from a URL may refer to internal addresses; one read from a file may not make this machine call them. */
function resolveOptions(source: string): Pick<Options, 'resolve'> {
  return { resolve: { http: { timeout: 10_000, safeUrlResolver: !isUrl(source) } } };
}

/** The first line: the rest of a syntax error is an excerpt of the file. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n')[0] ?? message;
}

/** Bundles other documents into this one with swagger-parser; references that cannot be read are reported and stay. */
export async function bundle(document: JsonObject, source: string, report: Reporter): Promise<JsonObject> {
  const { default: SwaggerParser } = await import('@apidevtools/swagger-parser');
  const parser = new SwaggerParser();
  try {
    await parser.bundle(source, copyForSwaggerParser(document), { ...resolveOptions(source), continueOnError: true });
  } catch (error) {
    const hint = 'Put the file where the reference says, or bundle the description first. Any value is allowed.';
    for (const { pointer, reason } of unreadable(error))
      if (!scalarText(readPointer(document, pointer)).startsWith('#'))
        report.error('external-ref', pointer, `A reference to another document cannot be resolved: ${reason}.`, hint);
  }
  const bundled = parser.api as unknown as JsonObject | null;
  if (bundled === null) return document;
  visitObjects(bundled, (node) => renameKey(node, REF_IN_DATA, '$ref'));
  return bundled;
}

/** The references that swagger-parser could not read, and the reason; without a place, if it gave up. Those into the document itself too. */
function unreadable(error: unknown): readonly { readonly pointer: string; readonly reason: string }[] {
  const each: unknown = error instanceof Error && 'errors' in error ? error.errors : undefined;
  return (Array.isArray(each) ? (each as readonly unknown[]) : [error]).map((one) => {
    const path: unknown = one instanceof Error && 'path' in one ? one.path : undefined;
    const pointer = Array.isArray(path) ? pointerTo('', ...(path as readonly (string | number)[]), '$ref') : '';
    return { pointer, reason: messageOf(one).replace(/\.$/, '') };
  });
}

/** A failure reported by swagger-parser's validation; the pointer is that of the instance. */
export type ValidationDetail = Pick<DescriptionProblem, 'pointer' | 'message'> & {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly params: JsonObject;
};

/** A schema or a place in one: references there may stay, and it takes minutes to follow all of them. */
const IN_SCHEMA = /\/(?:schema$|components\/schemas\/)/;

/** Validates a description with swagger-parser. */
export async function validateDescription(written: JsonObject, source: string): Promise<readonly ValidationDetail[]> {
  const { default: SwaggerParser } = await import('@apidevtools/swagger-parser');
  const isOpenApi3 = 'openapi' in written;
  try {
    await SwaggerParser.validate(source, copyForSwaggerParser(written), {
      dereference: { circular: 'ignore', excludedPathMatcher: (path: string) => isOpenApi3 && IN_SCHEMA.test(path) },
      ...resolveOptions(source),
    });
    return [];
  } catch (error) {
    const details: unknown = error instanceof Error && 'details' in error ? error.details : undefined;
    const found = Array.isArray(details) ? details.flatMap(detailOf) : [];
    return found.length > 0
      ? found
      : [{ pointer: '', keyword: '', schemaPath: '', params: {}, message: messageOf(error) }];
  }
}

function detailOf(item: unknown): readonly ValidationDetail[] {
  if (!isObject(item) || typeof item['instancePath'] !== 'string') return [];
  return [
    {
      pointer: item['instancePath'],
      keyword: scalarText(item['keyword']),
      schemaPath: scalarText(item['schemaPath']),
      params: isObject(item['params']) ? item['params'] : {},
      message: scalarText(item['message']),
    },
  ];
}
