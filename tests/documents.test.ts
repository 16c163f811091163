import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPTION_NAMES, optionSpec } from '../cli/options/table.ts';
import type { OptionName } from '../cli/options/table.ts';
import { flagOf, hasFlag, variableOf } from '../cli/options/spec.ts';
import { emptyDirectory, runAssay, serve, startAssay } from './command/run-assay.ts';
import type { Served } from './command/run-assay.ts';
import { ROOT } from './architecture/files.ts';

const MINUTES = 60_000;

interface Shown {
  readonly document: string;
  readonly commands: readonly string[];
}

function blocks(text: string, language: string): readonly string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gmsu'))].map((match) => match[1] ?? '');
}

const read = (document: string): string => readFileSync(join(ROOT, document), 'utf8');

const documents = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith('.md'),
);

const shown: readonly Shown[] = documents.map((document) => ({
  document,
  commands: blocks(read(document), 'sh').flatMap((block) =>
    block
      .split('\n')
      .map((line) => line.replace(/\s+# .*$/u, '').trim())
      .filter((line) => line !== '' && !line.startsWith('#')),
  ),
}));

/** Commands of which a shorter form is run: they take minutes or never end. */
const TRIED_AS: Readonly<Record<string, string>> = {
  'npm ci && npx assay verify': 'npx assay verify',
  // prove/sample.e2e.test.ts runs proofs.
  'npx assay prove': 'npx assay prove --list',
};

/** Run by `.ci/run`, which consists of these two commands. */
const ELSEWHERE = new Set(['npm ci && npm test']);

const PETSTORE = {
  openapi: '3.0.3',
  info: { title: 'Skills', version: '1' },
  paths: {
    '/api/aijobskills': {
      get: { summary: 'All skills', security: [{ token: [] }], responses: { 200: { description: 'ok' } } },
    },
  },
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
};

let service: Served;
beforeAll(async () => {
  service = await serve();
});
afterAll(() => service.stop());

function directoryFor(document: string): string {
  const directory = emptyDirectory();
  writeFileSync(join(directory, 'assay-baseline.json'), '{"assayBaseline": 2, "entries": []}');
  for (const name of ['petstore.yaml', 'petstore-next.yaml'])
    writeFileSync(join(directory, name), JSON.stringify(PETSTORE));
  for (const code of blocks(read(document), 'ts')) {
    const [, name] = /^\/\/ (\S+\.ts)$/mu.exec(code) ?? [];
    if (name !== undefined && name !== 'assay.config.ts') writeFileSync(join(directory, name), code);
  }
  return directory;
}

/** One second of load is enough here. */
const shortened = (command: string): string =>
  command
    .replace(/--duration \d+s/u, '--duration 1s')
    .replaceAll(/--stage \d+s/gu, '--stage 1s')
    .replace(/--budget \d+s/u, '--budget 5s');

const wordsOf = (command: string): string[] =>
  [...command.matchAll(/"([^"]*)"|(\S+)/gu)].map((match) => match[1] ?? match[2] ?? '');

async function tryCommand(command: string, directory: string): Promise<void> {
  if (ELSEWHERE.has(command) || command.startsWith('export ASSAY_')) return;
  const [npx, assay, ...words] = wordsOf(
    shortened(TRIED_AS[command] ?? command).replaceAll(
      /https:\/\/test\.example\.com|http:\/\/127\.0\.0\.1:8080/gu,
      service.baseUrl,
    ),
  );
  expect([npx, assay]).toEqual(['npx', 'assay']);
  const narrow = { ASSAY_ONLY: 'GET /aijobskills', ASSAY_SKIP: 'properties,state', ASSAY_WARMUP: '0.2s' };
  const env = { ...service.env, ...narrow };
  if (words[0] === 'serve') {
    const running = startAssay(
      words.map((word) => (word === '8080' ? '0' : word)),
      { cwd: directory, env },
    );
    await running.line(/listening on/u);
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
    return;
  }
  const { code, stdout, stderr } = await runAssay(words, { cwd: directory, env });
  // Beside other work the generator may lag: the verdict is then inconclusive.
  const allowed = ['load', 'capacity'].includes(words[0] ?? '') ? [0, 4, 6] : [0];
  expect(allowed, `${command}\n${stdout.slice(-2000)}${stderr}`).toContain(code);
}

/** The document that is read first; the others are tried nightly. */
const FIRST = 'README.md';

// Side by side: most of the time of these commands is waiting, for the next request of a load above all.
describe.concurrent('the documents', () => {
  for (const { document, commands } of shown.filter((each) => each.commands.length > 0))
    it(
      `${document} shows commands that work: ${commands.join(' · ')}`,
      { timeout: 5 * MINUTES, tags: document === FIRST ? [] : ['nightly'] },
      async () => {
        const directory = directoryFor(document);
        for (const command of new Set(commands)) await tryCommand(command, directory);
      },
    );
});

describe('docs/configuration.md', () => {
  it('lists every option as it is', () => {
    const isFlag = (name: OptionName): boolean => optionSpec(name).fileOnly !== true;
    const rows = OPTION_NAMES.filter(isFlag).map((name) => {
      const { kind, fallback, flagOnly, about } = optionSpec(name);
      const words = kind.placeholder ?? '';
      const value = words === '' ? '' : ` ${words.includes('|') ? words.replaceAll('|', '\\|') : words.toUpperCase()}`;
      const byDefault = typeof fallback === 'string' || typeof fallback === 'number' ? String(fallback) : '';
      const flag = hasFlag(optionSpec(name)) ? `\`${flagOf(name)}${value}\`` : '—';
      return `| ${flag} | ${flagOnly === true ? '—' : `\`${variableOf(name)}\``} | ${byDefault} | ${about.replaceAll('|', '\\|')} |`;
    });
    const table = read('docs/configuration.md')
      .split('\n')
      .filter((line) => line.startsWith('| `--') || line.startsWith('| — |'));
    expect(table).toEqual(rows);
    for (const name of OPTION_NAMES.filter((each) => !isFlag(each)))
      expect(read('docs/configuration.md')).toContain(`| \`${name}\` | ${optionSpec(name).about} |`);
  });
});

describe('the documents', () => {
  it('link to what is there', () => {
    for (const document of documents) {
      const links = [...read(document).matchAll(/\]\(([^)#:]+)\)/gu)].map((match) => match[1] ?? '');
      for (const link of links)
        expect(() => readFileSync(join(ROOT, document, '..', link)), `${document} → ${link}`).not.toThrow();
    }
  });

  it('.ci/run is the set-up and the test command of the README', () => {
    expect(read('.ci/run')).toMatch(/^npm ci$\n^npm test$/mu);
    expect(read('README.md')).toContain('npm ci && npm test');
  });
});
