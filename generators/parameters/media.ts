import type { MediaContent, RequestBody } from '../../spec/index.ts';

/** The content that generated bodies are for: JSON before its relatives, none where a body can't be written as JSON. */
export function jsonContent(body: RequestBody | undefined): MediaContent | undefined {
  const contents = body?.content ?? [];
  const plain = contents.find(({ type }) => type === 'application/json' || type.startsWith('application/json;'));
  return plain ?? contents.find(({ type }) => /[/+]json\b/.test(type)) ?? contents.find(({ type }) => type === '*/*' || type === 'application/*');
}

/** A media type to send for one that may be a range. */
export function concreteType(type: string): string {
  if (type === 'application/*+json') return 'application/vnd.assay+json';
  return type.includes('*') ? 'application/json' : type;
}
