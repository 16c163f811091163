import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { recordsOf } from '../../reports/index.ts';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';
import { ShareResults } from './share-results.ts';

const test = (name: string, verdict = 'passed'): string =>
  `${JSON.stringify({ type: 'test', name, verdict, startedAt: '' })}\n`;

const part = (attempt: string, number: number, text: string, file = 'run.ndjson'): object => {
  const data = deflateSync(text).toString('base64');
  return { type: 'text', attempt, shard: '1/2', file, part: number, data };
};

const end = (attempt: string, code: number | null, parts: number): object => {
  return { type: 'end', attempt, shard: '1/2', code, parts };
};

const testsOf = (results: ShareResults): readonly string[] =>
  recordsOf(results.merged, 'test').map(({ name, verdict }) => `${name} ${verdict}`);

it('tells each record as soon as what comes before it is there', () => {
  const told: string[] = [];
  const results = new ShareResults((record) => record.type === 'test' && told.push(record.name));
  const [first, second] = [test('a'), test('b')];
  results.add([part('x', 1, second), part('x', 2, '{"type":"te')]);
  expect(told).toEqual([]);
  results.add([part('x', 0, first), part('x', 0, first)]);
  expect(told).toEqual(['a', 'b']);
});

it('takes the attempt that has ended, or else the longest, and says what is missing', () => {
  const results = new ShareResults(() => {});
  results.add([part('lost', 0, test('a') + test('b', 'failed')), part('short', 0, test('a'))]);
  expect(testsOf(results)).toEqual(['a passed', 'b failed']);
  results.add([end('short', 130, 1)]);
  expect(results.missing(['1/2', '2/2']).map(({ message }) => message)).toEqual([
    expect.stringContaining('share 1/2 of this run did not end: its agent was lost; 2 of its tests'),
    expect.stringContaining('share 2/2 of this run did not end: its agent was lost; 0 of its tests'),
  ]);
  results.add([end('whole', 0, 2), part('whole', 0, test('a'))]);
  expect(results.missing(['1/2']), 'a part of its log is missing').toHaveLength(1);
  results.add([part('whole', 1, test('b'))]);
  expect(results.missing(['1/2'])).toEqual([]);
  expect(testsOf(results)).toEqual(['a passed', 'b passed']);
});

it('gives back the journals of attempts that did not end in order', () => {
  const results = new ShareResults(() => {});
  const dir = emptyDirectory();
  results.add([part('ended', 0, '1\n', 'ended.ndjson'), end('ended', 130, 0)]);
  expect(results.writeJournals(dir)).toBe(false);
  results.add([part('lost', 1, '2\n', 'lost.ndjson'), part('lost', 0, '1\n', 'lost.ndjson')]);
  expect(results.writeJournals(dir)).toBe(true);
  expect(readFileSync(join(dir, 'journals', 'lost.ndjson'), 'utf8')).toBe('1\n2\n');
  expect(existsSync(join(dir, 'journals', 'ended.ndjson'))).toBe(false);
});
