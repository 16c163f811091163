import { describe, expect, it } from 'vitest';
import {
  baseUrl,
  choice,
  choices,
  duration,
  effects,
  flag,
  integer,
  patterns,
  percent,
  shard,
  texts,
  token,
  words,
} from './kinds.ts';
import { header } from './structured.ts';

describe('base URL', () => {
  it.each([
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['https://host/gateway/api/', 'https://host/gateway/api'],
    ['https://host//', 'https://host'],
  ])('%s', (given, value) => expect(baseUrl.parse([given])).toEqual({ value }));

  it.each([
    '',
    'host.example.com',
    'localhost:80',
    'ftp://host',
    'https://me:secret@host',
    'https://host?x=1',
    'https://host#a',
  ])('refuses %s', (given) => {
    expect(baseUrl.parse([given])).toHaveProperty('message');
  });
});

describe('token', () => {
  it('takes off what sticks to a pasted one', () => {
    for (const given of [' "Bearer abc.def" ', "'abc.def'", 'abc.def\n', 'Authorization: Bearer abc.def'])
      expect(token.parse([given])).toEqual({ value: 'abc.def' });
  });

  it('refuses what no header carries, without telling it', () => {
    const parsed = token.parse(['two words']);
    expect(parsed).toHaveProperty('message');
    expect(JSON.stringify(parsed)).not.toContain('two words');
  });
});

describe('numbers and times', () => {
  it('a share has a percent sign', () => {
    expect(percent.parse(['80%'])).toEqual({ value: 80 });
    expect(percent.parse(['80'])).toEqual({ message: 'has no percent sign', hint: 'write 80%' });
    expect(percent.parse(['0.8'])).toEqual({ message: 'has no percent sign', hint: 'write 80%' });
    for (const wrong of ['101%', '-1%', 'x', '']) expect(percent.parse([wrong])).toHaveProperty('message');
  });

  it('keeps bounds', () => {
    expect(integer({ min: 1, max: 5 }).parse(['5'])).toEqual({ value: 5 });
    for (const wrong of ['0', '6', '1.5', 'x', '', '1e1'])
      expect(integer({ min: 1, max: 5 }).parse([wrong])).toHaveProperty('message');
  });

  it.each([
    ['250', 250],
    ['250ms', 250],
    ['1.5s', 1500],
    ['2m', 120_000],
  ])('reads %s as milliseconds', (given, value) => {
    expect(duration({ min: 0, max: 1e9 }, 'ms').parse([given])).toEqual({ value });
  });

  it('counts a bare number in the unit of the option', () => {
    expect(duration({ min: 0, max: 1e9 }, 's').parse(['30'])).toEqual({ value: 30_000 });
    expect(duration({ min: 0, max: 1e9 }, 's').parse(['soon'])).toHaveProperty('message');
    const hint = 'use 100ms to 1h; 2 without a unit is 2ms';
    expect(duration({ min: 100, max: 3_600_000 }, 'ms').parse(['2'])).toEqual({ message: 'is out of range', hint });
    expect(duration({ min: 100, max: 3_600_000 }, 'ms').parse(['0'])).toMatchObject({ hint: 'use 100ms to 1h' });
  });
});

describe('lists', () => {
  it('splits at commas and joins repeats', () => {
    expect(patterns.parse(['a, b', 'c'])).toEqual({ value: ['a', 'b', 'c'] });
    expect(patterns.parse(['state/x > GET /a > one, two'])).toEqual({ value: ['state/x > GET /a > one, two'] });
  });

  it('knows the effects, and the nearest of a slip', () => {
    expect(effects.parse(['global,read'])).toEqual({ value: ['read', 'global'] });
    expect(effects.parse(['all'])).toEqual({ value: ['read', 'reversible', 'global', 'irreversible', 'costly'] });
    expect(effects.parse(['raed'])).toMatchObject({
      hint: expect.stringContaining('did you mean read? Known values: read, '),
    });
    expect(effects.parse([''])).toHaveProperty('message');
  });

  it('names what is expected instead of an unknown word', () => {
    const { parse } = choice(['quick', 'standard', 'thorough'], 'depth');
    expect(parse(['fast'])).toEqual({ message: 'is not a known depth', hint: 'use quick, standard or thorough' });
    const hint = 'did you mean quick? (use quick, standard or thorough)';
    expect(parse(['quik'])).toMatchObject({ hint });
    expect(parse([''])).toMatchObject({ message: 'is empty' });
  });

  it('may be empty, but an empty text is a mistake', () => {
    for (const { parse } of [patterns, choices(['html'], 'format'), words('name'), texts('expression')]) {
      expect(parse([])).toEqual({ value: [] });
      for (const given of [[''], ['', '']]) expect(parse(given)).toMatchObject({ message: 'is empty' });
    }
  });

  it.each([
    ['X-Tenant: north', { value: { 'x-tenant': 'north' } }],
    [': north', { message: 'has no name before the colon' }],
    [
      'X-Tenant:',
      { message: 'has no value for X-Tenant', hint: "write NAME: VALUE, for example --header 'X-Tenant: north'" },
    ],
    ['X-Tenant=north', { message: 'is not NAME: VALUE; it begins with "X-Tenant"' }],
    ['bad name: north', { message: 'has "bad name", which is not the name of a header' }],
  ])('reads the header %j', (text, expected) => expect(header.parse([text])).toMatchObject(expected));

  it('reads a share', () => {
    expect(shard.parse(['2/4'])).toEqual({ value: { index: 2, total: 4 } });
    for (const wrong of ['0/4', '5/4', '2', 'a/b', '1/0']) expect(shard.parse([wrong])).toHaveProperty('message');
  });

  it('reads switches from a file', () => {
    expect(flag.parse(['true'])).toEqual({ value: true });
    expect(flag.parse(['off'])).toEqual({ value: false });
    expect(flag.parse(['perhaps'])).toHaveProperty('message');
  });
});
