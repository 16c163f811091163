import { isObject } from '../../spec/index.ts';
import type { Json } from '../../spec/index.ts';

/** A body as text, for what no parsed value can say. */
export interface RawBody {
  readonly label: string;
  readonly text: string;
}

const MARK = 'assay-mark';

/** Well-formed JSON texts around a valid object that parsers and stores are known to get wrong. */
export function rawBodies(value: Json): RawBody[] {
  const wrapped: readonly RawBody[] = [
    { label: 'white space around everything', text: ` \n\t${JSON.stringify(value, null, 2)}\r\n ` },
    { label: 'a byte order mark first', text: `\uFEFF${JSON.stringify(value)}` },
    { label: 'every character escaped', text: escaped(JSON.stringify(value)) },
  ];
  return isObject(value) ? [...wrapped, ...inText(value), ...extraMember(value)] : [...wrapped];
}

function inText(value: Readonly<Record<string, Json>>): RawBody[] {
  const name = Object.keys(value).find((key) => typeof value[key] === 'string' && value[key] !== '');
  if (name === undefined) return [];
  const say = (label: string, literal: string): RawBody => ({
    label: `${label} in ${name}`,
    text: JSON.stringify({ ...value, [name]: MARK }).replace(`"${MARK}"`, literal),
  });
  return [
    say('a lone high surrogate, escaped,', String.raw`"a\uD800b"`),
    say('a lone low surrogate, escaped,', String.raw`"a\uDC00b"`),
    say('surrogates in the wrong order', String.raw`"\uDE00\uD83D"`),
    say('an escaped pair of surrogates', String.raw`"\uD83D\uDE00"`),
    say('an escaped null character', String.raw`"a\u0000b"`),
    say('an escaped slash', String.raw`"a\/b"`),
    say('a number of 400 digits', '9'.repeat(400)),
    { label: `${name} twice`, text: JSON.stringify(value).replace('{', `{${JSON.stringify(name)}:"first",`) },
  ];
}

function extraMember(value: Json): RawBody[] {
  const add = (label: string, literal: string): RawBody => {
    const text = JSON.stringify(value);
    return {
      label: `an unknown member: ${label}`,
      text: text === '{}' ? `{${literal}}` : text.replace(/\}$/, `,${literal}}`),
    };
  };
  return [
    add('__proto__', '"__proto__":{"assayPolluted":true}'),
    add('constructor', '"constructor":{"prototype":{"assayPolluted":true}}'),
    add('an integer past 64 bits', '"assayUnknown":18446744073709551617'),
    add('an exponent past doubles', '"assayUnknown":1e400'),
    add('minus zero', '"assayUnknown":-0'),
    ...[33, 200, 2000].map((depth) =>
      add(`${depth} lists in each other`, `"assayUnknown":${'['.repeat(depth)}${']'.repeat(depth)}`),
    ),
    ...[33, 200, 2000].map((depth) =>
      add(`${depth} objects in each other`, `"assayUnknown":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
    ),
    add('a text of 100,000 characters', `"assayUnknown":"${'a'.repeat(100_000)}"`),
  ];
}

/** Letters inside texts as \u escapes: another dress for the same value. */
function escaped(json: string): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) =>
    text.replaceAll(/(\\u[0-9a-fA-F]{4}|\\.)|[a-zA-Z]/g, (part: string, escape: string | undefined) =>
      escape === undefined ? `\\u${part.charCodeAt(0).toString(16).padStart(4, '0')}` : part,
    ),
  );
}
