import { affectsOtherTests, changesOtherItems } from '../../../spec/index.ts';
import type { CheckName, FindingCode } from '../../../spec/index.ts';
import type { MergedFinding, Summary } from '../../summary/types.ts';
import { visibleLine } from '../../text/visible.ts';
import { FindingEvidence } from './evidence.ts';
import { asSentBefore, cached, createdAt, ofOtherState, refusedFrom, updatedOnceMore } from './earlier-reads.ts';
import { expectationsOf } from './expectations.ts';
import { quoted } from './literal.ts';
import { withReadBeside } from './overlapping.ts';
import type { RaceRead } from './overlapping.ts';
import { helpersFor } from './helpers.ts';
import { amongOthers, atOnce, changesOwn, inRounds } from './repeated.ts';
import { scenarioOf } from './scenario.ts';
import type { ScriptCode } from './scenario.ts';

/** The same change is sent so many times at once. */
const SAME = 4;
const SERVER_ERROR = 500;

/** Checks of single pages; findings of others hold for the list as a whole, which may be longer than a page. */
const OF_PAGES: readonly string[] = [
  'body-fits-schema',
  'no-server-error',
  'ordering',
  'paging-base',
  'paging-defaults',
  'paging-partition',
  'paging-past-end',
  'query-styles',
] satisfies readonly CheckName[];
const INDENT = '  ';

/** Checks of stored values: nothing is stored where another service refuses the generated body. */
const STORED: readonly string[] = ['created-reads-back', 'updated-reads-back'] satisfies readonly CheckName[];

/** Checks of changes that a cache may hide: the read is also sent before the change, so that a cache stores the old response. */
const CACHED: readonly string[] = [
  'updated-reads-back',
  'activation',
  'json-patch',
  'deleted-is-gone',
  'job-runs',
  'approvals',
] satisfies readonly CheckName[];

/** After the last of several updates, a cached response may be right by chance, because an update need not change every member. */
const UPDATED = 'updated-reads-back' satisfies CheckName;

/** Checks whose violation any of several changes may cause: the read is also sent after the creation. */
const OF_SEQUENCES: readonly string[] = ['model-conformance', 'refused-changes-nothing'] satisfies readonly CheckName[];

/** Checks of requests whose path names no item. */
const NAMING_NOTHING: readonly string[] = ['malformed-id', 'unknown-id'] satisfies readonly CheckName[];

/** Findings that may depend on a read after the creation. */
const READ_EARLY: readonly string[] = [
  'activation/changed-content',
  'activation/not-active',
  'activation/not-inactive',
  'overlap/lost-update',
  'overlap/not-linearizable',
] satisfies readonly FindingCode[];

/** Findings about a list that may have stayed the same after any of several changes: it is read before each of them. */
const READ_EACH_TIME = 'deleted-is-gone/other-item' satisfies FindingCode;

/**
 * A test file that needs only vitest. `causes`: findings with probably the same cause; the test of one of them is used if it shows the
 * defect better than the own test, or if there is no own test.
 */
export function testFileOf(finding: MergedFinding, summary: Summary, causes: readonly MergedFinding[] = []): string {
  const { version, target } = summary;
  const alone = bodyOf(finding, summary);
  // If this did not happen in a test that ran alone, the call of the first finding of the group caused it, at the same time.
  const [lead = finding] = causes;
  const isOfLead = lead !== finding && finding.recurred === undefined && [lead, finding].every(isOfOthers);
  const isShownBetter = isStress(finding) && causes.some((each) => each.check === 'overlap' && !isStress(each));
  const isShown = affectsOtherTests(finding.code) && alone !== undefined && !isOfLead && !isShownBetter;
  const cause = isShown ? undefined : causes.find((each) => each !== finding && bodyOf(each, summary));
  const body = cause === undefined ? alone : bodyOf(cause, summary);
  const title = quoted(visibleLine(finding.message));
  const head = [
    `// ${visibleLine(finding.requirement)}: ${visibleLine(finding.source)}`,
    `// expected: ${visibleLine(finding.expected)}`,
    `// received: ${visibleLine(finding.received)}`,
    `// Finding ${finding.fingerprint} (${finding.code}) of assay ${version}. Set ASSAY_BASE_URL and the tokens that are read below.`,
    ...(cause === undefined
      ? []
      : [`// This is the test of a finding with probably the same cause, ${cause.fingerprint} (${cause.code}).`]),
  ];
  if (body === undefined) {
    const why =
      finding.script === undefined
        ? '// The requests that lead here are too many for a test; replay the finding instead.'
        : '// The answers that are wrong here cannot be told from correct ones by a short expectation; replay the finding instead.';
    return [
      ...head,
      why,
      `// ${visibleLine(finding.replay ?? '')}`,
      "import { test } from 'vitest';",
      '',
      `test.todo(${title});`,
      '',
    ].join('\n');
  }
  const common = Object.entries(body.scenario.common).map(
    ([name, value]) => `${/^[a-z]+$/.test(name) ? name : quoted(name)}: ${body.text(value)}`,
  );
  const test = [
    `test(${title}, { timeout: 120_000 }, async () => {`,
    ...body.lines.map((line) => (line === '' ? '' : INDENT + line)),
    '});',
  ];
  const start = `const base = (process.env['ASSAY_BASE_URL'] ?? ${quoted(target.baseUrl)}).replace(/\\/$/, '');`;
  const own = [`const common: Record<string, string> = { ${common.join(', ')} };`];
  const used = [...own, ...test].join('\n');
  const helpers = helpersFor(used);
  const meeting = helpers.includes('AsyncLocalStorage')
    ? ["import { AsyncLocalStorage } from 'node:async_hooks';"]
    : [];
  const imports = `import { ${helpers.includes('afterAll(') ? 'afterAll, ' : ''}expect, test } from 'vitest';`;
  return [...head, ...meeting, imports, '', start, '', helpers, '', ...own, '', ...test, ''].join('\n');
}

