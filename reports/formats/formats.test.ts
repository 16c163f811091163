import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { sampleRun } from '../testing/sample-run.ts';
import { viewOf } from '../view.ts';
import { junitXml } from './junit.ts';
import { writeReports } from './index.ts';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';

const HOSTILE = '</script><script>alert(1)</script> ]]> <!-- \u0000\u0008\u001b[31m\ud800 \ufffe\u202e &amp; "\'';
const dir = emptyDirectory();

describe('formats', () => {
  it('json is the summary', async () => {
    const view = viewOf(sampleRun({ hostile: HOSTILE }));
    const [path] = await writeReports(view, ['json'], join(dir, 'deep', 'er'));
    expect(JSON.parse(readFileSync(path ?? '', 'utf8'))).toEqual(JSON.parse(JSON.stringify(view.summary)));
  });

  it('time series are not written for a run without load, which is said', async () => {
    const notes: string[] = [];
    const view = viewOf(sampleRun({}).filter(({ type }) => type !== 'tick'));
    expect(await writeReports(view, ['csv', 'ndjson'], join(dir, 'no-load'), (text) => notes.push(text))).toEqual([]);
    expect(notes).toEqual(
      ['csv', 'ndjson'].map((name) => `--report ${name}: nothing to write, the run has no load scenario.`),
    );
  });
});

interface JunitCase {
  readonly '@name': string;
  readonly failure?: { readonly '@message': string };
  readonly skipped?: unknown;
}

interface Junit {
  readonly testsuites: {
    readonly '@tests': string;
    readonly '@failures': string;
    readonly '@errors': string;
    readonly '@skipped': string;
    readonly testsuite: readonly { readonly testcase: readonly JunitCase[] }[];
  };
}

/** What a CI server reads. */
function parsed(xml: string): Junit['testsuites'] & { readonly cases: readonly JunitCase[] } {
  expect(XMLValidator.validate(xml)).toBe(true);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    isArray: (name) => ['testsuite', 'testcase'].includes(name),
  });
  const { testsuites } = parser.parse(xml) as Junit;
  return { ...testsuites, cases: testsuites.testsuite.flatMap((suite) => suite.testcase) };
}

describe('junit', () => {
  it('counts what fails the run, and nothing else, as failures', () => {
    const document = parsed(junitXml(viewOf(sampleRun({ tests: 200, findings: 3 }))));
    expect(document).toMatchObject({ '@tests': '200', '@failures': '2', '@errors': '0', '@skipped': '6' });
    expect(document.cases).toHaveLength(200);
    expect(document.cases.filter((entry) => entry.failure !== undefined)).toHaveLength(2);
    expect(document.cases.filter((entry) => entry.skipped !== undefined)).toHaveLength(6);
  });

  it('tells which failures probably have the same cause', () => {
    const view = viewOf(sampleRun({ tests: 200, findings: 3 }));
    const [first, second] = view.summary.findings.filter(({ fails }) => fails);
    const related = [second?.fingerprint ?? ''];
    const groups = [{ lead: first?.fingerprint ?? '', same: related, related: [] }];
    const xml = junitXml({ ...view, summary: { ...view.summary, groups } });
    expect(xml.match(/; probably the same cause: /gu)).toHaveLength(1);
    expect(xml.match(/>2 of the 2 failures in this file probably have the same root cause\.\n/gu)).toHaveLength(2);
    const apart = [first, second].map((each) => ({ lead: each?.fingerprint ?? '', same: [], related: [] }));
    const groupedApart = { ...view, summary: { ...view.summary, groups: apart } };
    expect(junitXml(groupedApart)).not.toContain('root cause');
  });

  it('is well-formed whatever a target answers, and gives the text back', () => {
    const xml = junitXml(viewOf(sampleRun({ hostile: HOSTILE })));
    expect(xml).not.toMatch(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u);
    const [failed] = parsed(xml).cases.filter((entry) => entry.failure !== undefined);
    expect(failed?.failure?.['@message']).toContain('</script><script>alert(1)</script> ]]> <!-- \\u0000');
    parsed(junitXml(viewOf(sampleRun({ hostile: HOSTILE.repeat(1000) }))));
  });

  it('holds an error for a run that was killed, and for one that is inconclusive', () => {
    expect(junitXml(viewOf(sampleRun({ ended: false })))).toContain('The run was interrupted.');
    expect(junitXml(viewOf(sampleRun({ tests: 0 })))).toContain('Inconclusive: no test ran');
  });
});
