import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleLoad } from '../reports/testing/sample-load.ts';
import { OK, descriptionFile, openapi } from '../spec/testing/description-file.ts';
import { emptyDirectory } from '../spec/testing/empty-directory.ts';
import { COMMAND } from './command-name.ts';
import { runInProcess } from './testing/in-process.ts';

/** Nothing listens there: what is refused is refused before a request is sent. */
const AWAY = ['--base-url', 'http://127.0.0.1:1', '--only', 'GET /aijobskills'];
const TOKEN = { ASSAY_TOKEN: 'known' };
const KNOWN = { full: 'known' };

function withSettings(content: unknown): string {
  const cwd = emptyDirectory();
  writeFileSync(join(cwd, 'assay.config.json'), JSON.stringify(content));
  return cwd;
}

describe('help', () => {
  it.each([
    ['init', 'allow', 'default: read'],
    ['capacity', 'budget', 'default: 80 s'],
    ['serve', 'seed', 'default: 1'],
    ['clean', 'verbose', 'each resource that is left'],
  ])('says what %s does with --%s', async (command, flag, text) => {
    const { stdout } = await runInProcess([command, '--help']);
    const [, about = ''] = stdout.split(`--${flag}`);
    expect(about.slice(0, 300).replaceAll(/\s+/gu, ' ')).toContain(text);
  });

  it.each(['verify', 'load', 'capacity', 'serve', 'prove', 'report', 'clean', 'spec list', 'spec lint', 'spec diff'])(
    'describes %s',
    async (command) => {
      const { code, stdout } = await runInProcess([...command.split(' '), '--help']);
      expect(code).toBe(0);
      expect(stdout).toContain('Examples:');
      expect(stdout).not.toMatch(/preset|default: ,/u);
    },
  );
});

it('lists names and explains codes', async () => {
  const { stdout } = await runInProcess(['list']);
  const lists = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' ')[0] ?? '');
  for (const name of lists)
    expect((await runInProcess(['list', name])).stdout.split('\n').length, name).toBeGreaterThan(3);
  expect((await runInProcess(['list', 'code'])).stderr).toContain('did you mean codes?');
  const explained = (await runInProcess(['explain', 'overlap/lost-update'])).stdout;
  for (const part of ['effect of one of several', 'by hand', '--baseline', 'assay replay'])
    expect(explained).toContain(part);
  expect((await runInProcess(['explain', 'equal-json/status'])).stdout).toContain('another media type');
  expect((await runInProcess(['explain', 'authentication/accepted'])).stdout).toContain('without credentials');
  expect((await runInProcess(['explain', 'lost-update'])).stderr).toContain('did you mean overlap/lost-update?');
});

