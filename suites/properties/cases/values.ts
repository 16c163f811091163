/* Values that programs often get wrong. A property with few cases tests only the beginning of each list. */

/** The words of a text, as a short notation for lists of texts without spaces. */
function words(list: string): readonly string[] {
  return list.split(' ');
}

/** Texts of one class of characters each, so that a finding names the class. */
export const TEXTS: readonly string[] = [
  '',
  ...words(`O'Brien \u{1F600}\u{20BB7}`),
  'say "hi" \\ now',
  '<b>bold</b> & <script>x</script>',
  ' leading and trailing ',
  'one\r\ntwo\nthree\tfour',
  'null',
  '100% of_it *all* [some] (x) {y}? +1 ^$ |',
  'e\u0301 A\u030A \uFB01 \u00C5ngstr\u00F6m',
  '\u05E9\u05DC\u05D5\u05DD \u0645\u0631\u062D\u0628\u0627',
  'na\u00EFve M\u00FCller \u00DF\u00F8',
  '\u65E5\u672C\u8A9E \uD55C\uAE00 \u041F\u0440\u0438\u0432\u0435\u0442',
  'a\u0001b\u001Fc\u007F',
  '{{x}} ${y} #{z} <%= w %> %{v}',
  'c:\\dir\\file / etc / ..',
  ...words(`1234 a\u0000b`),
  '\u202Eright\u202C to \u2066left\u2069 \u200B\uFEFFzero\u200D',
  ...words(`0 true`),
  'Upper CASE Text',
  'a;b,c:d|e=f&g#h@i~j`k!',
  ' ',
  '007',
  `'; DROP TABLE x; -- /* y */`,
  ...words(`__proto__ -1 1.5e10 undefined NaN false`),
  ...words(`\u{1F468}\u200D\u{1F469}\u200D\u{1F467}\u{1F44D}\u{1F3FD}\u{1F1E9}\u{1F1F0} \uD800 a%20b%2Fc%00+d`),
  ...words(`https://example.org/a?b=c&d=e#f ada@example.org 2024-02-29T12:00:00Z`),
  ...words(`00000000-0000-0000-0000-000000000000 ABCDEF01-2345-6789-ABCD-EF0123456789 \u2028\u2029\u0085\u00A0`),
  '  two  spaces  ',
  '\t',
  '\n',
  ...words(`{"a":1} [] constructor a.b.c`),
  'x y z',
  ...words(`_ - . .. * ? % / \\ " # $x @`),
  '\u20AC 5,00',
  '\u0130stanbul \u0131\u017F\u1E9E',
  '&amp; &lt; &#39;',
  ...words(`None default admin`),
  'SELECT 1',
  '=1+1',
  '+49 30 123',
  '\uFFFD\uFFFE\uFFFF',
  '\u0E01\u0E33 \u0915\u094D\u0937 \u1112\u1161',
  ...words(`\uFF21\uFF22\uFF11 A Z`),
  'a  ',
  '\u00E9',
  '\uFEFFmark \u00AD\u200C',
  ...words(`-- 1,000 12:30 0x1F 1e400 yes no NULL Infinity () <> on ~ ^ \` | ; : & = + , !`),
];

/** Texts that look like numbers, times and other values, and lose something where a program takes them for those. */
export const LOOKALIKES: readonly string[] = words(
  `1.10 007 +1 1e3 3000000000 9007199254740993 true False null 2024-02-29T12:00:00+02:00 2024-02-29 12:30`,
);

/** Lengths of texts: below, at and above the limits that programs usually have. */
export const LENGTHS: readonly number[] = [
  65, 257, 1, 129, 1025, 4097, 33, 513, 64, 256, 2, 65_537, 101, 100, 128, 255, 32, 51, 2049, 8193, 16, 10, 20, 50, 201,
  3, 17, 41, 501, 500, 1000, 1024, 63, 127, 31, 21, 80, 81, 40, 200, 10_001, 4000, 4096, 1023, 32_767, 16_385, 32_769,
  511, 512, 2048, 4095, 2047, 65_536, 65_535, 5, 4, 8, 7, 9, 15, 30, 60, 72, 99, 150, 250, 300, 400, 999, 1001, 1500,
  2000, 4001, 8192, 8191, 10_000, 16_384, 20_000, 32_768, 6, 11, 12, 24, 25, 26, 36, 48, 75, 90, 120, 140, 160, 240,
  254, 320, 49,
];

/** Texts with more bytes than characters, around limits that count bytes: 102, 129, 256 and 258. */
export const WIDE_TEXTS: readonly string[] = [
  '\u00E9'.repeat(51),
  '\u6F22'.repeat(43),
  '\u{1F600}'.repeat(64),
  '\u6F22'.repeat(86),
];

/** Sizes of lists and maps. */
export const COUNTS: readonly number[] = [
  0, 1, 2, 6, 11, 51, 3, 9, 17, 101, 33, 65, 16, 10, 4, 5, 7, 8, 129, 257, 501, 20, 21, 32, 64, 12, 26, 100, 1025, 128,
  256, 13, 15, 25, 31, 41, 50, 2501,
];

/** Names in maps. */
export const KEYS: readonly string[] = [
  ...words(`a.b A`),
  'a b',
  ...words(`a/b a~b __proto__ a-b`),
  '',
  ...words(`1 $a constructor`),
  // Not the composed form of another key, which a storage may normalise.
  ...words(`\u00FC \u{1F600} a'b a"b a[0] a:b Key a\\b a%b a&b=c <a> a,b a;b a+b a@b a#b`),
  ' a',
  'a ',
  'a\nb',
  ...words(`{a} * toString id name type null _a a?b . a..b a.b.c a.b.c.d length prototype 0 -1 camelCase`),
  ...words(`snake_case UPPER e\u0301 \u65E5\u672C @type # a\u0000b`),
  'k'.repeat(33),
  'k'.repeat(65),
  'k'.repeat(129),
  'k'.repeat(257),
];

/** Numbers; callers leave out those that a schema does not allow. */
export const NUMBERS: readonly number[] = [
  0, -1, 1, 2_147_483_647, -2_147_483_648, 2, 7, 100, 101, 1000, 10, 5, 3, 50, 255, 256, 999, 1001, 65_536, 99, 32_768,
  13, 20, 21, 500, 10_000, 100_001, 1_000_000, 9_007_199_254_740_991, -100, 4, 6, 8, 9, 11, 12, 16, 17, 25, 32, 33, 42,
  64, 65, 127, 128, 200, 201, 365, 512, 1024, 4096, 1.5, 0.1,
];
