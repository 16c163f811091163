/**
 * How many defects are caught after how many requests. The suites run in their own order against one defect at a time, up to
 * the first violation.
 *
 *   npx tsx bench/yield.ts [PATTERN...] [--every N] [--seed N] [--workers N] [--svg FILE] [--json FILE]
 *
 * Without a pattern: the default selection of `assay prove`; `--every 5` takes every fifth of it. Prints a table; `--svg`
 * writes the curve. The number of requests does not depend on how busy the machine is.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { prove, select } from '../prove/index.ts';
import { loadContract } from '../spec/index.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    every: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    svg: { type: 'string' },
    json: { type: 'string' },
  },
});

/** Numbers of requests for which the table has a row. */
const STEPS = [300, 1000, 2000, 3000, 4000, 6000, 10_000, 20_000, 40_000];

interface Catch {
  readonly name: string;
  readonly test: string;
  readonly exchanges: number;
}

const share = (catches: readonly Catch[], within: number, of: number): number =>
  catches.filter(({ exchanges }) => exchanges <= within).length / of;

function table(catches: readonly Catch[], of: number): void {
  console.log('requests   caught');
  for (const step of STEPS)
    console.log(`${String(step).padStart(8)}   ${(100 * share(catches, step, of)).toFixed(1).padStart(5)}%`);
  console.log(`     all   ${((100 * catches.length) / of).toFixed(1).padStart(5)}%  (${catches.length} of ${of})`);
}

/** The curve as a step line; requests on a logarithmic axis. */
function svg(catches: readonly Catch[], of: number): string {
  const [width, height, margin] = [640, 360, 48];
  const last = STEPS.at(-1) ?? 1;
  const x = (requests: number): number =>
    margin + ((width - 2 * margin) * Math.log10(Math.max(10, requests) / 10)) / Math.log10(last / 10);
  const y = (part: number): number => height - margin - (height - 2 * margin) * part;
  const points = catches.map(({ exchanges }, index) => `H${x(exchanges).toFixed(1)}V${y((index + 1) / of).toFixed(1)}`);
  const labels = STEPS.map(
    (step) => `<text x="${x(step).toFixed(0)}" y="${height - margin + 16}" text-anchor="middle">${step}</text>`,
  );
  const shares = [0.25, 0.5, 0.75, 0.9, 1].map(
    (part) =>
      `<path d="M${margin} ${y(part).toFixed(1)}H${width - margin}" stroke="#ddd"/><text x="${margin - 6}" y="${(y(part) + 4).toFixed(1)}" text-anchor="end">${100 * part}%</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">
<rect width="100%" height="100%" fill="#fff"/>${shares.join('')}${labels.join('')}
<text x="${width / 2}" y="${height - 8}" text-anchor="middle">requests sent</text>
<path d="M${margin} ${y(0)}${points.join('')}" fill="none" stroke="#2563eb" stroke-width="2"/></svg>\n`;
}

const selection = select(await loadContract(), positionals, false);
const defects = selection.defects.filter((_, index) => index % Number(values.every) === 0);
const { results } = await prove(
  { ...selection, defects, healthy: [] },
  {
    seed: Number(values.seed),
    workers: Number(values.workers),
    leastShare: 0,
    inOrder: true,
    signal: new AbortController().signal,
    onDefect: ({ defect, first, isMet }) => {
      const end = first === undefined ? (isMet ? 'not caught' : 'not met') : `${first.exchanges}  ${first.test}`;
      console.log(`${defect.name}  ${end}`);
    },
    onHealthy: () => undefined,
  },
);
const met = results.filter(({ isMet, isCaught }) => isMet || isCaught);
const catches = met
  .flatMap(({ defect, first }) => (first === undefined ? [] : [{ name: defect.name, ...first }]))
  .toSorted((a, b) => a.exchanges - b.exchanges);
table(catches, met.length);
if (values.svg !== undefined) writeFileSync(values.svg, svg(catches, met.length));
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(catches, null, 2)}\n`);
