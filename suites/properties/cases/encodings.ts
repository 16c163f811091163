import { covers, isObject } from '../../../spec/index.ts';
import type { Json, Operation } from '../../../spec/index.ts';

/** Another way to write the same JSON. */
export interface Encoding {
  /** The requirement that it is accepted. */
  readonly requirement: string;
  readonly type?: string;
  /** How the JSON is written, for messages; for encodings of the usual media type. */
  readonly syntax?: string;
  readonly write: (value: Json) => string;
}

const plain = (value: Json): string => JSON.stringify(value);

/** By name; the name is part of the subject of findings. */
export const ENCODINGS: Readonly<Record<string, Encoding>> = {
  'white-space': {
    requirement: 'content.request-json',
    syntax: 'white space around the JSON',
    write: (value) => ` \r\n\t${JSON.stringify(value, null, '\t')}\n `,
  },
  escapes: {
    requirement: 'content.request-json',
    syntax: String.raw`letters written as \u escapes`,
    write: (value) => escaped(plain(value)),
  },
  'reordered-keys': {
    requirement: 'content.request-json',
    syntax: 'the members of objects in reverse order',
    write: (value) => plain(reversed(value)),
  },
  'text/json': { requirement: 'content.request-text-json', type: 'text/json', write: plain },
  'application/vnd.assay+json': {
    requirement: 'content.request-any-json',
    type: 'application/vnd.assay+json',
    write: plain,
  },
  'application/json-patch+json': {
    requirement: 'content.request-json-patch',
    type: 'application/json-patch+json',
    write: plain,
  },
  charset: { requirement: 'content.request-json', type: 'application/json; charset=utf-8', write: plain },
  'upper-case-type': { requirement: 'content.request-json', type: 'Application/JSON;charset=UTF-8', write: plain },
  'escaped-slashes': {
    requirement: 'content.request-json',
    syntax: String.raw`slashes written as \/`,
    write: (value) => plain(value).replaceAll('/', String.raw`\/`),
  },
  'escaped-non-ascii': {
    requirement: 'content.request-json',
    syntax: String.raw`non-ASCII characters written as \u escapes`,
    write: (value) => plain(value).replaceAll(/[\u0080-\uFFFF]/g, (unit) => unicode(unit)),
  },
};

/** How the plain request and one in the encoding are sent, for messages. */
export function namesOf({ type, syntax = '' }: Encoding): readonly [string, string] {
  return type === undefined ? ['plain JSON', syntax] : ['Content-Type "application/json"', `Content-Type "${type}"`];
}

/** The encodings in media types that the description offers for the body of an operation. */
export function encodingsOf({ body }: Operation): readonly (readonly [string, Encoding])[] {
  const isOffered = (type: string): boolean => {
    const [plainType = ''] = type.toLowerCase().split(';');
    return body?.content.some((each) => covers(each.type, plainType)) === true;
  };
  return Object.entries(ENCODINGS).filter(([, { type }]) => type === undefined || isOffered(type));
}

/** Letters inside texts as `\u` escapes. */
function escaped(json: string): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) =>
    text.replaceAll(/(\\u[0-9a-fA-F]{4}|\\.)|[a-zA-Z]/g, (part: string, escape: string | undefined) =>
      escape === undefined ? unicode(part) : part,
    ),
  );
}

function unicode(text: string): string {
  return Array.from(
    { length: text.length },
    (_, index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}

function reversed(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(reversed);
  return isObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([key, member]) => [key, reversed(member)]),
      )
    : value;
}
