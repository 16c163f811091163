import { describe, expect, it } from 'vitest';
import { serialiseParameter } from './parameter.ts';
import { renderUrl } from './url.ts';
import type { Json } from '../json.ts';
import type { SerialisedParameter } from './parameter.ts';

const ARRAY = ['blue', 'black', 'brown'];
const OBJECT = { R: 100, G: 200, B: 150 };

function parameter(
  place: SerialisedParameter['in'],
  style: SerialisedParameter['style'],
  explode: boolean,
): SerialisedParameter {
  return { name: 'color', in: place, style, explode, allowReserved: false };
}

describe('serialiseParameter', () => {
  const rows: readonly (readonly [
    place: SerialisedParameter['in'],
    style: SerialisedParameter['style'],
    explode: boolean,
    value: Json,
    expected: string,
  ])[] = [
    ['path', 'simple', false, 'blue', 'blue'],
    ['path', 'simple', false, ARRAY, 'blue,black,brown'],
    ['path', 'simple', false, OBJECT, 'R,100,G,200,B,150'],
    ['path', 'simple', true, OBJECT, 'R=100,G=200,B=150'],
    ['path', 'label', false, 'blue', '.blue'],
    ['path', 'label', false, ARRAY, '.blue,black,brown'],
    ['path', 'label', true, ARRAY, '.blue.black.brown'],
    ['path', 'label', false, OBJECT, '.R,100,G,200,B,150'],
    ['path', 'label', true, OBJECT, '.R=100.G=200.B=150'],
    ['path', 'matrix', false, 'blue', ';color=blue'],
    ['path', 'matrix', false, '', ';color'],
    ['path', 'matrix', false, ARRAY, ';color=blue,black,brown'],
    ['path', 'matrix', true, ARRAY, ';color=blue;color=black;color=brown'],
    ['path', 'matrix', false, OBJECT, ';color=R,100,G,200,B,150'],
    ['path', 'matrix', true, OBJECT, ';R=100;G=200;B=150'],
    ['query', 'form', true, 'blue', 'color=blue'],
    ['query', 'form', true, '', 'color='],
    ['query', 'form', false, ARRAY, 'color=blue,black,brown'],
    ['query', 'form', true, ARRAY, 'color=blue&color=black&color=brown'],
    ['query', 'form', true, [], ''],
    ['query', 'form', false, OBJECT, 'color=R,100,G,200,B,150'],
    ['query', 'form', true, OBJECT, 'R=100&G=200&B=150'],
    ['query', 'spaceDelimited', false, ARRAY, 'color=blue%20black%20brown'],
    ['query', 'spaceDelimited', false, OBJECT, 'color=R%20100%20G%20200%20B%20150'],
    ['query', 'pipeDelimited', false, ARRAY, 'color=blue%7Cblack%7Cbrown'],
    ['query', 'deepObject', true, OBJECT, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
    [
      'query',
      'deepObject',
      true,
      { a: { b: 'c' }, d: ['e', 'f'] },
      'color%5Ba%5D%5Bb%5D=c&color%5Bd%5D=e&color%5Bd%5D=f',
    ],
    ['query', 'deepObject', true, {}, ''],
    ['header', 'simple', false, ARRAY, 'blue,black,brown'],
    ['header', 'simple', false, 'a b%', 'a b%'],
    ['cookie', 'form', false, 'a;b', 'color=a%3Bb'],
    ['cookie', 'form', true, ARRAY, 'color=blue; color=black; color=brown'],
  ];
  it.each(rows)('%s %s explode=%s %j -> %s', (place, style, explode, value, expected) => {
    expect(serialiseParameter(parameter(place, style, explode), value)).toBe(expected);
  });

  it('encodes characters that would end a value or a segment', () => {
    expect(serialiseParameter(parameter('path', 'simple', false), 'a/b?c#d%&=é')).toBe('a%2Fb%3Fc%23d%25%26%3D%C3%A9');
    expect(serialiseParameter(parameter('query', 'form', true), 'a&b=c+d,e')).toBe('color=a%26b%3Dc%2Bd%2Ce');
  });

  it('keeps reserved characters with allowReserved, except those that would end the value', () => {
    expect(serialiseParameter({ ...parameter('query', 'form', true), allowReserved: true }, '/a?b=c&d#e+f%')).toBe(
      'color=/a?b=c%26d%23e%2Bf%25',
    );
  });

  it('writes content-typed parameters as JSON', () => {
    expect(serialiseParameter({ ...parameter('query', 'form', true), mediaType: 'application/json' }, { a: 1 })).toBe(
      'color=%7B%22a%22%3A1%7D',
    );
  });

  it('replaces lone surrogates', () => {
    expect(serialiseParameter(parameter('query', 'form', true), '\uD800')).toBe('color=%EF%BF%BD');
  });
});

describe('renderUrl', () => {
  const operation = {
    parameters: [
      { ...parameter('path', 'simple', false), name: 'id', required: true, schema: { pointer: '', schema: true } },
      {
        ...parameter('query', 'deepObject', true),
        name: 'metadataFilter',
        required: false,
        schema: { pointer: '', schema: true },
      },
    ],
  };
  const form = { path: '/api/v1/things/{id}/parts/{part}' };

  it('fills the template and the query in the declared styles', () => {
    const url = renderUrl({
      operation,
      form,
      path: { id: 'a/b', part: 'c' },
      query: { metadataFilter: { k: 'v w' }, take: 3, gone: undefined, ids: ['1', '2'] },
      rawQuery: '&x=1',
    });
    expect(url).toBe('/api/v1/things/a%2Fb/parts/c?metadataFilter%5Bk%5D=v%20w&take=3&ids=1&ids=2&x=1');
  });

  it('keeps an unfilled parameter visible in a valid URL', () => {
    expect(renderUrl({ operation, form })).toBe('/api/v1/things/%7Bid%7D/parts/%7Bpart%7D');
  });

  it('appends to the query of the template', () => {
    expect(renderUrl({ operation: { parameters: [] }, form: { path: '/x?kind=a' }, query: { b: 1 } })).toBe(
      '/x?kind=a&b=1',
    );
  });
});
