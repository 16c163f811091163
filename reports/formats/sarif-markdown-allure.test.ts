import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { isObject } from '../../spec/index.ts';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';
import { sampleLoad } from '../testing/sample-load.ts';
import { changed, sampleRun } from '../testing/sample-run.ts';
import { viewOf } from '../view.ts';
import { findingText } from '../text/finding.ts';
import { annotations } from './github.ts';
import { writeReports } from './index.ts';
import { locate } from './location.ts';
import { markdownOf } from './markdown.ts';
import { sarifOf } from './sarif.ts';

const HOSTILE =
  '<script>alert(1)</script> [x](javascript:alert(1)) `code` @everyone http://127.0.0.1:9/x | ::error::x %0A\n::stop-commands::y\u001b[31m\u0000';
const DESCRIPTION = `openapi: 3.1.0
info: { title: T, version: v1 }
paths:
  /accesscontrolpolicies:
    get:
      parameters:
        - name: page
          in: query
        - name: take
          in: query
`;
const dir = emptyDirectory();
beforeAll(() => {
  writeFileSync(join(dir, 'api.yaml'), DESCRIPTION);
  writeFileSync(join(dir, 'api.json'), '{\n "paths": {\n  "/a b": {\n   "get": {}\n  }\n }\n}');
});

function described(hostile = ''): ReturnType<typeof viewOf> {
  const records = sampleRun({ findings: 3, hostile });
  return viewOf(changed(records, 'run-start', ({ spec }) => ({ spec: { ...spec, file: join(dir, 'api.yaml') } })));
}

describe('places in a description', () => {
  it('are found in YAML and JSON, and the nearest where the pointer goes on', () => {
    const yaml = locate(join(dir, 'api.yaml'), dir);
    expect(yaml('#/paths/~1accesscontrolpolicies/get/parameters/1')).toMatchObject({ line: 9 });
    expect(yaml('#/paths/~1accesscontrolpolicies/get/responses/200')).toMatchObject({ line: 5 });
    expect(yaml(undefined)).toMatchObject({ line: 1, column: 1 });
    expect(locate(join(dir, 'api.json'), dir)('/paths/~1a%20b/get')).toMatchObject({ line: 4 });
    expect(locate(join(dir, 'none.yaml'), dir)('/paths')).toBeUndefined();
    expect(locate(join(dir, 'api.yaml'), join(dir, 'elsewhere'))('/paths')).toBeUndefined();
    expect(locate(undefined, dir)('/paths')).toBeUndefined();
  });
});

describe('sarif', () => {
  it('points into the description, with a stable fingerprint', () => {
    const { summary } = described(HOSTILE);
    const document: unknown = JSON.parse(JSON.stringify(sarifOf(summary, dir)));
    expect(document).toMatchObject({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'assay', version: summary.version, rules: [{ id: 'status-documented' }] } },
          results: summary.groups.map(({ lead, same }) => ({
            ruleId: 'status-documented',
            ruleIndex: 0,
            partialFingerprints: { 'assay/v1': lead },
            locations: [{ physicalLocation: { artifactLocation: { uri: 'api.yaml' }, region: { startLine: 9 } } }],
            relatedLocations: same.map(() => ({ logicalLocations: [{ kind: 'member' }] })),
          })),
        },
      ],
    });
  });

  it('points at the configuration where the description is no file of the repository, or else nowhere', () => {
    const { summary } = viewOf(sampleRun({ findings: 3 }));
    expect(JSON.stringify(sarifOf(summary, dir))).not.toContain('physicalLocation');
    expect(annotations(summary, dir).join()).not.toContain('file=');
    const configured = emptyDirectory();
    writeFileSync(join(configured, 'assay.config.ts'), '');
    expect(JSON.stringify(sarifOf(summary, configured))).toContain('"uri":"assay.config.ts"');
  });

  it('tells whether all was tested, so that what it lacks is fixed', () => {
    const records = sampleRun({ findings: 1 });
    const isWhole = (run: Parameters<typeof viewOf>[0]): boolean =>
      JSON.stringify(sarifOf(viewOf(run).summary, dir)).includes('"executionSuccessful":true');
    expect(isWhole(records)).toBe(true);
    expect(isWhole(sampleRun({ findings: 1, ended: false }))).toBe(false);
    expect(isWhole(changed(records, 'run-end', () => ({ bailed: 1 })))).toBe(false);
    expect(isWhole(changed(records, 'run-start', () => ({ options: { shard: '1/2' } })))).toBe(false);
  });
});

