import type { Summary } from '../summary/types.ts';
import { count, latency, thousands } from '../text/numbers.ts';
import { visibleLine } from '../text/visible.ts';
import { pad, width, wrap } from '../text/width.ts';
import type { Paint } from './paint.ts';

const HEAD = ['scenario', 'engine', 'offered/s', 'done/s', 'requests', 'errors', 'p50', 'p90', 'p99', 'p99.9', 'max'];

/** The result table of a load run, its thresholds and what is to know about the measurement. */
export function loadLines(summary: Summary, paint: Paint, columns: number): string[] {
  const scenarios = summary.scenarios ?? [];
  if (scenarios.length === 0) return [];
  const rows = scenarios.map((scenario) => [
    visibleLine(scenario.name),
    visibleLine(scenario.engine),
    scenario.offeredRate === 0 ? '–' : thousands(scenario.offeredRate),
    thousands(scenario.rate),
    thousands(scenario.requests),
    thousands(sum(scenario.errors)),
    ...[
      scenario.latencyMs.p50,
      scenario.latencyMs.p90,
      scenario.latencyMs.p99,
      scenario.latencyMs.p99_9,
      scenario.latencyMs.max,
    ].map(latency),
  ]);
  const notes = scenarios.flatMap((scenario) => scenarioNotes(scenario, paint, columns));
  return [...table([HEAD, ...rows], paint), ...(notes.length > 0 ? ['', ...notes] : [])];
}

/** The capacity that was found: the rate with its interval, what limited it, and the steps. */
export function capacityLines(summary: Summary, paint: Paint): string[] {
  const searches = summary.capacities ?? (summary.capacity === undefined ? [] : [summary.capacity]);
  return searches.flatMap((search) => [
    `  ${paint.bold(`${thousands(search.rate)} requests/s`)} (${thousands(search.low)} to ${thousands(search.high)}), limited by ${visibleLine(search.limitedBy)}`,
    ...table(
      [
        ['offered/s', 'done/s', 'p50', 'p99', 'held', ''],
        ...search.steps.map((step) => [
          thousands(step.offeredRate),
          thousands(step.rate),
          latency(step.latencyMs.p50),
          latency(step.latencyMs.p99),
          step.held ? 'yes' : 'no',
          visibleLine(step.reason),
        ]),
      ],
      paint,
    ),
  ]);
}

function scenarioNotes(scenario: NonNullable<Summary['scenarios']>[number], paint: Paint, columns: number): string[] {
  const errors = Object.entries(scenario.errors)
    .filter(([, amount]) => amount > 0)
    .map(([kind, amount]) => `${visibleLine(kind)} ×${thousands(amount)}`);
  return [
    ...scenario.thresholds.map(
      (threshold) =>
        `  ${threshold.held ? paint.green('✓') : paint.red('✗')} ${visibleLine(scenario.name)}: ${visibleLine(threshold.expression)} ${paint.dim(`measured ${round(threshold.value)}`)}`,
    ),
    ...(errors.length > 0 ? [`  ${paint.yellow('!')} ${visibleLine(scenario.name)}: errors ${errors.join(', ')}`] : []),
    ...(scenario.contractViolations > 0
      ? [
          `  ${paint.red('✗')} ${visibleLine(scenario.name)}: ${count(scenario.contractViolations, 'sampled answer')} broke the contract`,
        ]
      : []),
    ...scenario.notes.flatMap((note) =>
      wrap(visibleLine(note), columns - 4).map((line, index) => `  ${index === 0 ? paint.yellow('!') : ' '} ${line}`),
    ),
  ];
}

function table(rows: readonly (readonly string[])[], paint: Paint): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => width(row[column] ?? ''))));
  return rows.map((row, index) => {
    const line = row
      .map((cell, column) =>
        column < 2 && row.length > 6 ? pad(cell, widths[column] ?? 0) : left(cell, widths[column] ?? 0),
      )
      .join('  ');
    return `  ${index === 0 ? paint.dim(line) : line}`.trimEnd();
  });
}

function left(cell: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - width(cell))) + cell;
}

function sum(errors: Readonly<Record<string, number>>): number {
  return Object.values(errors).reduce((total, amount) => total + amount, 0);
}

function round(value: number): string {
  return Number.isInteger(value) ? thousands(value) : String(Number(value.toPrecision(4)));
}
