import { isObject } from '../../json.ts';
import { pointerTo } from '../../pointer.ts';
import { follow } from './read.ts';
import type { MediaContent, RequestBody, ResponseSpec, SchemaRef } from '../../contract.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { LocatedNode, Reading } from './read.ts';

/** The `schema` of an object of the document; undefined if there is none. */
export function schemaIn({ schema }: JsonObject, pointer: string): SchemaRef | undefined {
  return typeof schema === 'boolean' || isObject(schema)
    ? { pointer: pointerTo(pointer, 'schema'), schema }
    : undefined;
}

/** The examples of a media type, or else of its schema. */
function examplesOf(reading: Reading, media: JsonObject, schema: SchemaRef | undefined): readonly Json[] {
  const named = isObject(media['examples']) ? Object.values(media['examples']) : [];
  const own = named.flatMap((item) => {
    const example = follow(reading.document, item, '')?.node;
    return example !== undefined && 'value' in example ? [example['value']] : [];
  });
  if (media['example'] !== undefined) return [media['example'], ...own];
  return own.length > 0 ? own : schemaExamples(reading, schema);
}

function schemaExamples(reading: Reading, schema: SchemaRef | undefined): readonly Json[] {
  const node = schema === undefined ? undefined : follow(reading.document, schema.schema, schema.pointer)?.node;
  if (node === undefined) return [];
  const listed = node['examples'];
  if (node['example'] !== undefined) return [node['example']];
  return Array.isArray(listed) ? (listed as readonly Json[]) : [];
}

/**
 * The content of a body or response; media types in lower case, without parameters. Of types that differ in these only, the first is
 * sent. A response may have the schema of any of them, so that it has none where they differ.
 */
function contentOf(reading: Reading, { node, pointer }: LocatedNode, isSent: boolean): readonly MediaContent[] {
  const content = node['content'];
  if (!isObject(content)) return [];
  const found = new Map<string, MediaContent>();
  for (const [written, media] of Object.entries(content)) {
    const type = (written.split(';')[0] ?? '').trim().toLowerCase();
    const at = pointerTo(pointer, 'content', written);
    if (!/^[^\s/]+\/[^\s/]+$/.test(type)) {
      reading.report.warning('media-type', at, `"${written}" is not a media type.`, 'Ignored.');
      continue;
    }
    const known = found.get(type);
    const each = mediaOf(reading, type, isObject(media) ? media : {}, at);
    if (known === undefined) found.set(type, each);
    else if (!isSent && JSON.stringify(known.schema?.schema) !== JSON.stringify(each.schema?.schema))
      found.set(type, { type, examples: known.examples });
  }
  return [...found.values()];
}

function mediaOf(reading: Reading, type: string, media: JsonObject, pointer: string): MediaContent {
  const schema = schemaIn(media, pointer);
  const files = type.startsWith('multipart/') && schema !== undefined ? filesOf(reading, schema) : [];
  return {
    type,
    ...(schema === undefined ? {} : { schema }),
    ...(files.length === 0 ? {} : { files }),
    examples: examplesOf(reading, media, schema),
  };
}

/** The fields of a form that hold a file or a list of files. */
function filesOf(reading: Reading, { schema, pointer }: SchemaRef): readonly string[] {
  const isFile = (field: Json): boolean => {
    const node = follow(reading.document, field, '')?.node ?? {};
    const { format, contentMediaType, contentEncoding, items } = node;
    if (format === 'binary' || (contentMediaType !== undefined && contentEncoding === undefined)) return true;
    return isObject(items) && !('items' in items) && isFile(items);
  };
  const properties = follow(reading.document, schema, pointer)?.node['properties'];
  return isObject(properties) ? Object.keys(properties).filter((name) => isFile(properties[name] ?? {})) : [];
}

/** A response that allows anything. */
export const ANY_RESPONSE: ResponseSpec = { status: 'default', content: [], headers: {} };

function headersOf(reading: Reading, place: LocatedNode): ResponseSpec['headers'] {
  const headers = place.node['headers'];
  if (!isObject(headers)) return {};
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, header]) => {
      const found = follow(reading.document, header, pointerTo(place.pointer, 'headers', name));
      if (found === undefined || name.toLowerCase() === 'content-type') return [];
      const schema = schemaIn(found.node, found.pointer);
      return [
        [
          name.toLowerCase(),
          { required: found.node['required'] === true, ...(schema === undefined ? {} : { schema }) },
        ],
      ];
    }),
  );
}

function responseOf(reading: Reading, written: string, response: Json, pointer: string): ResponseSpec | undefined {
  const status = /^[1-5](xx|XX)$/.test(written) ? written.toUpperCase() : written;
  if (status !== 'default' && !/^[1-5](\d\d|XX)$/.test(status)) {
    if (!written.startsWith('x-')) {
      const hint = 'Use a status code, 4XX or default. Ignored.';
      reading.report.warning('status', pointer, `"${written}" is not a status.`, hint);
    }
    return undefined;
  }
  const place = follow(reading.document, response, pointer) ?? { node: {}, pointer };
  return { status, content: contentOf(reading, place, false), headers: headersOf(reading, place) };
}

/** The responses of an operation; if it has none, any response is allowed. */
export function responsesOf(reading: Reading, operation: JsonObject, pointer: string): readonly ResponseSpec[] {
  const written = operation['responses'];
  const found = isObject(written)
    ? Object.entries(written).flatMap(
        ([status, response]) => responseOf(reading, status, response, pointerTo(pointer, 'responses', status)) ?? [],
      )
    : [];
  if (found.length > 0) return found;
  const hint = 'Describe at least the success response. Any response is allowed.';
  const at = written === undefined ? pointer : pointerTo(pointer, 'responses');
  reading.report.warning('responses-missing', at, 'No response is described.', hint);
  return [ANY_RESPONSE];
}

const BODILESS: readonly string[] = ['GET', 'HEAD', 'TRACE'];

/** The request body of an operation; undefined if its method cannot have one. */
export function bodyOf(
  reading: Reading,
  method: string,
  operation: JsonObject,
  pointer: string,
): RequestBody | undefined {
  const { document, report } = reading;
  const at = pointerTo(pointer, 'requestBody');
  const place = follow(document, operation['requestBody'], at);
  if (place === undefined) return undefined;
  if (BODILESS.includes(method)) {
    report.warning('body-method', at, `${method} cannot have a body.`, 'Ignored.');
    return undefined;
  }
  if (method === 'DELETE')
    report.note('delete-body', at, 'Some servers and gateways drop the body of a DELETE.', 'Sent as described.');
  const content = contentOf(reading, place, true);
  if (content.length === 0) {
    report.warning('body-content', at, 'The body has no media type.', 'Ignored.');
    return undefined;
  }
  if (typeof place.node['required'] !== 'boolean') {
    const hint = 'It is always sent; requests without it are not tested.';
    report.note('body-required', at, 'The body does not say whether it is required.', hint);
  }
  return { required: place.node['required'] === true, content };
}
