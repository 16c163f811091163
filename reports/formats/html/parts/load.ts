import type { TickRecord } from '../../../../spec/index.ts';
import { recordsOf } from '../../../records.ts';
import { limitText, sustained } from '../../../text/capacity.ts';
import {
  areWorthShowing,
  loadFacts,
  outcomeText,
  partRows,
  rateTexts,
  slowText,
  thresholdState,
  violationTexts,
} from '../../../text/load.ts';
import {
  count,
  errorCount,
  latency,
  measured,
  responseLatency,
  rounded,
  thousands,
  tickLatency,
} from '../../../text/numbers.ts';
import { searchesOf } from '../../../summary/types.ts';
import type { Scenario, Search } from '../../../summary/types.ts';
import type { ReportView } from '../../../view.ts';
import { capacityCharts } from '../charts/capacity.ts';
import { distributionChart, readHistogram } from '../charts/distribution.ts';
import type { Guide } from '../charts/guides.ts';
import { lineChart } from '../charts/lines.ts';
import type { LineChart, ChartSeries } from '../charts/lines.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { definitions, table } from '../elements.ts';
import type { Column } from '../elements.ts';
import { commandBlock } from './finding-parts.ts';

const PERCENTILES = ['p50', 'p90', 'p99', 'p99_9'] as const;

/** Capacity searches, and each scenario with its figures, thresholds and charts, compared with an earlier run. */
export function loadSection(view: ReportView): Markup {
  const { scenarios = [] } = view.summary;
  const searches = searchesOf(view.summary);
  if (scenarios.length === 0 && searches.length === 0) return html``;
  const ticks = recordsOf(view.records, 'tick');
  const before = view.earlier === undefined ? [] : recordsOf(view.earlier.records, 'tick');
  const found = searches.map(
    (search) =>
      html`<section class="capacity" id="capacity">
        <h2>Capacity: ${sustained(search)}</h2>
        <p class="hint">
          ${search.scenario}: ${search.low === search.high ? '' : `${thousands(search.low)} to ${thousands(search.high)}, `}${limitText(search)}
        </p>
        <div class="charts">
          ${capacityCharts(search, guidesOf(scenarios.find(({ name }) => name === search.scenario)))}
        </div>
        ${stepTable(search)}
      </section>`,
  );
  return html`${found}${scenarios.map((scenario, index) => {
    const earlier = view.earlier?.summary.scenarios?.find((other) => other.name === scenario.name);
    return scenarioMarkup(
      scenario,
      ticks.filter((tick) => tick.scenario === scenario.name),
      earlier,
      before.filter((tick) => tick.scenario === scenario.name),
      index === 0,
    );
  })}`;
}

function scenarioMarkup(
  scenario: Scenario,
  ticks: readonly TickRecord[],
  earlier: Scenario | undefined,
  before: readonly TickRecord[],
  first: boolean,
): Markup {
  const histogram = readHistogram(scenario.histogram);
  const older = earlier === undefined ? undefined : readHistogram(earlier.histogram);
  const { p50, p90, p99, p99_9 } = scenario.latencyMs;
  return html`<section class="scenario" ${first ? html` id="load"` : ''}>
    <h2>${scenario.name} <span class="amount">${scenario.engine.replace(/^(?:open|closed)/u, '$& model')}</span></h2>
    ${figures(scenario)}${thresholds(scenario)} ${scenario.notes.map((note) => html`<p class="hint">! ${note}</p>`)}
    <div class="charts">
      ${timeCharts(scenario, within(ticks, scenario), earlier ? within(before, earlier) : before).map(lineChart)}${histogram === undefined ? '' : distributionChart(histogram, { p50, p90, p99, 'p99.9': p99_9 }, older)}
    </div>
    ${errorTable(scenario)}${violations(scenario)}${detail(scenario)}
  </section>`;
}

/** The seconds of the schedule, without those in which only the last responses arrive. */
function within(ticks: readonly TickRecord[], { detail: measured }: Scenario): readonly TickRecord[] {
  const endsAt = (measured?.durationMs ?? Infinity) / 1000;
  return ticks.filter(({ second }) => second < endsAt);
}

