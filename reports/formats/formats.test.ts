import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleRun } from '../testing/sample-run.ts';
import { viewOf } from '../view.ts';
import { junitXml } from './junit.ts';
import { parseFormats, writeReports } from './index.ts';

const HOSTILE = '</script><script>alert(1)</script> ]]> <!-- \u0000\u0008\u001b[31m\ud800 \ufffe\u202e &amp; "\'';
let dir = '';
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-formats-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('formats', () => {
  it('are named in a list, and an unknown one is a usage error', () => {
    expect(parseFormats('json, junit,json')).toEqual(['json', 'junit']);
    expect(() => parseFormats('json,pdf')).toThrow('no report format "pdf"');
  });

  it('json is the summary', async () => {
    const view = viewOf(sampleRun({ hostile: HOSTILE }));
    const [path] = await writeReports(view, ['json'], join(dir, 'deep', 'er'));
    expect(JSON.parse(readFileSync(path ?? '', 'utf8'))).toEqual(JSON.parse(JSON.stringify(view.summary)));
  });
});

describe('junit', () => {
  it('counts what fails the run, and nothing else, as failures', () => {
    const xml = junitXml(viewOf(sampleRun({ tests: 200, findings: 3 })));
    expect(xml).toMatch(/<testsuites name="assay verify" tests="200" failures="2" errors="0" skipped="6"/);
    expect(xml.match(/<failure /g)).toHaveLength(2);
    expect(xml.match(/<skipped /g)).toHaveLength(6);
  });

  it('is well-formed whatever a target answers', () => {
    const xml = junitXml(viewOf(sampleRun({ hostile: HOSTILE.repeat(1000) })));
    expect(xml).not.toMatch(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u);
    expect(xml).not.toContain(']]>');
    const tags = [...xml.matchAll(/<[^>]*>/g)].map(([tag]) => tag);
    expect(
      tags.every((tag) =>
        /^<(\?xml [^<]*\?|\/?(testsuites|testsuite|testcase|failure|error|skipped|system-out)( [^<]*)?)>$/s.test(tag),
      ),
    ).toBe(true);
    expect(xml.replace(/&(amp|lt|gt|quot|#\d+);/g, '')).not.toContain('&');
  });

  it('holds an error for a run that was killed', () => {
    expect(junitXml(viewOf(sampleRun({ ended: false })))).toContain('The run was interrupted.');
  });
});
