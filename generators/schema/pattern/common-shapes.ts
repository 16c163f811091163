import { words } from '../../../spec/words.ts';

/** Texts that often match patterns which the generator cannot parse. */
export const commonShapes: readonly string[] = [
  'a@example.org',
  '+4512345678',
  '12345678',
  '123-456-7890',
  '(123) 456-7890',
  ...words(`
    DK en-US EUR #ff0000 #FFF 192.168.0.1 https://example.org/a http://example.org 2024-01-31
    2024-01-31T12:00:00Z 12:30 12:30:00 00000000-0000-0000-0000-000000000000 1.2.3 v1.2.3 1.0 10.5 -1 100
    0001 AB12 A1B2C3 ab-cd ab_cd abCd Ab1!Ab1! Passw0rd! a.b a/b /a/b a:b a,b file.txt
    arn:aws:iam::123456789012:role/x us-east-1 sha256:0000 0x0 deadbeef DEADBEEF AAAA
  `),
  'Hello World',
  ...words('/Person /Person#source:1 * $.a {a} <a> urn:a:b application/json P1D PT1H'),
  '* * * * *',
  '0 0 * * *',
  'a'.repeat(24),
  '0'.repeat(24),
  'a'.repeat(40),
  '0'.repeat(40),
  '0'.repeat(64),
  'A'.repeat(20),
  '1'.repeat(9),
  '1'.repeat(11),
  '1'.repeat(13),
  '\u00E9',
  '\u{1F600}',
];