function guidesOf(scenario: Scenario | undefined): Guide[] {
  return (scenario?.thresholds ?? []).flatMap(({ expression, metric = '', part, limit }) =>
    /^(?:p\d|max|mean)/.test(metric) && part === undefined && limit !== undefined
      ? [{ at: limit, label: expression }]
      : [],
  );
}

/** The steps of a search, as they were taken. */
function stepTable({ steps }: Pick<Search, 'steps'>): Markup {
  const titles = ['Offered', 'Succeeded', 'Errors', 'p50', 'p99', 'Met', 'Reason'];
  const columns = titles.map((title, index): Column => (index < 5 ? { title, kind: 'number' } : { title }));
  const rows = steps.map(({ offeredRate, rate, errorShare, latencyMs, held, reason }) => [
    perSecond(offeredRate),
    perSecond(rate),
    errorShare === undefined ? '–' : `${rounded(errorShare * 100)}%`,
    responseLatency(latencyMs.p50),
    responseLatency(latencyMs.p99),
    html`<span class="${held ? 't-passed' : 'missed'}">${held ? '✓' : '✗'}</span>`,
    reason,
  ]);
  return table(columns, rows, 'list figures-table');
}

function timeCharts(scenario: Scenario, ticks: readonly TickRecord[], before: readonly TickRecord[]): LineChart[] {
  if (ticks.length === 0) return [];
  const { durationMs = 0, warmupMs = 0 } = scenario.detail ?? {};
  const time = { shadedTo: warmupMs / 1000, endsAt: durationMs / 1000 };
  const series = (name: string, tone: number, pick: (tick: TickRecord) => number, area = false): ChartSeries[] => {
    const line = (from: readonly TickRecord[]): ChartSeries['points'] =>
      from.map((tick) => [tick.second + 0.5, pick(tick)]);
    return [
      { name, tone, area, points: line(ticks) },
      ...(before.length === 0 ? [] : [{ name: `${name} before`, tone, ghost: true, points: line(before) }]),
    ];
  };
  const open = ticks.some((tick) => tick.offeredRate > 0);
  const [iterations, requests] = scenario.detail?.flow === undefined ? ['', ''] : [' iterations', ' requests'];
  return [
    {
      title: 'Latency',
      note: 'logarithmic',
      log: true,
      guides: guidesOf(scenario),
      ...time,
      yLabel: tickLatency,
      valueLabel: latency,
      series: PERCENTILES.filter((name) => name !== 'p90').flatMap((name, index) =>
        series(name.replace('_', '.'), index + 1, (tick) => tick.latencyMs[name]).map((one) => ({
          ...one,
          dashed: name === 'p99_9',
        })),
      ),
    },
    {
      title: open ? 'Rate offered and succeeded' : 'Rate',
      ...time,
      yLabel: perSecond,
      series: [
        ...series(`succeeded${requests}`, 1, (tick) => tick.rate, true),
        ...(open ? series(`offered${iterations}`, 2, (tick) => tick.offeredRate) : []),
      ],
    },
    ...amounts(
      'Errors per second',
      series('errors', 5, (tick) => tick.errors, true),
      time,
    ),
    ...amounts(
      'In flight',
      series('in flight', 3, (tick) => tick.inFlight, true),
      time,
    ),
  ];
}

/** A chart of counts; none if all are zero. */
function amounts(title: string, series: ChartSeries[], time: Pick<LineChart, 'shadedTo' | 'endsAt'>): LineChart[] {
  const isZero = series.every(({ points }) => points.every(([, amount]) => amount === 0));
  return isZero ? [] : [{ title, ...time, whole: true, yLabel: thousands, series }];
}

function perSecond(rate: number): string {
  return `${thousands(rate)}/s`;
}

