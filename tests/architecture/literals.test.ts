import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { FINDING_CODES } from '../../spec/finding-codes.ts';
import { ROOT, sourceFiles } from './files.ts';

const description = parse(readFileSync(join(ROOT, 'spec/openapi.yaml'), 'utf8')) as {
  readonly paths: Readonly<Record<string, unknown>>;
};

/** First segments of the API's paths, such as `aijob`. */
const segments = [
  ...new Set(Object.keys(description.paths).map((path) => path.replace(/^\/v\d/u, '').split('/')[1] ?? '')),
];

/** Where operation ids and paths of the API may stand. */
const API_FOLDERS = [
  'spec/',
  'service/',
  'domain/builtin/',
  'suites/state/',
  'suites/oracle/',
  'load/scenarios/',
  'prove/defects/',
  'prove/healthy/',
];

/** Text that begins like an operation id or a path of the API. */
const LITERAL = new RegExp(
  String.raw`['"\x60](?:[A-Z]+ )?(?:/api)?(?:/v\d)?/(?:${segments.join('|')})(?=['"\x60/?])`,
  'u',
);

const isComment = (line: string): boolean => /^\s*(?:\/?\*|\/\/)/u.test(line);

function linesWith(pattern: RegExp, allowed: readonly string[]): readonly string[] {
  return sourceFiles()
    .filter((file) => !allowed.some((folder) => file.path.startsWith(folder)))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          !isComment(line) && pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [],
        ),
    );
}

describe('code for any description', () => {
  it('knows the paths of the API, short ones too', () => {
    expect(segments).toEqual(expect.arrayContaining(['accesscontrolpolicies', 'aijob', 'clue', 'status']));
    expect("send('GET /clue')").toMatch(LITERAL);
    expect('`/api/v1/status`').toMatch(LITERAL);
  });

  it('names no operation and no path of the API outside the folders of the API', () => {
    expect(linesWith(LITERAL, API_FOLDERS)).toEqual([]);
  });

  it('asks only in domain/ and the loader whether the contract is the built-in one', () => {
    expect(linesWith(/\bbuiltIn\b/u, ['domain/', 'spec/loading/', 'spec/contract.ts'])).toEqual([]);
  });
});

it('every finding code is reported somewhere', () => {
  const text = sourceFiles()
    .filter(({ path }) => path !== 'spec/finding-codes.ts')
    .map((file) => file.text)
    .join('\n');
  const unused = Object.entries(FINDING_CODES).flatMap(([check, names]) =>
    text.includes(`${check}/$`)
      ? []
      : Object.keys(names)
          .filter((name) => !text.includes(`'${check}/${name}'`))
          .map((name) => `${check}/${name}`),
  );
  expect(unused).toEqual([]);
});

it('evaluations send through the context that they are given', () => {
  expect(linesWith(/\.(?:holds|takesEffect)\((?:async )?\(\)/u, [])).toEqual([]);
});
