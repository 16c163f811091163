import { assert, constantFrom, integer, property, string, tuple, array } from 'fast-check';
import { expect, it } from 'vitest';
import { createRedactor } from './redact.ts';
import { createSearch } from './secret-search.ts';

const SECRETS = ['OM39HQweeUbeGYfja23r70K5OiWIr5qiu_zRfYKypnk', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.c2lnbmF0dXJl'];

const search = createSearch(SECRETS);
const mayContain = (text: string): boolean => search(Buffer.from(text));

const hexOf = (each: string): string => each.charCodeAt(0).toString(16).padStart(2, '0');

/** Ways to write a character. */
const SPELLINGS: readonly ((each: string) => string)[] = [
  (each) => each,
  (each) => each.toUpperCase(),
  (each) => `%${hexOf(each)}`,
  (each) => `%2525${hexOf(each).toUpperCase()}`,
  (each) => String.raw`\u00${hexOf(each)}`,
  (each) => String.raw`\\u{0${hexOf(each)}}`,
  (each) => String.raw`\x${hexOf(each)}`,
  (each) => `\\${each}`,
  (each) => `&#x${hexOf(each)};`,
  (each) => `&amp;#${each.charCodeAt(0)};`,
];

const BREAKS = ['', '', '', '\n', '=\r\n ', String.raw`\r\n`, String.raw`\\n`];

it('finds every text that a redactor changes', () => {
  let redactions = 0;
  const written = tuple(
    constantFrom(...SECRETS),
    string(),
    array(tuple(integer({ min: 0, max: SPELLINGS.length - 1 }), constantFrom(...BREAKS)), {
      minLength: 60,
      maxLength: 60,
    }),
  );
  assert(
    property(written, ([secret, before, how]) => {
      const text =
        before + Array.from(secret, (each, index) => SPELLINGS[how[index]![0]]!(each) + how[index]![1]).join('');
      const isRedacted = createRedactor(new Map([[secret, 'NAME']])).text(text) !== text;
      if (isRedacted) redactions += 1;
      expect(isRedacted && !mayContain(text)).toBe(false);
    }),
    { numRuns: 1000 },
  );
  expect(redactions).toBeGreaterThan(500);
});

it('finds base64 and hexadecimal forms, in any alignment', () => {
  for (const secret of SECRETS)
    for (const before of ['', 'a', 'ab', 'abc']) {
      expect(mayContain(Buffer.from(before + secret).toString('base64'))).toBe(true);
      expect(mayContain(Buffer.from(secret).toString('hex').replaceAll(/(..)/g, '$1:').toUpperCase())).toBe(true);
    }
});

it('passes over texts without a secret', () => {
  for (const text of ['{"name":"\\u00e4 100% & more"}', 'OM39HQ', '='.repeat(1000), '\\'.repeat(1000)])
    expect(mayContain(text)).toBe(false);
});