/** True for overlapping calls of all kinds at once; a test with calls of two kinds shows the defect more often. */
export const isStress = ({ subject }: MergedFinding): boolean => subject === 'stress';

const isOfOthers = ({ code }: MergedFinding): boolean => changesOtherItems(code);

interface Body {
  readonly scenario: ScriptCode;
  readonly lines: readonly string[];
  readonly text: (value: string) => string;
}

/** An overlapping read shows the violation only while the calls are in progress. */
const raceOf = ({ code }: MergedFinding): RaceRead =>
  code === 'overlap/read' || code === 'overlap/list-incomplete' ? 'read-during' : 'read-after';

function bodyOf(finding: MergedFinding, { target: { baseUrl }, findings }: Summary): Body | undefined {
  const { script: given } = finding;
  if (given === undefined || !given.requests.some(({ step }) => step !== undefined)) return undefined;
  const script = withReadBeside(given);
  const isRace = finding.check === 'overlap' || finding.code.endsWith('/created-twice');
  const isAlone = finding.recurred === true;
  const mayBeDisturbed = findings.some(({ code }) => affectsOtherTests(code))
    ? !isAlone || STORED.includes(finding.check) || findings.some(({ code }) => changesOtherItems(code))
    : !isAlone && findings.some(({ recurred }) => recurred !== undefined);
  const scenario = scenarioOf(mayBeDisturbed ? script : { ...script, alongside: [] }, baseUrl, {
    race: isRace ? raceOf(finding) : undefined,
    readsAllPages: !OF_PAGES.includes(finding.check) && finding.code !== 'filters/lost-on-page',
  });
  const evidence = new FindingEvidence(finding, script, scenario);
  const expectations = expectationsOf(evidence);
  if (expectations === undefined) return undefined;
  const text = (value: string): string => scenario.literal(value);
  const lines = withReads(scenario, [...expectations, ...sentAtOnce(evidence, expectations)], {
    usesBefore: expectations.some((line) => /\bbefore\./.test(line)),
    readsFirst: CACHED.includes(finding.check) || (finding.code === 'model-conformance/state' && evidence.readsList),
    readsEarly: [...OF_SEQUENCES, UPDATED].includes(finding.check) || READ_EARLY.includes(finding.code),
    readsEachTime: finding.code === READ_EACH_TIME && evidence.readsList,
    updatesAgain: finding.check === UPDATED,
    mayRefuse: finding.path !== undefined && STORED.includes(finding.check),
    sentOtherwise: asSentBefore(evidence),
    pauseSeconds: finding.pauseSeconds ?? 0,
  });
  const isSometimes =
    finding.recurred === false ||
    /(?:intermittent|at times)$/u.test(finding.subject ?? '') ||
    isRace ||
    script.requests.some(({ overlaps }) => overlaps);
  const looksForOwn = finding.check === 'filters' && expectations.some((line) => line.includes('toContain('));
  const readsLists =
    finding.code.endsWith('/listed-member') ||
    (!isAlone && /^(?:form|created|updated)-.*not-listed$/.test(finding.code)) ||
    finding.check === 'activation' ||
    looksForOwn ||
    evidence.listedWithout > 0;
  // A decision may keep its job from being deleted.
  const isPermanent = finding.check === 'approvals';
  if (changesOwn(scenario, readsLists) && (isSometimes || !isPermanent))
    return { scenario, text, lines: atOnce(lines, evidence, isSometimes) };
  if (evidence.last.request.method !== 'GET' && scenario.alongside.length > 0)
    return { scenario, text, lines: amongOthers(lines, evidence) };
  const mayBeSometimes = isSometimes || finding.check === 'no-server-error';
  return { scenario, text, lines: mayBeSometimes ? inRounds(lines, finding.pauseSeconds) : lines };
}

