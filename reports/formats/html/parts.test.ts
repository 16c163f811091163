import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ShownExchange, TestRecord } from '../../../spec/index.ts';
import { sampleFinding, sampleRun, sampleStart, sampleTest } from '../../testing/sample-run.ts';
import { credentialsText } from '../../text/finding.ts';
import { viewOf } from '../../view.ts';
import { bodyMarkup } from './body.ts';
import { diff } from './diff.ts';
import { dataBlock, html } from './markup.ts';
import { matrixOf } from './matrix-data.ts';
import { reportPage } from './page.ts';
import { commandParts } from './parts/finding-parts.ts';
import { axisOf } from './parts/step-times.ts';

const marks = (text: string): string[] =>
  [...text.matchAll(/<mark[^>]*>([^<]*)<\/mark>/g)].map(([, word = '']) => word);

describe('the page', () => {
  it('allows its own style and script, by the hash of what stands between their tags', () => {
    const page = reportPage(viewOf(sampleRun()));
    const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/u.exec(page) ?? [];
    for (const tag of ['style', 'script']) {
      const [, content = ''] = new RegExp(`<${tag}>(.*?)</${tag}>`, 'su').exec(page) ?? [];
      const hash = createHash('sha256').update(content).digest('base64');
      expect(policy).toContain(`${tag}-src &#39;sha256-${hash}&#39;`);
    }
  });
});

it('does not call a finding of the baseline fixed that was only not found again', () => {
  const view = viewOf(sampleRun({ findings: 0 }));
  const { fingerprint, check, operation, message } = sampleFinding();
  const page = reportPage({
    ...view,
    summary: { ...view.summary, fixed: [{ fingerprint, check, operation, message }] },
  });
  expect(page).toContain('Baseline findings not found again');
  expect(page).not.toContain('>fixed<');
});

describe('a run with hundreds of operations', () => {
  const [start, test] = [sampleStart(), sampleTest(0, true)];
  const ids = Array.from({ length: 400 }, (_, index) => `GET /resources/${index}`);
  const last = ids.at(-1) ?? '';
  const page = reportPage(
    viewOf([
      start,
      ...ids.map((id) => ({ type: 'operation', id, forms: ['/api'], section: '', effect: 'read' }) as const),
      ...ids.map((id) => {
        const reason = `the item that ${id} created cannot be found`;
        const findings = test.findings.map((each) => ({ ...each, operation: id }));
        const common = { ...test, name: `large > ${id}`, operation: id };
        return id === last ? { ...common, findings } : { ...common, verdict: 'skipped' as const, reason, findings: [] };
      }),
    ]),
  );

  it('has those with findings in its matrix', () => {
    expect(page).toContain(`data-operation="${last}"`);
    expect(page).toContain('150 more operations not shown');
  });

  it('gives one reason for tests that were skipped for the same reason on each of them', () => {
    expect(page.match(/class="fold flat"/g)).toHaveLength(1);
    expect(page).toContain('The item that GET … created cannot be found');
  });
});

describe('a test that stopped at a finding', () => {
  const [start, test] = [sampleStart(), sampleTest(0, true)];
  const state = (record: TestRecord): unknown =>
    matrixOf(viewOf([start, { type: 'operation', id: 'GET /x', forms: ['/api'], section: '', effect: 'read' }, record]))
      .rows.find(({ operation }) => operation.id === 'GET /x')
      ?.cells.get(record.checks[0] ?? '')
      ?.get('/api');
  const other = { ...test, operation: 'GET /x', form: '/api' };

  it('of another operation is shown as stopped, unless it ran to its end', () => {
    expect(state(other)).toBe('stopped');
    expect(state({ ...other, completed: true })).toBe('passed');
  });

  it('of its own operation is shown by the finding', () => {
    const own = {
      ...other,
      checks: ['another'],
      findings: test.findings.map((each) => ({ ...each, operation: 'GET /x' })),
    };
    expect(state(own)).toBeUndefined();
    expect(state({ ...own, checks: test.checks })).toBe('failed');
  });
});

