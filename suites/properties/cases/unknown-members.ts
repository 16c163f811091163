/** Members that no description knows, by name: to be ignored or refused, but no reason for a server error. */
export const UNKNOWN_MEMBERS: Readonly<Record<string, string>> = {
  'unknown-member': '"assayUnknown":"x"',
  'unknown-object': '"assayUnknown":{"a":[1,{"b":null}]}',
  'proto-member': '"__proto__":{"assayPolluted":true}',
  'constructor-member': '"constructor":{"prototype":{"assayPolluted":true}}',
  'integer-past-64-bits': '"assayUnknown":18446744073709551617',
  'exponent-past-double': '"assayUnknown":1e400',
  'minus-zero': '"assayUnknown":-0',
  'integer-with-fraction': '"assayUnknown":1.0',
  'signed-exponent': '"assayUnknown":1E+2',
  'long-number': `"assayUnknown":${'9'.repeat(400)}`,
  'nested-lists-30': `"assayUnknown":${'['.repeat(30)}${']'.repeat(30)}`,
  'nested-lists-200': `"assayUnknown":${'['.repeat(200)}${']'.repeat(200)}`,
  'nested-objects-2000': `"assayUnknown":${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`,
  'long-text': `"assayUnknown":"${'a'.repeat(100_000)}"`,
  'escaped-lone-surrogate': String.raw`"assayUnknown":"\uD800"`,
  'escaped-null-character': String.raw`"assayUnknown":"a\u0000b"`,
  'empty-name': '"":1',
  'dollar-name': '"$where":"1"',
  'type-name': '"$type":"System.Object, mscorlib"',
  '1000-unknown-members': Array.from({ length: 1000 }, (_, index) => `"assayUnknown${index}":${index}`).join(','),
};

/** The text of an object with one more member, written as given. */
export function withMember(json: string, member: string): string {
  if (!json.startsWith('{')) return json;
  return json === '{}' ? `{${member}}` : json.replace(/\}$/, `,${member}}`);
}