/** The change that failed, or that names no item, sent several times at once: some services go wrong only while the same path is being changed. */
function sentAtOnce(
  { finding, scenario, last, answer }: FindingEvidence,
  [only = '', ...more]: readonly string[],
): readonly string[] {
  const { method, received, overlaps, times } = last.request;
  const isChangeOfItem = method !== 'GET' && finding.operation.includes('{');
  const hasFailed = (received?.status ?? 0) >= SERVER_ERROR;
  const namesNothing = NAMING_NOTHING.includes(finding.check) && scenario.sent.length === 1;
  const mayOverlap = namesNothing && finding.recurred === false && more.length === 0;
  if (!isChangeOfItem || !(hasFailed || mayOverlap) || overlaps === true || times !== undefined) return [];
  const same = `Array.from({ length: ${SAME} }, () => ${scenario.call(last)})`;
  if (hasFailed)
    return [
      `const others = await Promise.all(${same});`,
      'for (const other of others) expect(other.status).toBeLessThan(500);',
    ];
  // A request that names no item may fail only while a call of another kind to the same path is in progress.
  const { body: _body, ...request } = last.request;
  const kind = method === 'DELETE' ? { ...request, method: 'PUT', body: '{}' } : { ...request, method: 'DELETE' };
  return [
    `const [, ...others] = await Promise.all([${scenario.call({ ...last, request: kind })}, ...${same}]);`,
    `for (const other of others) ${only.replaceAll(`${answer}.`, 'other.')}`,
  ];
}

interface ReadOptions {
  /** Expectations compare with the last read, done before the change. */
  readonly usesBefore: boolean;
  /** The last read is sent before the change too. */
  readonly readsFirst: boolean;
  /** The last read is sent after the creation of its item too. */
  readonly readsEarly: boolean;
  /** The last read is sent before each change too. */
  readonly readsEachTime: boolean;
  /** An update before the last one is sent once more, now and then. */
  readonly updatesAgain: boolean;
  /** What is refused ends the test. */
  readonly mayRefuse: boolean;
  /** The last read is sent otherwise before. */
  readonly sentOtherwise: readonly string[];
  /** How long to wait before the reads, for an effect that is undone later. */
  readonly pauseSeconds: number;
}

/** The reads at the end are repeated: a change may become visible late, and has to stay visible. */
function withReads(
  scenario: ScriptCode,
  expectations: readonly string[],
  {
    usesBefore,
    readsFirst,
    readsEarly,
    readsEachTime,
    updatesAgain,
    mayRefuse,
    sentOtherwise,
    pauseSeconds,
  }: ReadOptions,
): readonly string[] {
  const { sent } = scenario;
  const lastChange = sent.findLastIndex(({ request }) => request.method !== 'GET');
  const changes = sent.some(
    ({ request }, index) => index <= lastChange && request.step !== undefined && request.method !== 'GET',
  );
  const hasReads = lastChange >= 0 && lastChange < sent.length - 1 && changes;
  const end = sent.length - 1;
  if (sentOtherwise.length > 0 && !hasReads)
    return [...scenario.lines(0, end), ...sentOtherwise, ...scenario.lines(end, end + 1), ...expectations];
  if (!hasReads || sent.at(-1)?.request.overlaps === true) return [...scenario.lines(0, end + 1), ...expectations];
  const readsPages = expectations.some((line) => line.startsWith('const allPages'));
  const remembered = (next: number): readonly string[] => cached(scenario, next, readsPages);
  const before = usesBefore ? scenario.readBefore(sent.length - 1) : readsFirst ? remembered(lastChange) : [];
  const from = usesBefore ? refusedFrom(scenario, lastChange) : lastChange;
  const again = updatesAgain ? updatedOnceMore(scenario, lastChange) : [];
  const early = readsEarly ? createdAt(scenario, lastChange) : 0;
  const earlyReads = early > 0 ? [...remembered(early), ...ofOtherState(scenario)] : [];
  const sometimes = updatesAgain ? 'if (Math.random() < 0.5) ' : '';
  const oneByOne = sent.slice(0, lastChange + 1).flatMap((_, at) => [...remembered(at), ...scenario.lines(at, at + 1)]);
  const changing = readsEachTime
    ? oneByOne
    : [
        ...scenario.lines(0, early),
        ...earlyReads.map((line) => `${sometimes}${line}`),
        // Calls that overlapped are sent together.
        ...(before.length === 0 && again.length === 0
          ? scenario.lines(early, lastChange + 1)
          : [...scenario.lines(early, from), ...again, ...before, ...scenario.lines(from, lastChange + 1)]),
      ];
  const refused = `if ([400, 409, 422].includes(${sent[lastChange]?.answer}.status)) return; // What is refused is not stored.`;
  return [
    ...changing,
    ...(mayRefuse ? [refused] : []),
    ...(pauseSeconds > 0 ? [`await pause(${pauseSeconds * 1000}); // It showed only after some time.`] : []),
    'await holds(async () => {',
    ...[...scenario.lines(lastChange + 1, end), ...sentOtherwise, ...scenario.lines(end, end + 1), ...expectations].map(
      (line) => INDENT + line,
    ),
    '});',
  ];
}