describe('markup', () => {
  it('escapes every value, also within attributes', () => {
    expect(html`<a title="${'"><script>'}">${'<b>&\u0000'}</a>`.text).toBe(
      '<a title="&quot;&gt;&lt;script&gt;">&lt;b&gt;&amp;\\u0000</a>',
    );
    expect(html`${[html`<i>${1}</i>`, undefined, false, 'a']}`.text).toBe('<i>1</i>a');
    expect(html`${'$1 $& $`'}`.text).toBe('$1 $&amp; $`');
  });

  it('keeps data within its block', () => {
    const block = dataBlock({ text: '</script><!--\u2028\u0000' }).text;
    expect(block.match(/<\/script>/g)).toHaveLength(1);
    expect(JSON.parse(block.replace(/^<script[^>]*>|<\/script>$/g, ''))).toEqual({
      text: '</script><!--\\u2028\\u0000',
    });
  });
});

describe('the difference', () => {
  it('of sentences is what stands in the same place', () => {
    const { left, right } = diff('20 items, since take is 20 where it is not sent', '10 items');
    expect([marks(left.text), marks(right.text)]).toEqual([['20'], ['10']]);
  });

  it('of texts that are alike is all of it', () => {
    const { left, right } = diff('{"a": 1, "b": 2, "c": 3}', '{"a": 1, "b": 5, "c": 3, "d": 4}');
    expect(marks(left.text)).toEqual(['2']);
    expect(marks(right.text).join('')).toContain('5');
    expect(marks(right.text).join('')).toContain('4');
  });

  it('is not sought in what has nothing in common, or is huge', () => {
    expect(marks(diff('a b c', 'x y z').left.text)).toEqual([]);
    expect(diff('<'.repeat(9000), 'a '.repeat(9000)).left.text).not.toContain('<<');
  });
});

describe('a body', () => {
  it('is indented, with the value at the pointer marked', () => {
    expect(bodyMarkup('{"a":[{"b/c":1}]}', '/a/0/b~1c').text).toContain(
      '<mark class="ins"><span class="v-number">1</span></mark>',
    );
    expect(bodyMarkup(`${'['.repeat(7000)}${']'.repeat(7000)}`).text).toContain('[');
    expect(bodyMarkup('{"a":[1]}').text.replace(/<[^>]*>/gu, '')).toBe('{\n  &quot;a&quot;: [\n    1\n  ]\n}');
    expect(bodyMarkup('[]').text).toBe('<pre class="code">[]</pre>');
  });

  it('that is cut is indented as far as it goes', () => {
    expect(bodyMarkup('[{"a":"x,{","b":[1,2]},{"c":"hal').text).toBe(
      '<pre class="code">[\n  {\n    &quot;a&quot;:&quot;x,{&quot;,\n    &quot;b&quot;:[\n      1,\n      2\n    ]\n  },\n  {\n    &quot;c&quot;:&quot;hal</pre>',
    );
  });

  it('of any other kind stays as it came', () => {
    expect(bodyMarkup('<html>').text).toBe('<pre class="code">&lt;html&gt;</pre>');
  });
});

describe('a command', () => {
  it('is cut after && outside quotes, and stays as it is', () => {
    const parts = (command: string): readonly string[] => {
      const found = commandParts(command);
      expect(found.join('')).toBe(command);
      return found;
    };
    expect(parts(`a=$(b 'c && d') && e "f \\" && g" && h`)).toEqual([`a=$(b 'c && d') && `, `e "f \\" && g" && `, 'h']);
    expect(parts('do [ $n -gt 0 ] && [ "$n" = "$m" ] && break; done && a')).toEqual([
      'do [ $n -gt 0 ] && [ "$n" = "$m" ] && break; done && ',
      'a',
    ]);
    expect(parts("a 'open && b").length).toBeGreaterThan(0);
    expect(parts('x'.repeat(200_000))).toHaveLength(1);
  });
});

it('says what a step was sent with, if not with the full token', () => {
  expect(['none', 'limited', 'RACI:a'].map(credentialsText)).toEqual([
    'without credentials',
    'with the limited token',
    'with the token for RACI:a',
  ]);
});

describe('the bars of steps', () => {
  const {
    steps: [first],
  } = sampleFinding();
  const step = (sentAt: number, durationMs: number): ShownExchange => ({ ...first!, sentAt, durationMs });

  it('keep what overlapped and what came first; only pauses are shortened', () => {
    const steps = [step(1000, 10), step(1005, 10), step(5000, 5)];
    const axis = axisOf(steps);
    const [one, two, three] = steps.map((each) => axis?.spans.get(each));
    expect(axis).toMatchObject({ atOnce: 2, totalMs: 4005, isShortened: true });
    expect(one?.from).toBe(0);
    expect(two?.from).toBeLessThan(one?.to ?? 0);
    expect(three?.from).toBeGreaterThan(two?.to ?? 1);
    expect(three?.to).toBeCloseTo(1);
    expect((three?.to ?? 0) - (three?.from ?? 0)).toBeCloseTo((two?.to ?? 0) - (one?.to ?? 0));
    expect(axisOf([step(0, 1)])).toBeUndefined();
    expect(axisOf([step(0, 1), step(2, 1)])?.atOnce).toBe(1);
  });
});
