import { searchesOf } from '../summary/types.ts';
import type { Scenario, Summary } from '../summary/types.ts';
import { intervalText, limitText, sustained } from '../text/capacity.ts';
import {
  areWorthShowing,
  checkTexts,
  loadFacts,
  outcomeText,
  partRows,
  rateTexts,
  thresholdState,
  violationTexts,
} from '../text/load.ts';
import { count, errorCount, measured, responseLatency, thousands } from '../text/numbers.ts';
import { clip, visibleLine } from '../text/visible.ts';
import { aligned, hang, width } from '../text/width.ts';
import type { Paint } from './paint.ts';

const HEAD = [
  'scenario',
  'engine',
  'offered/s',
  'succeeded/s',
  'requests',
  'errors',
  'p50',
  'p90',
  'p99',
  'p99.9',
  'max',
];

const SHOWN_VIOLATIONS = 5;
const LONGEST_VIOLATION = 1000;

/** The results of a load run, its thresholds, and notes on the measurement. */
export function loadLines({ scenarios = [] }: Summary, paint: Paint, columns: number): string[] {
  if (scenarios.length === 0) return [];
  const rows = scenarios.map((scenario) => {
    const { name, engine, requests, errors, latencyMs } = scenario;
    const { offered = '–', succeeded } = rateTexts(scenario);
    return [
      visibleLine(name),
      visibleLine(engine),
      offered,
      succeeded,
      thousands(requests),
      thousands(errorCount(errors)),
      ...[latencyMs.p50, latencyMs.p90, latencyMs.p99, latencyMs.p99_9, latencyMs.max].map(responseLatency),
    ];
  });
  const notes = scenarios.flatMap((scenario) => [
    ...scenarioNotes(scenario, paint, columns),
    ...detailLines(scenario, paint, columns),
  ]);
  return [...table([HEAD, ...rows], [0, 1], paint, columns), ...(notes.length > 0 ? ['', ...notes] : [])];
}

/** The capacity that was found: the rate with its interval, what limited it, and the steps of the search. */
export function capacityLines(summary: Summary, paint: Paint, columns: number): string[] {
  return searchesOf(summary).flatMap((search) => {
    const rows = search.steps.map((step) => [
      thousands(step.offeredRate),
      thousands(step.rate),
      responseLatency(step.latencyMs.p50),
      responseLatency(step.latencyMs.p99),
      step.held ? 'yes' : 'no',
      visibleLine(step.reason),
    ]);
    const found = paint.bold(sustained(search));
    const head = ['offered/s', 'succeeded/s', 'p50', 'p99', 'met', 'reason'];
    return [
      ...hang('  ', `${found}${intervalText(search)}, ${visibleLine(limitText(search))}`, columns),
      ...(rows.length > 0 ? table([head, ...rows], [5], paint, columns) : []),
    ];
  });
}

function scenarioNotes(scenario: Scenario, paint: Paint, columns: number): string[] {
  const name = visibleLine(scenario.name);
  const errors = Object.entries(scenario.errors)
    .filter(([, amount]) => amount > 0)
    .map(([kind, amount]) => `${visibleLine(kind)} ×${thousands(amount)}`);
  const thresholds = scenario.thresholds.map((threshold) => {
    const { expression, noData } = threshold;
    const state = thresholdState(scenario, threshold);
    const until = state === 'open' && scenario.requests > 0 ? ' before the interruption' : '';
    const value = noData === true ? 'no data' : `measured ${measured(threshold)}${until}`;
    const mark = { met: paint.green('✓'), missed: paint.red('✗'), open: paint.dim('–') }[state];
    return `  ${mark} ${name}: ${visibleLine(expression)} ${paint.dim(value)}`;
  });
  return [
    ...thresholds,
    ...(errors.length > 0 ? [`  ${paint.yellow('!')} ${name}: errors ${errors.join(', ')}`] : []),
    ...violationLines(scenario, paint, columns),
    ...scenario.notes.flatMap((note) => hang(`  ${paint.yellow('!')} `, visibleLine(note), columns)),
  ];
}

/** What sampled responses violated: a failure where a threshold says so. */
function violationLines(scenario: Scenario, paint: Paint, columns: number): string[] {
  const { name, contractViolations, thresholds } = scenario;
  if (contractViolations === 0) return [];
  const fails = thresholds.some(({ metric, held }) => metric === 'violations' && !held);
  const texts = violationTexts(scenario);
  const rest = texts.length - SHOWN_VIOLATIONS;
  return [
    `  ${fails ? paint.red('✗') : paint.yellow('!')} ${visibleLine(name)}: ${count(contractViolations, 'sampled response')} violated the contract`,
    ...texts
      .slice(0, SHOWN_VIOLATIONS)
      .flatMap(([text, curl]) => [
        ...hang('    ', visibleLine(clip(text, LONGEST_VIOLATION)), columns),
        ...(curl === undefined || curl.length > LONGEST_VIOLATION ? [] : [`    ${paint.cyan(visibleLine(curl))}`]),
      ]),
    ...(rest > 0 ? [paint.dim(`    … and ${count(rest, 'more violation')} in the reports`)] : []),
  ];
}

/** The figures of each part of the traffic, and how they were measured. */
function detailLines(scenario: Scenario, paint: Paint, columns: number): string[] {
  const { name, detail } = scenario;
  const parts = partRows(detail);
  const rows = parts.map(({ label, isOperation, figures }) => [
    isOperation ? `  ${visibleLine(label)}` : `${visibleLine(name)}/${visibleLine(label)}`,
    thousands(figures.rate),
    thousands(errorCount(figures.errors)),
    ...[figures.latencyMs.p50, figures.latencyMs.p99, figures.latencyMs.max].map(responseLatency),
    visibleLine(outcomeText(figures)),
  ]);
  const head = ['part', 'succeeded/s', 'errors', 'p50', 'p99', 'max', 'answers'];
  const checks = checkTexts(scenario).map((text) => ['check', text] as const);
  const facts = [...checks, ...loadFacts(scenario)].flatMap(([label, text]) =>
    hang('  ', visibleLine(`${name}: ${label} ${text}`), columns, 4).map(paint.dim),
  );
  return [...(areWorthShowing(parts) ? table([head, ...rows], [0, 6], paint, columns) : []), ...facts];
}

/** Aligned columns, those in `texts` to the left; where they do not fit, each row is its first cell and the others with their names. */
function table(
  rows: readonly (readonly string[])[],
  texts: readonly number[],
  paint: Paint,
  columns: number,
): string[] {
  const lines = aligned(rows, (column) => texts.includes(column));
  if (lines.every((line) => width(line) + 2 <= columns))
    return lines.map((line, index) => `  ${index === 0 ? paint.dim(line) : line}`);
  const [[title = '', ...names] = [], ...body] = rows;
  return body.flatMap(([first = '', ...cells]) => {
    const named = cells.flatMap((cell, index) => (cell === '' ? [] : [`${names[index]} ${cell}`]));
    return [`  ${texts.includes(0) ? first : `${title} ${first}`}`, ...hang('    ', named.join(', '), columns)];
  });
}
