import { serialiseParameter, undeclared } from './parameter.ts';
import { plainText } from './encode.ts';
import { isObject } from '../json.ts';
import type { Json } from '../json.ts';

/** A body in a media type, ready to send. */
export interface WrittenBody {
  readonly type: string;
  readonly content: string;
}

type Writer = (type: string, value: Json, files: readonly string[]) => WrittenBody;

const asJson: Writer = (type, value) => ({ type, content: JSON.stringify(value) });

/** The default encoding of OpenAPI: lists repeat the name. */
const asForm: Writer = (type, value) => {
  const fields = Object.entries(isObject(value) ? value : {}).map(([name, field]) =>
    serialiseParameter(undeclared(name, 'query'), field),
  );
  return { type, content: fields.filter((field) => field !== '').join('&') };
};

const asText: Writer = (type, value) => ({ type, content: plainText(value) });

/** One part per field, lists repeat it, nested values are JSON (RFC 7578). */
const asMultipart: Writer = (type, value, files) => {
  const fields = Object.entries(isObject(value) ? value : {}).flatMap(([name, field]): [string, Json][] =>
    Array.isArray(field) ? (field as readonly Json[]).map((item): [string, Json] => [name, item]) : [[name, field]],
  );
  const boundary = boundaryFor(fields.map(([, field]) => plainText(field)));
  const about = (name: string, field: Json): string => {
    if (files.includes(name)) return '; filename="assay.bin"\r\ncontent-type: application/octet-stream';
    return isObject(field) ? '\r\ncontent-type: application/json' : '';
  };
  const parts = fields.map(
    ([name, field]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${quotable(name)}"${about(name, field)}\r\n\r\n${plainText(field)}\r\n`,
  );
  return { type: `${type}; boundary=${boundary}`, content: `${parts.join('')}--${boundary}--\r\n` };
};

function quotable(name: string): string {
  return name.replaceAll(/["\r\n]/g, (char) => encodeURIComponent(char));
}

function boundaryFor(texts: readonly string[]): string {
  for (let count = 0; ; count += 1) {
    const boundary = `assay-part-${count}`;
    if (!texts.some((text) => text.includes(boundary))) return boundary;
  }
}

const WRITERS: readonly (readonly [RegExp, Writer])[] = [
  [/[/+]json\b/, asJson],
  [/^application\/x-www-form-urlencoded\b/, asForm],
  [/^multipart\//, asMultipart],
  [/^text\/(?!xml)|^application\/octet-stream\b/, asText],
];

function writerFor(type: string): Writer | undefined {
  return WRITERS.find(([pattern]) => pattern.test(type.toLowerCase()))?.[1];
}

/** True for media types that {@link writeBody} supports; others, such as XML, are written as JSON. */
export function isWritable(type: string): boolean {
  return writerFor(type) !== undefined;
}

/** A value as the body of a media type: JSON, a form, a multipart form or text; `files` are the fields of a form to send as files. */
export function writeBody(type: string, value: Json, files: readonly string[] = []): WrittenBody {
  return (writerFor(type) ?? asJson)(type, value, files);
}
