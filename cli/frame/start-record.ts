import type { Contract, RunStart } from '../../spec/index.ts';
import { VERSION } from '../version.ts';
import type { RunTarget } from './target.ts';

interface RunOptions {
  readonly seed: number;
  readonly tokens?: unknown;
}

function shown(options: RunOptions): Readonly<Record<string, unknown>> {
  const { tokens, seed, ...rest } = options;
  return tokens === seed ? {} : rest;
}

/** The first record of a run: what was run against what, and with which options; no token among them. */
export function startRecord(
  command: RunStart['command'],
  target: RunTarget,
  contract: Contract,
  options: RunOptions,
): RunStart {
  return {
    type: 'run-start',
    version: VERSION,
    command,
    target: { baseUrl: target.baseUrl, embedded: target.embedded },
    spec: { title: contract.title, source: contract.source, operations: contract.operations.length },
    seed: options.seed,
    startedAt: new Date().toISOString(),
    options: shown(options),
  };
}
