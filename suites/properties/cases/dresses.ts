import { isObject } from '../../../spec/index.ts';
import type { Json } from '../../../spec/index.ts';

/** Another way to write the same JSON. */
export interface Dress {
  /** The sentence that says it is accepted. */
  readonly requirement: string;
  readonly type?: string;
  readonly write: (value: Json) => string;
}

const plain = (value: Json): string => JSON.stringify(value);

/** By what a finding calls them. */
export const DRESSES: Readonly<Record<string, Dress>> = {
  'white space': {
    requirement: 'content.request-json',
    write: (value) => ` \r\n\t${JSON.stringify(value, null, '\t')}\n `,
  },
  escapes: { requirement: 'content.request-json', write: (value) => escaped(plain(value)) },
  'keys in another order': { requirement: 'content.request-json', write: (value) => plain(turned(value)) },
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
  'a charset': { requirement: 'content.request-json', type: 'application/json; charset=utf-8', write: plain },
  'media type and charset in capitals': {
    requirement: 'content.request-json',
    type: 'Application/JSON;charset=UTF-8',
    write: plain,
  },
  'escaped slashes': {
    requirement: 'content.request-json',
    write: (value) => plain(value).replaceAll('/', String.raw`\/`),
  },
  'characters beyond ASCII escaped': {
    requirement: 'content.request-json',
    write: (value) => plain(value).replaceAll(/[\u0080-\uFFFF]/g, (unit) => unicode(unit)),
  },
};

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

function turned(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(turned);
  return isObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([key, member]) => [key, turned(member)]),
      )
    : value;
}

/** A member that no description knows, with odd things in it: to be ignored or refused, never to be stumbled over. */
export const STRANGE_MEMBERS: Readonly<Record<string, string>> = {
  'an unknown member': '"assayUnknown":"x"',
  'an unknown object': '"assayUnknown":{"a":[1,{"b":null}]}',
  'a member __proto__': '"__proto__":{"assayPolluted":true}',
  'a member constructor': '"constructor":{"prototype":{"assayPolluted":true}}',
  'an integer past 64 bits': '"assayUnknown":18446744073709551617',
  'an exponent past doubles': '"assayUnknown":1e400',
  'minus zero': '"assayUnknown":-0',
  'a whole number with a fraction': '"assayUnknown":1.0',
  'an exponent with a sign': '"assayUnknown":1E+2',
  'a long number': `"assayUnknown":${'9'.repeat(400)}`,
  '30 lists in each other': `"assayUnknown":${'['.repeat(30)}${']'.repeat(30)}`,
  '200 lists in each other': `"assayUnknown":${'['.repeat(200)}${']'.repeat(200)}`,
  '2000 objects in each other': `"assayUnknown":${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`,
  'a text of 100,000 characters': `"assayUnknown":"${'a'.repeat(100_000)}"`,
  'a lone surrogate, escaped': String.raw`"assayUnknown":"\uD800"`,
  'an escaped null character': String.raw`"assayUnknown":"a\u0000b"`,
  'an empty name': '"":1',
  'a name with a dollar sign': '"$where":"1"',
  'a type name': '"$type":"System.Object, mscorlib"',
  'a thousand unknown members': Array.from({ length: 1000 }, (_, index) => `"assayUnknown${index}":${index}`).join(','),
};

/** The text of an object with one more member, written as given. */
export function withMember(json: string, member: string): string {
  if (!json.startsWith('{')) return json;
  return json === '{}' ? `{${member}}` : json.replace(/\}$/, `,${member}}`);
}