describe('wrong usage', () => {
  it('is reported all at once, with hints, before anything is sent', async () => {
    const faulty = '--base-url data.example.com --allow raed --runs many --shard 3/2 --sed --report pdf --sed';
    const surroundings = { cwd: withSettings({ sede: 1 }), env: { ASSAY_SETTLE: 'soon' } };
    const { code, stderr } = await runInProcess(['verify', ...faulty.split(' ')], surroundings);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: 8 problems; no requests were sent:\n  \S.*\n {4}hint: /u);
    const options = ['--base-url', '--runs', '--shard', '--sed', 'pdf', 'ASSAY_SETTLE', 'sede'];
    const hints = ['https://data.example.com', 'did you mean read?', 'did you mean --seed', 'did you mean seed?'];
    for (const thing of [...options, ...hints]) expect(stderr).toContain(thing);
  });

  it('does not show a password in a URL', async () => {
    for (const [given, shown] of [
      ['https://me:secret@example.com/api', '"https://***@example.com/api"'],
      ['https://secret@example.com', '"https://***@example.com"'],
    ] as const) {
      const { code, stderr } = await runInProcess(['verify', '--base-url', given]);
      expect(code).toBe(2);
      expect(stderr).toContain(shown);
      expect(stderr).not.toContain('secret');
    }
  });

  it.each([
    [['verfy', '--help'], "error: unknown command 'verfy'"],
    [['help', 'verfy'], "error: unknown command 'verfy'"],
    [['compare', 'a', 'b'], `error: unknown command 'compare'\nhint: ${COMMAND} report DIR --compare EARLIER-DIR`],
    [['diff'], `error: unknown command 'diff'\nhint: ${COMMAND} spec diff BEFORE AFTER`],
    [['explain'], 'assay explain --help'],
    [['verify', '--url', 'http://127.0.0.1:1'], '--base-url'],
    [['verify', '--bse-url', 'http://127.0.0.1:1'], '--base-url'],
    [['serve', '--falt', 'x'], '--fault'],
    [['prove', '--groups', '3', 'status-202'], '--groups has no effect: no pattern matches a healthy variation'],
    [['prove', 'extra-fields+nope'], 'extra-fields+nope matches no defect and no healthy variation'],
    [['verify', '--threshold', 'p99<1s'], 'it is an option of load, capacity'],
    [['verify', '--token'], '--token'],
    [['verify', 'paging'], '--only'],
    [['verify', '--base-url', 'http://127.0.0.1:1', '--path', '0:1'], '--seed'],
    [['verify', '--base-url', 'http://127.0.0.1:1', '--update-baseline'], '--baseline'],
    [['verify', '--baseline', 'b.json', '--update-baseline', '--bail'], '--update-baseline and --bail'],
    [['verify', '--config', 'none.json'], 'none.json'],
    [['load', '--ca', 'none.pem'], "The file of --ca can't be read"],
    [['verify', '--list', '--cert', 'none.pem'], "The file of --cert can't be read"],
    [['load', '--engine', 'closed', '--rate', '10'], '--max-rate'],
    [['load', '--engine', 'closed', '--stage', '1s:5'], '--stage has no effect with --engine closed'],
    [['load', '--profile', 'ramp', '--stage', '1s:5'], '--profile has no effect with stages'],
    [['load', '--target-metrics', 'http://127.0.0.1:1'], '--profile soak'],
    [['load', '--otlp', 'foo'], '--otlp "foo" is not a URL\nhint: give the URL of the receiver'],
    [['load', '--target-metrics', 'foo', '--profile', 'soak'], 'hint: give the URL of the metrics'],
    [['load', 'paging-walk', '--body-bytes', '99'], '--body-bytes has no effect on paging-walk'],
    [['capacity', 'clue-ingestion', '--items', '9'], '--items has no effect on clue-ingestion'],
    [['capacity', 'paging-walk', '--agents', '2'], '--agents has no effect without --fleet'],
    [['load', 'clue-ingestion', '--vus', '2'], 'needs a scenario with a flow'],
    [['load', '--rate', '20', '--stage', '1s:5'], 'mixed: --rate has no effect with stages'],
    [['load', 'clue-ingestion', '--duration', '3', '--warmup', '10s'], 'leaves nothing to measure'],
    [['load', '--fleet', 'redis://u:p@h'], '--fleet contains a password'],
    [['load', '--fleet', 'redis://broker.example.com'], '--fleet needs --base-url'],
    [['agent', '--fleet', 'redis://broker.example.com'], 'would send all traffic unencrypted to broker.example.com'],
    [['agent', '--fleet', 'rediss://broker.example.com'], 'ASSAY_FLEET_KEY is not set'],
    [['agent', '--base-url', 'http://127.0.0.1:9'], '--fleet is missing'],
    [['load', '--resume', 'x'], '--resume has no effect without --fleet'],
    [['verify', '--resume', 'x'], '--resume has no effect without --fleet'],
    [['verify', '--fleet', 'local', '--shard', '1/2'], '--shard cannot be combined with --fleet'],
    [['capacity'], 'scenario'],
    [['spec', 'lnt'], 'lint'],
  ])('%j names what was meant', async (words, hint) => {
    const { code, stderr } = await runInProcess(words);
    expect(stderr).toContain(hint);
    expect(code).toBe(2);
  });

  it('never shows a token', async () => {
    const secret = 'tok-1234567890 with-space';
    const { stdout, stderr } = await runInProcess(['verify', '--token', secret, '--debug', '--runs', 'x']);
    expect(stdout + stderr).not.toContain('1234567890');
  });
});

it.each<[string, object, string | RegExp]>([
  [
    'a token and its command',
    { env: { ASSAY_TOKEN: 'a', ASSAY_TOKEN_COMMAND: 'b' } },
    'ASSAY_TOKEN_COMMAND cannot be combined',
  ],
  [
    'a client without an endpoint',
    { env: { ASSAY_CLIENT_ID: 'a' }, auth: KNOWN },
    'ASSAY_CLIENT_ID is for a token endpoint',
  ],
  [
    'a plain endpoint',
    { env: { ASSAY_TOKEN_URL: 'http://login.example.com/token' }, auth: KNOWN },
    'is not an https: URL',
  ],
  [
    'a variable that is not set',
    { auth: { full: { env: 'NOT_SET_HERE' } } },
    'names the variable NOT_SET_HERE, which is not set',
  ],
  ['another key', { auth: { fully: 'x' } }, 'auth in assay.config.json has the unknown key fully'],
  [
    'another permission',
    { auth: KNOWN, tokens: { 'RACI:managment.aiagents': 'x-token' } },
    'RACI:managment.aiagents, which no operation',
  ],
  ['a base of no operation', { auth: KNOWN, bases: { '/cleu': 'https://a.test' } }, /names no operation[^]*\/clue/u],
  ['a base that is no URL', { auth: KNOWN, bases: { '/clue': 'a.test' } }, /bases in[^]*https:\/\/a\.test/u],
  ['another fixture', { auth: KNOWN, fixtures: { organisation: 'x' } }, 'did you mean organization'],
  ['a fixture of another type', { auth: KNOWN, fixtures: { organization: 'north' } }, 'use a uuid'],
  ['a body of no operation', { auth: KNOWN, fixtures: { bodies: { 'POST /aijobs': {} } } }, 'names no operation'],
  [
    'a body that does not fit',
    { auth: KNOWN, fixtures: { bodies: { 'POST /aijob': { name: 17 } } } },
    'does not fit the description',
  ],
])('%s is a usage error', async (_, { env = {}, ...settings }: { env?: Readonly<Record<string, string>> }, message) => {
  const { code, stderr } = await runInProcess(['verify', ...AWAY], { cwd: withSettings(settings), env });
  expect(stderr).toMatch(message);
  expect(code).toBe(2);
});

