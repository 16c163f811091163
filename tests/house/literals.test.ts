import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { houseFiles, ROOT } from './files.ts';

const description = parse(readFileSync(join(ROOT, 'spec/openapi.yaml'), 'utf8')) as {
  readonly paths: Readonly<Record<string, unknown>>;
};

/** First fixed segments of the API's own paths, such as `accesscontrolpolicies`. */
const words = [...new Set(Object.keys(description.paths).flatMap((path) => path.split('/')))]
  .filter((word) => /^[a-zA-Z-]{6,}$/u.test(word))
  .filter(
    (word) => !['search', 'status', 'actions', 'preview', 'results', 'summary', 'suggest', 'activate'].includes(word),
  );

const ALLOWED = ['spec/', 'service/', 'generators/domain/', 'suites/state/', 'suites/oracle/', 'load/scenarios/'];

describe('code for any description', () => {
  it('knows some words to look for', () => {
    expect(words).toContain('accesscontrolpolicies');
  });

  it('names no operation and no path of the API outside the folders of the domain', () => {
    const literal = new RegExp(`/(?:${words.join('|')})\\b`, 'iu');
    const found = houseFiles()
      .filter((file) => !ALLOWED.some((folder) => file.path.startsWith(folder)))
      .flatMap((file) => file.text.split('\n').map((line, index) => ({ line, where: `${file.path}:${index + 1}` })))
      .filter(({ line }) => !/^\s*(?:\/?\*|\/\/)/u.test(line) && literal.test(line));
    expect(found.map(({ where, line }) => `${where} ${line.trim()}`)).toEqual([]);
  });
});
