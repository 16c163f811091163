/**
 * Share of defects that are caught within a number of requests. The suites run in their own order against one defect at a time, up
 * to the first violation; with --schemathesis, Schemathesis does the same with `spec/openapi.yaml`.
 *
 *   npx tsx bench/yield.ts [PATTERN...] [--every N] [--seed N] [--workers N] [--svg FILE] [--json FILE]
 *     [--schemathesis PATH] [--examples N]
 *
 * Without a pattern: the default selection of `assay prove`; `--every 5` takes every fifth of it. Prints a table; `--svg`
 * writes the curve. The number of requests does not depend on how busy the machine is.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { prove, select } from '../prove/index.ts';
import type { Defect } from '../prove/index.ts';
import { loadContract } from '../spec/index.ts';
import type { Contract } from '../spec/index.ts';
import { failuresInOrder, isInstalled, withDefects } from './schemathesis-run.ts';
import type { TimedFailure } from './schemathesis-run.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    every: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    svg: { type: 'string' },
    json: { type: 'string' },
    schemathesis: { type: 'string' },
    examples: { type: 'string', default: '30' },
  },
});

/** Numbers of requests for which the table has a row. */
const STEPS = [300, 1000, 2000, 3000, 4000, 6000, 10_000, 20_000, 40_000];

/** A defect that was caught, and after how many requests. */
interface Catch {
  readonly name: string;
  readonly exchanges: number;
  /** The test that caught it. */
  readonly test?: string;
}

/** The defects that a tool caught, ordered by requests. */
interface Curve {
  readonly tool: string;
  readonly color: string;
  readonly catches: readonly Catch[];
}

const byRequests = (catches: readonly Catch[]): readonly Catch[] =>
  catches.toSorted((a, b) => a.exchanges - b.exchanges);

function table(curves: readonly Curve[], of: number): void {
  const row = (label: string, caught: (curve: Curve) => number): string =>
    [label.padStart(8), ...curves.map((curve) => `${((100 * caught(curve)) / of).toFixed(1)}%`.padStart(12))].join(' ');
  console.log(['requests', ...curves.map(({ tool }) => tool.padStart(12))].join(' '));
  for (const step of STEPS)
    console.log(row(String(step), ({ catches }) => catches.filter(({ exchanges }) => exchanges <= step).length));
  console.log(`${row('all', ({ catches }) => catches.length)}   of ${of} defects`);
}

/** The curves as step lines; requests on a logarithmic axis. */
function svg(curves: readonly Curve[], of: number): string {
  const [width, height, margin] = [640, 360, 48];
  const last = STEPS.at(-1) ?? 1;
  const x = (requests: number): number =>
    margin + ((width - 2 * margin) * Math.log10(Math.max(10, requests) / 10)) / Math.log10(last / 10);
  const y = (part: number): number => height - margin - (height - 2 * margin) * part;
  const labels = STEPS.map(
    (step) => `<text x="${x(step).toFixed(0)}" y="${height - margin + 16}" text-anchor="middle">${step}</text>`,
  );
  const shares = [0.25, 0.5, 0.75, 0.9, 1].map(
    (part) =>
      `<path d="M${margin} ${y(part).toFixed(1)}H${width - margin}" stroke="#ddd"/><text x="${margin - 6}" y="${(y(part) + 4).toFixed(1)}" text-anchor="end">${100 * part}%</text>`,
  );
  const lines = curves.map(({ tool, color, catches }, index) => {
    const steps = catches.map(({ exchanges }, at) => `H${x(exchanges).toFixed(1)}V${y((at + 1) / of).toFixed(1)}`);
    return `<path d="M${margin} ${y(0)}${steps.join('')}H${width - margin}" fill="none" stroke="${color}" stroke-width="2"/>
<text x="${margin + 12}" y="${margin + 16 * (index + 1)}" fill="${color}">${tool}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">
<rect width="100%" height="100%" fill="#fff"/>${shares.join('')}${labels.join('')}
<text x="${width / 2}" y="${height - 8}" text-anchor="middle">requests sent</text>
${lines.join('\n')}</svg>\n`;
}

/** Requests until Schemathesis reports a failure at an operation of a defect that it does not report for the healthy service. */
async function caughtBySchemathesis(
  contract: Contract,
  defects: readonly Defect[],
  program: string,
): Promise<readonly Catch[]> {
  const options = { program, seed: values.seed, examples: values.examples, minutes: 10, verbose: false };
  const failures = (some: readonly Defect[]): Promise<readonly TimedFailure[]> =>
    withDefects(contract, some, (target) => failuresInOrder(target, options));
  const healthy = new Set((await failures([])).map(({ code, operation }) => `${code} ${operation}`));
  const catches: Catch[] = [];
  for (const defect of defects) {
    const first = (await failures([defect])).find(
      ({ code, operation }) =>
        !healthy.has(`${code} ${operation}`) &&
        (defect.operations.length === 0 || defect.operations.includes(operation)),
    );
    console.log(`${defect.name}  ${first === undefined ? 'not caught' : `${first.exchanges}  ${first.code}`}`);
    if (first !== undefined) catches.push({ name: defect.name, exchanges: first.exchanges, test: first.code });
  }
  return byRequests(catches);
}

const contract = await loadContract();
const selection = select(contract, { patterns: positionals });
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
      const end =
        first === undefined ? (isMet ? 'not caught' : 'affected no request') : `${first.exchanges}  ${first.test}`;
      console.log(`${defect.name}  ${end}`);
    },
    onHealthy: () => undefined,
  },
);
const met = results.filter(({ isMet, isCaught }) => isMet || isCaught);
const catches = met.flatMap(({ defect, first }) => (first === undefined ? [] : [{ name: defect.name, ...first }]));
const curves: Curve[] = [{ tool: 'Assay', color: '#2563eb', catches: byRequests(catches) }];
if (values.schemathesis !== undefined && !isInstalled(values.schemathesis))
  console.log(`Without Schemathesis: ${values.schemathesis} does not run (pip install schemathesis).`);
else if (values.schemathesis !== undefined)
  curves.push({
    tool: 'Schemathesis',
    color: '#d97706',
    catches: await caughtBySchemathesis(
      contract,
      met.map(({ defect }) => defect),
      values.schemathesis,
    ),
  });
table(curves, met.length);
if (values.svg !== undefined) writeFileSync(values.svg, svg(curves, met.length));
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(curves, null, 2)}\n`);
