import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { makeFolder } from '../../spec/make-folder.ts';
import {
  catalogueLines,
  defectLine,
  healthyLine,
  prove as runProof,
  scoreLines,
  select,
  unknownPatterns,
} from '../../prove/index.ts';
import type { ProofResult } from '../../prove/index.ts';
import { count, createTaskConsole } from '../../reports/index.ts';
import { EXIT, loadContract } from '../../spec/index.ts';
import type { Contract } from '../../spec/index.ts';
import type { OptionOf } from '../catalogue.ts';
import type { Invocation } from '../invocation.ts';
import { refuse } from '../problems.ts';
import { screenOptions } from '../run/show.ts';
import { printJson } from '../text/print.ts';
import { VERSION } from '../version.ts';

type ProveOption = OptionOf<'prove'>;

/** Share of the defects that must be caught. */
const LEAST_SHARE = 0.97;

function summaryOf(
  { results, healthy, score, problems, durationMs }: ProofResult,
  contract: Contract,
  seed: number,
  startedAt: string,
) {
  return {
    tool: 'assay',
    version: VERSION,
    command: 'prove',
    target: { baseUrl: '', embedded: true },
    spec: { title: contract.title, source: contract.source, operations: contract.operations.length },
    seed,
    startedAt,
    durationMs: Math.round(durationMs),
    verdict: problems.length === 0 ? 'passed' : 'failed',
    totals: { passed: score.caught, failed: score.survivors.length, skipped: score.unmet.length },
    problems,
    score: {
      caught: score.caught,
      of: score.of,
      byOperator: score.byOperator,
      byCheck: score.byCheck,
      survivors: score.survivors.map(({ defect }) => defect.name),
      unmet: score.unmet.map(({ defect }) => defect.name),
    },
    defects: results.map(({ defect, checks, isCaught, isMet, first, durationMs: took }) => ({
      name: defect.name,
      operator: defect.origin,
      caught: isCaught,
      met: isMet,
      checks,
      ...(first === undefined ? {} : { firstCaught: first }),
      durationMs: Math.round(took),
    })),
    healthy: healthy.map(({ name, answer }) => ({
      name,
      tests: answer.tests,
      findings: answer.findings,
      errors: answer.errors,
    })),
  };
}

async function chosen({ settings, operands, problems }: Invocation<ProveOption>, contract: Contract, seed: number) {
  for (const pattern of unknownPatterns(contract, operands))
    problems.push({
      subject: pattern,
      message: 'matches no defect and no healthy variation',
      hint: 'list them with assay prove --list',
    });
  const { all, groups: size } = settings;
  const selection = select(contract, {
    patterns: operands,
    all,
    ...(size === undefined ? {} : { groups: { size, seed } }),
  });
  if (size !== undefined && problems.length === 0 && selection.healthy.length === 0)
    problems.push({
      subject: '--groups',
      message: 'has no effect: no pattern matches a healthy variation',
      hint: 'name variations, or give no pattern for all of them',
    });
  refuse(problems);
  return selection;
}

/** Runs the suites against known defects and healthy variations, and scores what they caught. */
export async function prove(invocation: Invocation<ProveOption>): Promise<number> {
  const { settings, signal, operands, directory } = invocation;
  const contract = await loadContract();
  const [seed, startedAt] = [settings.seed ?? 1, new Date().toISOString()];
  const selection = await chosen(invocation, contract, seed);
  const print = (lines: readonly string[]): void =>
    void process.stdout.write(settings.json ? '' : `${lines.join('\n')}\n`);
  if (settings.list) {
    const isAll = operands.length === 0 && settings.groups === undefined;
    const listed = isAll ? select(contract, { patterns: [], all: true }) : selection;
    const names = [...listed.defects.map(({ name }) => name), ...listed.healthy.map((each) => each.join('+'))];
    if (settings.json) printJson(names);
    else print(catalogueLines(listed));
    return EXIT.passed;
  }
  // The service without a defect runs too.
  const [defects, healthy] = [selection.defects.length, selection.healthy.length + 1];
  print([`${count(defects, 'defect')} and ${count(healthy, 'healthy service')}, seed ${seed}`]);
  const output = settings.json ? undefined : createTaskConsole(screenOptions(), defects + healthy);
  const proof = await runProof(selection, {
    seed,
    workers: settings.workers ?? Math.min(4, Math.max(2, availableParallelism())),
    leastShare: operands.length === 0 ? LEAST_SHARE : 1,
    signal,
    onDefect: (result) => output?.ended(defectLine(result)),
    onHealthy: (result) => output?.ended(healthyLine(result)),
  }).finally(() => output?.stop());
  if (signal.aborted) return EXIT.interrupted;
  print(scoreLines(proof.score, proof.problems, proof.durationMs));
  const summary = `${JSON.stringify(summaryOf(proof, contract, seed, startedAt), null, 2)}\n`;
  if (settings.json) process.stdout.write(summary);
  if (invocation.isSet('out')) {
    makeFolder(resolve(directory, settings.out));
    writeFileSync(join(resolve(directory, settings.out), 'summary.json'), summary);
  }
  return proof.problems.length === 0 ? EXIT.passed : EXIT.failed;
}
