import { CORE_SCHEMA, Type, YAMLException, load } from 'js-yaml';
import { AssayError, EXIT } from '../../errors.ts';
import { isObject } from '../../json.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { Report } from '../problems.ts';

/** YAML 1.2 with merge keys; dates stay text, as JSON has them. */
const YAML_SCHEMA = CORE_SCHEMA.extend({
  implicit: [new Type('tag:yaml.org,2002:merge', { kind: 'scalar', resolve: (data) => data === '<<' })],
});

/** Parses JSON or YAML text; tells duplicate keys and throws an {@link AssayError} with the line for anything else. */
export function parseText(text: string, source: string, report: Report): JsonObject {
  const value = parseValue(text.replace(/^\uFEFF/, ''), source, report);
  if (isObject(value)) return value;
  throw notDescription(source, text);
}

function parseValue(text: string, source: string, report: Report): Json {
  if (/^\s*[{[]/.test(text)) {
    try {
      return JSON.parse(text) as Json;
    } catch {
      // YAML takes what JSON does not (comments, trailing commas), and its error has the line.
    }
  }
  if (/^\s*<(!doctype|html|\?xml)/i.test(text)) throw notDescription(source, text);
  return parseYaml(text, source, report);
}

function parseYaml(text: string, source: string, report: Report): Json {
  try {
    return load(text, { schema: YAML_SCHEMA }) as Json;
  } catch (error) {
    if (!(error instanceof YAMLException)) throw broken(error, source);
    if (!error.reason.startsWith('duplicated mapping key')) throw broken(error, source);
    report({
      code: 'duplicate-key',
      severity: 'error',
      pointer: '',
      message: `Line ${error.mark.line + 1} repeats a key.`,
      mend: 'Remove one of the two; the last one was taken.',
    });
    return parseTolerant(text, source);
  }
}

function parseTolerant(text: string, source: string): Json {
  try {
    return load(text, { schema: YAML_SCHEMA, json: true }) as Json;
  } catch (error) {
    throw broken(error, source);
  }
}

function broken(error: unknown, source: string): AssayError {
  const at = error instanceof YAMLException ? `:${error.mark.line + 1}:${error.mark.column + 1}` : '';
  const why = error instanceof YAMLException ? error.reason : String(error);
  return new AssayError(`${source}${at} is neither JSON nor YAML: ${why}.`, {
    hint: 'Mend the syntax at that line.',
    exitCode: EXIT.usage,
    cause: error,
  });
}

function notDescription(source: string, text: string): AssayError {
  const html = /^\s*<(!doctype|html)/i.test(text);
  return new AssayError(`${source} is ${html ? 'a web page' : 'no OpenAPI description'}.`, {
    hint: html
      ? 'Give the URL of the description itself, which often ends in /swagger.json or /openapi.yaml, not that of the page that shows it.'
      : 'Give a file that holds an object with the key openapi (3.0, 3.1) or swagger (2.0).',
    exitCode: EXIT.usage,
  });
}