it.each([
  ['doctor', 'ftp://x'],
  ['doctor', 'http://user:pw@x'],
  ['clean', '127.0.0.1:18080'],
  ['agent', 'http://x/?x=1'],
  ['init', 'nonsense'],
])('%s calls the base URL %s invalid, not missing', async (command, url) => {
  const { code, stderr } = await runInProcess([command, '--base-url', url]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--base-url')]);
  expect(stderr).not.toContain('--base-url is missing');
});

it('refuses a description without operations before anything is sent', async () => {
  const spec = descriptionFile(openapi({}));
  const { code, stderr } = await runInProcess(['verify', ...AWAY, '--spec', spec], { env: TOKEN });
  expect([code, stderr]).toEqual([2, expect.stringContaining('the description has no operations')]);
});

it('titles the sections of a description so that their numbers are no counts', async () => {
  const { stdout } = await runInProcess(['spec', 'list']);
  expect(stdout).toContain('Section 4: Access control policies');
  expect(stdout).toMatch(/43 operations in 80 forms\n\n  operation +effect +permission +forms\n/u);
  const spec = descriptionFile(openapi({ '/a': { get: { responses: OK } } }));
  const { stdout: single } = await runInProcess(['spec', 'list', spec]);
  expect(single).toMatch(/1 operation\n\n  operation +effect +permission\n/u);
});

it('writes no page of a history without runs', async () => {
  const cwd = emptyDirectory();
  const { code, stdout } = await runInProcess(['history'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain(`No runs in assay-history.sqlite. Add one: ${COMMAND} history DIR`);
  expect(readdirSync(cwd)).toEqual([]);
});

const isLinux = process.platform === 'linux';
if (!isLinux) process.stderr.write('skipped: a folder below /proc, which only Linux has\n');

it.skipIf(!isLinux)('a page for which no folder can be made is refused', async () => {
  const directory = emptyDirectory();
  writeFileSync(
    join(directory, 'run.ndjson'),
    sampleLoad()
      .map((record) => JSON.stringify(record))
      .join('\n'),
  );
  const { code, stderr } = await runInProcess(['history', directory, '--out', '/proc/nope']);
  expect(code).toBe(2);
  expect(stderr).toContain('cannot write /proc/nope: no folder can be created there (ENOENT)');
});

it.skipIf(!isLinux).each([
  [['--baseline', '/proc/nope/b.json', '--update-baseline'], '--baseline: cannot write /proc/nope'],
  [['--baseline', '/proc/b.json', '--update-baseline'], '--baseline: cannot write /proc/b.json'],
  [['--update-snapshot', '/proc/nope/s.json'], '--update-snapshot: cannot write /proc/nope'],
  [['--against-last', '--store', '/proc/nope/h.sqlite'], '--store: cannot write /proc/nope'],
  [['--against-last', '--store', import.meta.filename], '--store: cannot use the run store'],
])('%j is refused before the run', async (words, message) => {
  const { code, stderr } = await runInProcess(['verify', ...AWAY, ...words], { env: TOKEN });
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

it.each(['verify', 'load', 'capacity paging-walk'])(
  'does not take an empty URL for the embedded service: %s',
  async (line) => {
    const { code, stderr } = await runInProcess(line.split(' '), { env: { ASSAY_BASE_URL: '' } });
    expect([code, stderr]).toEqual([2, expect.stringContaining('ASSAY_BASE_URL is empty')]);
  },
);

it('makes the folder of a file that the run will write', async () => {
  const cwd = emptyDirectory();
  await runInProcess(['verify', ...AWAY, '--baseline', 'a/b.json', '--update-baseline'], { cwd, env: TOKEN });
  expect(readdirSync(join(cwd, 'a'))).toEqual([]);
});
