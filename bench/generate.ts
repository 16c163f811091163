import { GeneratorArbitrary } from '../generators/core/generator-arbitrary.ts';
import { arbitraryFor, isUnsatisfiable } from '../generators/index.ts';
import { median } from '../load/compare/statistics.ts';
import { poolOf } from '../load/scenarios/body-pool.ts';
import { loadContract } from '../spec/index.ts';
import { domainGenerator } from '../domain/builtin/bodies/domain-body.ts';
import { sampleBody } from '../domain/builtin/bodies/sample-body.ts';

const ROUNDS = 5;
const MILLISECONDS = 300;

/** Speed of generating and validating bodies, compared with JSON.stringify. Usage: tsx bench/generate.ts */

/** Calls per second. */
function rate(work: (index: number) => unknown): number {
  const until = performance.now() + MILLISECONDS;
  const start = performance.now();
  let count = 0;
  for (; performance.now() < until;) for (let batch = 0; batch < 50; batch += 1) work((count += 1));
  return (count / (performance.now() - start)) * 1000;
}

const contract = await loadContract();
const fixed = sampleBody('POST /clue', 'assay');
const schema = contract.operation('POST /clue')?.body?.content[0]?.schema;
const agentSchema = contract.operation('POST /aiagent')?.body?.content[0]?.schema;
const clueGenerator = domainGenerator(contract, 'POST /clue');
const clues = clueGenerator && new GeneratorArbitrary(clueGenerator);
const agents = agentSchema === undefined ? undefined : arbitraryFor(contract, agentSchema);

const SUBJECTS: Readonly<Record<string, (index: number) => unknown>> = {
  'JSON.stringify of a fixed clue': () => JSON.stringify(fixed),
  'ten clues of 1 KB for a pool, encoded': (index) =>
    poolOf({ kind: 'clue', count: 10, bytes: 1024, seed: index, tag: 'assay' }),
  'an adversarial clue, validated': (index) => clues?.at(index, 1),
  'an agent from its schema, validated': (index) =>
    agents === undefined || isUnsatisfiable(agents) ? 0 : agents.at(index, 1),
  'validation alone, of a fixed clue': () => (schema === undefined ? 0 : contract.validate(schema, fixed)),
};

const rates = new Map<string, number[]>(Object.keys(SUBJECTS).map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round += 1)
  for (const [name, work] of Object.entries(SUBJECTS)) rates.get(name)?.push(rate(work));
const base = median(rates.get('JSON.stringify of a fixed clue') ?? []);
for (const [name, seen] of rates) {
  process.stdout.write(
    `${name.padEnd(46)}${Math.round(median(seen)).toLocaleString('en').padStart(12)}/s ${(median(seen) / base).toFixed(2).padStart(7)} x stringify\n`,
  );
}
