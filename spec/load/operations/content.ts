import { isObject } from '../../json.ts';
import { pointerTo } from '../../pointer.ts';
import { follow } from './read.ts';
import type { MediaContent, SchemaRef } from '../../contract.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { Reading } from './read.ts';

/** The schema under a key, where there is one. */
export function schemaAt(node: JsonObject, key: string, pointer: string): SchemaRef | undefined {
  const schema = node[key];
  return typeof schema === 'boolean' || isObject(schema) ? { pointer: pointerTo(pointer, key), schema } : undefined;
}

/** Example values of a media type: its own, else those of its schema. */
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

/** Content of a body or response; media types in lower case and without parameters. */
export function contentOf(reading: Reading, node: JsonObject, pointer: string): readonly MediaContent[] {
  const content = node['content'];
  if (!isObject(content)) return [];
  const found = new Map<string, MediaContent>();
  for (const [written, media] of Object.entries(content)) {
    const type = (written.split(';')[0] ?? '').trim().toLowerCase();
    if (!/^[^\s/]+\/[^\s/]+$/.test(type)) {
      reading.report({
        code: 'media-type',
        severity: 'warning',
        pointer: pointerTo(pointer, 'content', written),
        message: `"${written}" is no media type.`,
        mend: 'Left out.',
      });
    } else if (!found.has(type)) {
      found.set(type, mediaOf(reading, type, isObject(media) ? media : {}, pointerTo(pointer, 'content', written)));
    }
  }
  return [...found.values()];
}

function mediaOf(reading: Reading, type: string, media: JsonObject, pointer: string): MediaContent {
  const schema = schemaAt(media, 'schema', pointer);
  return { type, ...(schema === undefined ? {} : { schema }), examples: examplesOf(reading, media, schema) };
}
