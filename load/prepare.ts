import { randomBytes } from 'node:crypto';
import type { RequestSpec } from '../client/index.ts';
import { AssayError, EXIT } from '../spec/index.ts';
import type { Effect, Exchange, Operation } from '../spec/index.ts';
import { encodeTraffic } from './encode-traffic.ts';
import type { Traffic } from './engines/traffic.ts';
import type { CommonOptions } from './options.ts';
import type { PreparedScenario, Scenario, ScenarioContext } from './scenarios/index.ts';
import { poolOf } from './scenarios/pool.ts';

/** A scenario that is set up, and its requests as bytes. */
export interface ReadyScenario {
  readonly scenario: Scenario;
  readonly prepared: PreparedScenario;
  readonly traffic: Traffic;
  readonly runId: string;
}

/** Letters and digits, unlike any other run's. */
export function newRunId(): string {
  return `${Date.now().toString(36)}${randomBytes(4).readUInt32LE().toString(36)}`;
}

function describe(exchange: Exchange): string {
  if (exchange.response) return `was answered ${exchange.response.status}`;
  return `failed: ${exchange.failure?.message ?? 'no answer'}`;
}

function exitCodeFor({ response }: Exchange): number {
  return response && response.status !== 401 && response.status !== 403 ? EXIT.failed : EXIT.unreachable;
}

function contextFor(options: CommonOptions, runId: string): ScenarioContext {
  const operation = (id: string): Operation => {
    const found = options.contract.operation(id);
    if (found) return found;
    throw new AssayError(`The description has no ${id}.`, {
      hint: 'Leave --spec out, or choose another scenario.',
      exitCode: EXIT.usage,
    });
  };
  const expectSuccess = async (plan: RequestSpec): Promise<Exchange> => {
    const exchange = await options.send(plan);
    const status = exchange.response?.status ?? 0;
    if (status >= 200 && status < 300) return exchange;
    throw new AssayError(`Setting up: ${plan.operation.id} ${describe(exchange)}.`, {
      hint: 'Run "assay verify" to see what the deployment answers; a token needs every permission (--token).',
      exitCode: exitCodeFor(exchange),
    });
  };
  const seed = options.seed ?? 1;
  const bytes = options.bodyBytes ?? 1024;
  return {
    contract: options.contract,
    send: options.send,
    journal: options.journal,
    seed,
    runId,
    bodyBytes: bytes,
    items: options.items ?? 200,
    settleMs: options.settleMs ?? 1000,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    allows: (effect) => options.allow.includes(effect),
    operation,
    expectSuccess,
    pool: (kind, count) => poolOf({ kind, count, bytes, seed, tag: 'assay-load' }),
  };
}

/** Effects that a scenario has and the user does not allow. */
export function forbidden(scenario: Scenario, allow: readonly Effect[]): readonly Effect[] {
  return scenario.effects.filter((effect) => !allow.includes(effect));
}

/** What is to be said where every scenario needs more than is allowed: a run that measures nothing must not look like one that held. */
export function nothingAllowed(scenarios: readonly Scenario[], allow: readonly Effect[]): AssayError {
  const needs = scenarios.map((scenario) => `${scenario.name} needs ${forbidden(scenario, allow).join(' and ')}`);
  const effects = new Set([...allow, ...scenarios.flatMap((scenario) => scenario.effects)]);
  return new AssayError(`Nothing would be measured: ${needs.join('; ')}, which is not allowed.`, {
    hint: `Allow it with --allow ${[...effects].join(',')}, or name a scenario that needs less.`,
    exitCode: EXIT.usage,
  });
}

/** Sets a scenario up and encodes its requests. */
export async function prepareScenario(scenario: Scenario, options: CommonOptions): Promise<ReadyScenario> {
  const runId = options.runId ?? newRunId();
  const prepared = await scenario.setup(contextFor(options, runId));
  try {
    return { scenario, prepared, runId, traffic: encodeTraffic(prepared, options.target, runId) };
  } catch (error) {
    await prepared.teardown?.();
    throw error;
  }
}