function figures(scenario: Scenario): Markup {
  const { requests, errors, contractViolations, latencyMs } = scenario;
  const { offered, succeeded } = rateTexts(scenario);
  return definitions('figures', [
    ...(offered === undefined ? [] : [['offered', `${offered}/s`] as const]),
    ['succeeded', `${succeeded}/s`],
    ['requests', thousands(requests)],
    ['errors', thousands(errorCount(errors))],
    ...(contractViolations > 0 ? [['contract violations', thousands(contractViolations)] as const] : []),
    ...PERCENTILES.map((name) => [name.replace('_', '.'), responseLatency(latencyMs[name])] as const),
    ['max', responseLatency(latencyMs.max)],
  ]);
}

const OUTCOMES = {
  met: html`<span class="t-passed">✓ met</span>`,
  missed: html`<span class="missed">✗ missed</span>`,
  open: html`<span class="t-untested">– too little measured</span>`,
} as const satisfies Record<ReturnType<typeof thresholdState>, Markup>;

function thresholds(scenario: Scenario): Markup {
  const { thresholds: judged } = scenario;
  if (judged.length === 0) return html``;
  const columns = [{ title: 'Threshold' }, { title: 'Measured', kind: 'number' }, { title: '' }] as const;
  const rows = judged.map((threshold) => [
    html`<code>${threshold.expression}</code>`,
    measured(threshold),
    OUTCOMES[thresholdState(scenario, threshold)],
  ]);
  return table(columns, rows, 'list narrow');
}

function errorTable({ errors }: Scenario): Markup {
  const kinds = Object.entries(errors).filter(([, amount]) => amount > 0);
  if (kinds.length === 0) return html``;
  const rows = kinds.map(([kind, amount]) => [kind, thousands(amount)]);
  return html`<h3>Errors by kind</h3>
    ${table([{ kind: 'row' }, { kind: 'number' }], rows)}`;
}

function violations(scenario: Scenario): Markup {
  const texts = violationTexts(scenario);
  if (texts.length === 0) return html``;
  return html`<h3>Violations in sampled responses</h3>
    ${texts.map(([text, curl]) => html`<p>${text}</p>${curl === undefined ? '' : commandBlock('Reproduce', curl)}`)}`;
}

function slowTable(measured: Scenario['detail']): Markup {
  const slowest = measured?.slowest ?? [];
  if (slowest.length === 0) return html``;
  const columns = [{ kind: 'row' }] as const;
  return html`<details>
    <summary>Slowest sampled answers</summary>
    ${table(
      columns,
      slowest.map((answer) => [slowText(answer)]),
    )}
  </details>`;
}

function checkTable(measured: Scenario['detail']): Markup {
  const checks = measured?.flow?.checks ?? [];
  if (checks.length === 0) return html``;
  const columns = [{ title: 'Check', kind: 'row' }, { title: 'Passed', kind: 'number' }, { title: '' }] as const;
  const rows = checks.map(({ name, passed, failed }) => [
    name,
    `${thousands(passed)} of ${thousands(passed + failed)}`,
    html`<span class="${failed === 0 ? 't-passed' : 'missed'}">${failed === 0 ? '✓ held' : `✗ failed ${count(failed, 'time')}`}</span>`,
  ]);
  return table(columns, rows);
}

/** The figures of each part of the traffic, and how they were measured. */
function detail(scenario: Scenario): Markup {
  const { detail: measured } = scenario;
  const parts = partRows(measured);
  const titles = ['Part', 'Succeeded', 'Requests', 'Errors', 'p50', 'p99', 'max'];
  const numbers = titles.map((title, index): Column => ({ title, kind: index === 0 ? 'row' : 'number' }));
  const columns = [...numbers, { title: 'Answers' }];
  const rows = parts.map(({ label, isOperation, figures }) => [
    isOperation ? html`<small>${label}</small>` : label,
    perSecond(figures.rate),
    thousands(figures.requests),
    thousands(errorCount(figures.errors)),
    ...[figures.latencyMs.p50, figures.latencyMs.p99, figures.latencyMs.max].map(responseLatency),
    outcomeText(figures),
  ]);
  const facts = loadFacts(scenario).map(([label, text]) => [label, text]);
  return html`${areWorthShowing(parts) ? table(columns, rows, 'list figures-table') : ''}${checkTable(measured)}${slowTable(measured)}${facts.length === 0 ? '' : table([{ kind: 'row' }, {}], facts, 'list measured')}`;
}