describe('markdown and annotations', () => {
  it('contain text of the target as text only', () => {
    const text = markdownOf(described(HOSTILE));
    const prose = text.replace(/(`{3,})sh\n[\s\S]*?\n\1/g, '');
    expect(prose).not.toMatch(/<(?!\/?(details|summary|code|br)>)/);
    expect(prose).not.toMatch(/@everyone|\]\(javascript|:\/\/127/);
    expect(text).toContain('2 findings');
  });

  it('name findings of the same cause in a line', () => {
    const view = viewOf(sampleRun({ tests: 200, findings: 3 }));
    const [lead = '', ...others] = view.summary.findings.map(({ fingerprint }) => fingerprint);
    const groups = [{ lead, same: [], related: others }];
    const text = markdownOf({ ...view, summary: { ...view.summary, groups } });
    expect(text).toMatch(/\*\*Related:\*\* probably the same cause: [^\\\n]*; [^\\\n]*\n/u);
    expect(text).not.toContain('&#92;n');
  });

  it('have no part of a curl command: a long one is left out', () => {
    const { summary } = described();
    const [curl, replay] = [`curl -sS ${'x'.repeat(5000)} 'end'`, 'assay replay 1'];
    const findings = summary.findings.map((finding) => ({ ...finding, curl, replay }));
    const texts = [markdownOf({ summary: { ...summary, findings } }), ...annotations({ ...summary, findings }, dir)];
    for (const text of [...texts, ...findings.map(findingText)]) {
      expect(text).not.toContain('xxx');
      expect(text).toContain(replay);
    }
    expect(
      markdownOf({ summary: { ...summary, findings: findings.map((each) => ({ ...each, curl: 'curl x' })) } }),
    ).toContain('sh\ncurl x\n');
  });

  it('leave standard output to JSON', async () => {
    vi.stubEnv('GITHUB_ACTIONS', 'true');
    vi.stubEnv('GITHUB_STEP_SUMMARY', '');
    const [out, error] = [process.stdout, process.stderr].map((each) => vi.spyOn(each, 'write').mockReturnValue(true));
    await writeReports(described(), ['github'], dir);
    expect([out?.mock.calls, error?.mock.calls]).toEqual([[], [[expect.stringContaining('::error ')]]]);
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  it('are commands of one line each', () => {
    const { summary } = described(HOSTILE);
    const lines = annotations(summary, dir);
    expect(lines).toHaveLength(summary.groups.length);
    expect(lines[0]).toMatch(/^::error file=/);
    for (const line of lines) expect(line).toMatch(/^::(error|warning) file=[^\n]*,line=9,title=[^\n]*$/);
  });

  it('show what a run left', () => {
    const { summary } = described();
    const deployed = markdownOf({ summary: { ...summary, target: { ...summary.target, embedded: false } } });
    expect([deployed, markdownOf({ summary })].map((text) => text.includes('(embedded service)'))).toEqual([
      false,
      true,
    ]);
    expect(deployed).toMatch(
      /### Resources created\n\n12 created, 11 removed, 1 left\.[\s\S]*\| 1 \| left: clue: no endpoint/,
    );
  });

  it('contain load results', () => {
    expect(markdownOf(viewOf(sampleLoad()))).toMatch(/\| clue-ingestion \| 1,000 \| 981 \|[\s\S]*❌ p99&lt;200/);
  });
});

describe('allure', () => {
  it('has a result for each test, with labels, links and redacted exchanges, and a page that loads nothing', async () => {
    const out = join(dir, 'allure');
    mkdirSync(join(out, 'allure-results'), { recursive: true });
    writeFileSync(join(out, 'allure-results', 'theirs-result.txt'), 'of another tool');
    await writeReports(viewOf(sampleRun({ tests: 10 })), ['allure'], out);
    const written = await writeReports(
      viewOf(sampleRun({ tests: 60, findings: 2, hostile: HOSTILE })),
      ['allure'],
      out,
    );
    const results = readdirSync(join(out, 'allure-results'))
      .filter((name) => name.endsWith('-result.json'))
      .map((name): unknown => JSON.parse(readFileSync(join(out, 'allure-results', name), 'utf8')));
    expect(existsSync(join(out, 'allure-results', 'theirs-result.txt'))).toBe(true);
    expect(results).toHaveLength(60);
    const failed = results.filter((result) => isObject(result) && result['status'] === 'failed');
    expect(failed).toHaveLength(2);
    expect(failed[0]).toMatchObject({
      historyId: expect.stringMatching(/^[0-9a-f]{32}$/),
      start: expect.any(Number),
      stop: expect.any(Number),
      labels: expect.arrayContaining([
        { name: 'epic', value: 'Data Management Service' },
        { name: 'feature', value: '4 Access control policies' },
        { name: 'severity', value: 'critical' },
        { name: 'framework', value: 'vitest' },
      ]),
      links: [{ type: 'tms', name: 'status-documented.holds', url: 'report.html#requirement-status-documented.holds' }],
      steps: [{ attachments: [{ type: 'application/vnd.allure.http+json' }, { name: 'curl' }] }, { status: 'failed' }],
    });
    const skipped = results.find((result) => isObject(result) && result['status'] === 'skipped');
    expect(skipped).toMatchObject({ statusDetails: { message: 'the effect "irreversible" is not allowed (--allow)' } });
    const page = written.find((path) => path.endsWith('allure-report.html'));
    if (page === undefined) return;
    expect(existsSync(page)).toBe(true);
    expect(readFileSync(page, 'utf8')).not.toContain('googletagmanager');
    expect(readFileSync(page, 'utf8')).toContain('Content-Security-Policy');
  });
});
