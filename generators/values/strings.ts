/* Interesting texts: each represents a class of inputs that programs often handle incorrectly. None contains a lone
 * surrogate, which UTF-8 cannot encode. Invisible characters are written as escapes. */

import { words } from '../../spec/words.ts';

/** The most important texts: the systematic sweep sends each of them, and each of {@link FIRST_LENGTHS}, in every field. */
export const FIRST_TEXTS: readonly string[] = [
  '',
  `O'Brien`,
  '"quoted" \\ back\\slash',
  '<b>&amp;</b> <script>alert(1)</script>',
  '\u{1F600}\u{1F468}\u200D\u{1F469}\u200D\u{1F467} \u{20BB7}',
  ' leading and trailing ',
  'line one\nline two\r\n\ttabbed',
  '100% _under_ *star* ?',
  'a+b c%20d%2Fe&f=g#h;i',
  '../../etc/passwd, name|at@b.c:d',
  'null',
  '0',
  'e\u0301 \u00E9 A\u030A \uFB01 \u0130\u0131 \u00DF',
  '\u202Eabc\u202C \u200Bzero\u200D\uFEFF width\u00AD',
  '\u05E9\u05DC\u05D5\u05DD \u0645\u0631\u062D\u0628\u0627 \u65E5\u672C \uD55C \u041F\u0440\u0438',
  '{{7*7}} ${7*7} #{7*7} <%= 7 %> $(id) `id` (x) [y]',
  `' OR '1'='1'; DROP TABLE x; --`,
  '__proto__',
  'true',
  '\u0001\u001F\u007F\u0085\u2028\u2029',
  'A',
  ' ',
];

/** The most important lengths. */
export const FIRST_LENGTHS: readonly number[] = [257, 4097, 64, 1025, 256, 8193, 128, 255, 100, 32];

/** Lengths around common sizes of columns, buffers and limits. */
export const MORE_LENGTHS: readonly number[] = [
  65, 1001, 33, 129, 51, 2049, 101, 17, 513, 20_001, 31, 63, 127, 50, 500, 1024, 1000, 200, 40, 80, 10, 26, 4096, 2000,
  5000, 16, 20,
];

/** Further texts for random cases. */
export const MORE_TEXTS: readonly string[] = [
  ...words(`
    -1 1e400 undefined [1,"two",{}] 2024-02-30T25:61:61Z 00000000-0000-0000-0000-000000000000 %PATH%
    constructor toString hasOwnProperty NaN Infinity -Infinity false None nil NULL Null yes no on off 1 01
    007 1.0 1. .5 1e3 0x10 2147483647 2147483648 -2147483649 9007199254740993 9223372036854775808 1,000
  `),
  '\u0661\u0662\u0663',
  ...words(`{} [] {"a":1} "" '' " '`),
  '`',
  '\\',
  '\\\\',
  '\\n',
  '\\u0041',
  ...words('% %% %s%n%d %00 %ZZ _ * ? . .. / // ~ ~0~1 : # & + ; , = | @ $ ^ ( ) { } < > ! - -- /* */ //x'),
  '\t',
  '\n',
  '\r',
  '\r\n',
  '\u00A0',
  '\u3000',
  '\u2003',
  '\u200B',
  '\uFEFF',
  '\uFEFFbom',
  '  ',
  ' x',
  'x ',
  'x  y',
  '\u0000',
  'a\u0000b',
  '\u0008',
  '\u000B',
  '\u001B[31mred\u001B[0m',
  '\u0080',
  '\uFFFD',
  '\uFFFE',
  '\uFFFF',
  '\u{1F1E9}\u{1F1F0}',
  '\u{1F44D}\u{1F3FD}',
  '\u{10FFFF}',
  '\u{1D400}',
  'Z\u0351\u036B\u0343\u036A',
  '\u1112\u1161\u11AB',
  '\u0E01\u0E33',
  '\u0915\u094D\u0937',
  '\uFF21\uFF22',
  '\u01C4',
  '\u017F',
  '\u212A',
  'I\u0307',
  '\u03C2\u03C3',
  '<!-- x -->',
  '<![CDATA[x]]>',
  '<?xml version="1.0"?>',
  '&lt;',
  '&#39;',
  '&nbsp;',
  'javascript:alert(1)',
  '<img src=x onerror=alert(1)>',
  '${jndi:ldap://127.0.0.1/a}',
  '{{constructor.constructor("return 1")()}}',
  'SELECT 1',
  `1' AND SLEEP(0)--`,
  '; ls',
  '| cat',
  '$(true)',
  '\u0024{x}',
  ...words('%{x} {0} {name} :id @param CON nul'),
  'C:\\Windows',
  '/dev/null',
  'file:///x',
  'http://127.0.0.1/',
  'a@example.org',
  'x'.repeat(10),
  'aA',
  'ABC',
  'abc',
  'Abc DEF',
  ...words(`
    camelCase snake_case kebab-case dotted.key.name /Person /Person#source:1 1.2.3 1.10.0 v1 default admin
    test all id length asc desc 1970-01-01 1970-01-01T00:00:00Z 9999-12-31T23:59:59.999Z 0001-01-01
    FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF {00000000-0000-0000-0000-000000000000}
  `),
];

/** Characters for random texts; each string is one class. */
export const ALPHABETS: readonly string[] = [
  'abcdefghijklmnopqrstuvwxyz',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  '0123456789',
  ` !"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`,
  ' \t\n\r\u00A0\u2003\u3000\u200B',
  '\u00E0\u00E9\u00EE\u00F5\u00FC\u00DF\u00E6\u00F8\u00E5\u0141\u017C\u010D',
  '\u0410\u0411\u0432\u0433\u0394\u03BB\u05D0\u05D1\u0627\u0628\u0E01\u4E2D\u6587\u3042\uAC00',
  '\u{1F600}\u{1F680}\u{1F44D}\u{1F4A9}\u{20BB7}\u{1D54F}\u{10FFFF}',
  'ae\u0301o\u0308\u200D\uFE0F\u20E3',
];

/** Harmless words for plain texts. */
export const PLAIN_WORDS: readonly string[] = words(`
  alpha beta gamma delta person customer order invoice city Copenhagen Ada Grace north south blue green
  one two three daily
`);
