import { words } from '../../spec/words.ts';

/** Ordinary property names. */
export const PLAIN_KEYS: readonly string[] = words('alpha beta gamma delta city team source owner region tier');

/** Property names that maps, paths, queries and stores often handle incorrectly. */
export const INTERESTING_KEYS: readonly string[] = [
  '__proto__',
  'constructor',
  'a.b',
  'a b',
  '',
  ...words(`key[0] A a/b a~b $ref it's "q" toString hasOwnProperty 0 -1 null id name type`),
  '\u00E9',
  'e\u0301',
  '\u65E5\u672C',
  '\u{1F600}',
  ' lead',
  'trail ',
  ...words('a:b a#b a=b&c a,b a;b a%20b a+b <k> {k} * $where @type length prototype valueOf'),
  'k'.repeat(65),
  'k'.repeat(129),
  'k'.repeat(257),
  '\u200B',
  '\n',
];
