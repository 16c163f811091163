import { expect, test } from 'vitest';
import { neededOf } from './security.ts';
import type { SecurityScheme } from '../spec/index.ts';

const scheme = (name: string, kind: SecurityScheme['kind'], parameter: string): SecurityScheme => ({
  name,
  kind,
  in: 'header',
  parameter,
  takesToken: false,
});
const oauth = scheme('oauth', 'bearer', 'authorization');
const otherOauth = scheme('other-oauth', 'bearer', 'authorization');
const basic = scheme('basic', 'basic', 'authorization');
const key = scheme('key', 'apiKey', 'x-key');
const secret = scheme('secret', 'apiKey', 'x-secret');

test.each([
  ['each of several schemes', [[key, secret]], [key, secret], ['key', 'secret']],
  ['none that an alternative does without', [[key, secret], [key]], [key, secret], ['key']],
  ['none that another scheme of the same kind replaces', [[oauth, key], [otherOauth]], [oauth, key], ['oauth']],
  ['none that shares its header', [[oauth, basic]], [oauth, basic], []],
])('a request needs %s', (_, security, sent, needed) => {
  expect(neededOf({ security }, sent).map(({ name }) => name)).toEqual(needed);
});
