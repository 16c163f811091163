import { isWritable } from '../../spec/index.ts';
import type { MediaContent, RequestBody } from '../../spec/index.ts';

/** The content to generate bodies for: JSON first, then forms and text; undefined if none can be written. */
export function bodyContent(body: RequestBody | undefined): MediaContent | undefined {
  const contents = body?.content ?? [];
  const plain = contents.find(({ type }) => type === 'application/json' || type.startsWith('application/json;'));
  const json =
    plain ??
    contents.find(({ type }) => isJson(type)) ??
    contents.find(({ type }) => type === '*/*' || type === 'application/*');
  return json ?? contents.find(({ type }) => !type.includes('*') && isWritable(type));
}

/** True for media types and ranges whose bodies are sent as JSON. */
export function isJson(type: string): boolean {
  return /[/+]json\b/.test(type) || type.includes('*');
}

/** The media type to send for a media type or range. */
export function concreteType(type: string): string {
  if (type === 'application/*+json') return 'application/vnd.assay+json';
  return type.includes('*') ? 'application/json' : type;
}
