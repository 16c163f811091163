import { isWritable } from '../../spec/index.ts';
import type { MediaContent, RequestBody } from '../../spec/index.ts';

/** The content that generated bodies are for: JSON before its relatives, then forms and text, none where a body can't be written. */
export function bodyContent(body: RequestBody | undefined): MediaContent | undefined {
  const contents = body?.content ?? [];
  const plain = contents.find(({ type }) => type === 'application/json' || type.startsWith('application/json;'));
  const json =
    plain ??
    contents.find(({ type }) => isJson(type)) ??
    contents.find(({ type }) => type === '*/*' || type === 'application/*');
  return json ?? contents.find(({ type }) => !type.includes('*') && isWritable(type));
}

/** True for media types, ranges too, whose bodies are sent as JSON. */
export function isJson(type: string): boolean {
  return /[/+]json\b/.test(type) || type.includes('*');
}

/** A media type to send for one that may be a range. */
export function concreteType(type: string): string {
  if (type === 'application/*+json') return 'application/vnd.assay+json';
  return type.includes('*') ? 'application/json' : type;
}
