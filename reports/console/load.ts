import type { Summary } from '../summary/types.ts';
import { loadFacts } from '../text/load-detail.ts';
import { areWorthShowing, outcomeText, partRows } from '../text/load-parts.ts';
import { count, errorCount, latency, measured, thousands } from '../text/numbers.ts';
import { visibleLine } from '../text/visible.ts';
import { pad, padStart, width, wrap } from '../text/width.ts';
import type { Paint } from './paint.ts';

type Scenario = NonNullable<Summary['scenarios']>[number];

const HEAD = [
  'scenario',
  'engine',
  'offered/s',
  'achieved/s',
  'requests',
  'errors',
  'p50',
  'p90',
  'p99',
  'p99.9',
  'max',
];

/** The results of a load run, its thresholds, and notes on the measurement. */
export function loadLines({ scenarios = [] }: Summary, paint: Paint, columns: number): string[] {
  if (scenarios.length === 0) return [];
  const rows = scenarios.map(({ name, engine, offeredRate, rate, requests, errors, latencyMs }) => [
    visibleLine(name),
    visibleLine(engine),
    offeredRate === 0 ? '–' : thousands(offeredRate),
    thousands(rate),
    thousands(requests),
    thousands(errorCount(errors)),
    ...[latencyMs.p50, latencyMs.p90, latencyMs.p99, latencyMs.p99_9, latencyMs.max].map(latency),
  ]);
  const notes = scenarios.flatMap((scenario) => [
    ...scenarioNotes(scenario, paint, columns),
    ...detailLines(scenario, paint),
  ]);
  return [...table([HEAD, ...rows], 2, paint), ...(notes.length > 0 ? ['', ...notes] : [])];
}

/** The capacity that was found: the rate with its interval, what limited it, and the steps of the search. */
export function capacityLines({ capacities, capacity }: Summary, paint: Paint): string[] {
  const searches = capacities ?? (capacity === undefined ? [] : [capacity]);
  return searches.flatMap(({ rate, low, high, limitedBy, steps }) => {
    const rows = steps.map((step) => [
      thousands(step.offeredRate),
      thousands(step.rate),
      latency(step.latencyMs.p50),
      latency(step.latencyMs.p99),
      step.held ? 'yes' : 'no',
      visibleLine(step.reason),
    ]);
    const found = paint.bold(`${thousands(rate)} requests/s`);
    const interval = low < high ? ` (${thousands(low)} to ${thousands(high)})` : '';
    return [
      `  ${found}${interval}, limited by ${visibleLine(limitedBy)}`,
      ...table([['offered/s', 'achieved/s', 'p50', 'p99', 'met', ''], ...rows], 0, paint),
    ];
  });
}

function scenarioNotes(scenario: Scenario, paint: Paint, columns: number): string[] {
  const name = visibleLine(scenario.name);
  const errors = Object.entries(scenario.errors)
    .filter(([, amount]) => amount > 0)
    .map(([kind, amount]) => `${visibleLine(kind)} ×${thousands(amount)}`);
  const thresholds = scenario.thresholds.map((threshold) => {
    const { held, expression } = threshold;
    const mark = held ? paint.green('✓') : paint.red('✗');
    return `  ${mark} ${name}: ${visibleLine(expression)} ${paint.dim(`measured ${measured(threshold)}`)}`;
  });
  const violations = count(scenario.contractViolations, 'sampled response');
  return [
    ...thresholds,
    ...(errors.length > 0 ? [`  ${paint.yellow('!')} ${name}: errors ${errors.join(', ')}`] : []),
    ...(scenario.contractViolations > 0 ? [`  ${paint.red('✗')} ${name}: ${violations} violated the contract`] : []),
    ...scenario.notes.flatMap((note) =>
      wrap(visibleLine(note), columns - 4).map((line, index) => `  ${index === 0 ? paint.yellow('!') : ' '} ${line}`),
    ),
  ];
}

/** The figures of each part of the traffic, and how they were measured. */
function detailLines({ name, detail }: Scenario, paint: Paint): string[] {
  const parts = partRows(detail);
  const rows = parts.map(({ label, isOperation, figures }) => [
    isOperation ? `  ${visibleLine(label)}` : `${visibleLine(name)}/${visibleLine(label)}`,
    `${thousands(figures.rate)}/s`,
    thousands(errorCount(figures.errors)),
    ...[figures.latencyMs.p50, figures.latencyMs.p99, figures.latencyMs.max].map(latency),
    visibleLine(outcomeText(figures)),
  ]);
  const head = ['part', 'achieved/s', 'errors', 'p50', 'p99', 'max', 'answers'];
  const facts = loadFacts(detail).map(([label, text]) => paint.dim(`  ${visibleLine(`${name}: ${label} ${text}`)}`));
  return [...(areWorthShowing(parts) ? table([head, ...rows], 1, paint) : []), ...facts];
}

/** Rows in aligned columns, the first `texts` of them to the left, numbers to the right. */
function table(rows: readonly (readonly string[])[], texts: number, paint: Paint): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => width(row[column] ?? ''))));
  return rows.map((row, index) => {
    const cells = row.map((cell, column) => (column < texts ? pad : padStart)(cell, widths[column] ?? 0));
    return `  ${index === 0 ? paint.dim(cells.join('  ')) : cells.join('  ')}`.trimEnd();
  });
}
