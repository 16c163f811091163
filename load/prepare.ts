import { randomBytes } from 'node:crypto';
import { AssayError, EFFECTS, EXIT, usageError } from '../spec/index.ts';
import type { ApiContext, Fixtures } from '../domain/index.ts';
import type { Contract, Effect, Exchange } from '../spec/index.ts';
import { encodeTraffic } from './encode-traffic.ts';
import type { Traffic } from './engines/traffic.ts';
import type { FlowJob } from './flow/job.ts';
import { flowJob, NO_TRAFFIC } from './flow/scenario.ts';
import type { Judging } from './judging.ts';
import type { CommonOptions } from './options.ts';
import { SCENARIOS } from './scenarios/index.ts';
import type { PreparedScenario, Scenario, ScenarioContext } from './scenarios/index.ts';
import type { Remote } from './trial.ts';

/** A scenario after its setup, with its encoded requests. */
export interface ReadyScenario {
  readonly scenario: Scenario;
  readonly prepared: PreparedScenario;
  readonly traffic: Traffic;
  readonly runId: string;
  readonly flow?: FlowJob;
}

/** The other machines that send a scenario, if there are any. */
export function remoteOf(
  { senders }: Pick<CommonOptions, 'senders'>,
  ready: ReadyScenario,
  judging: Judging | undefined,
): Remote | undefined {
  return senders && { senders, requests: ready, onJudged: (judged) => judging?.merge(judged) };
}

export function newRunId(): string {
  return `${Date.now().toString(36)}${randomBytes(4).readUInt32LE().toString(36)}`;
}

function succeeded(exchange: Exchange): Exchange {
  const { response, failure, operation } = exchange;
  if (response && response.status >= 200 && response.status < 300) return exchange;
  const outcome = response ? `was answered with ${response.status}` : `failed: ${failure?.message ?? 'no response'}`;
  const isReached = response && response.status !== 401 && response.status !== 403;
  throw new AssayError(`The scenario needs a request that was not served: ${operation} ${outcome}.`, {
    hint: response
      ? 'Run "assay verify" to see how the deployment responds; the token needs every permission (--token).'
      : 'The target did not respond: check that it is running, and its log.',
    exitCode: isReached ? EXIT.failed : EXIT.unreachable,
  });
}

/** The given fixtures; if clues may be posted, with the organization that the deployment shows. */
async function fixturesFor(api: ApiContext, given: Fixtures = {}): Promise<Fixtures> {
  if (given.organization !== undefined || !api.allows('irreversible')) return given;
  const { knownOrganization } = await import('../domain/builtin/tenant.ts');
  const organization = await knownOrganization(api, given).catch(() => undefined);
  return organization === undefined ? given : { ...given, organization };
}

async function contextFor(options: CommonOptions, runId: string): Promise<ScenarioContext> {
  const { contract, journal, allow, signal, seed = 1, bodyBytes = 1024, items = 200, settleMs = 1000 } = options;
  // Imported here to keep the start of the command fast.
  const [{ setupApi }, { poolOf }] = await Promise.all([import('./setup-api.ts'), import('./scenarios/body-pool.ts')]);
  const { api, send, removeCreated } = setupApi(options, `assay-load-${runId}`, succeeded);
  const fixtures = await fixturesFor(api, options.fixtures);
  return {
    contract,
    send,
    journal,
    api,
    seed,
    runId,
    bodyBytes,
    items,
    settleMs,
    ...(signal === undefined ? {} : { signal }),
    allows: (effect) => allow.includes(effect),
    operation(id) {
      const found = contract.operation(id);
      if (found) return found;
      throw usageError(`The description has no ${id}.`, usableHint(contract));
    },
    expectSuccess: async (spec) => succeeded(await send(spec)),
    pool: (kind, count, tag = 'assay-load') => poolOf({ kind, count, bytes: bodyBytes, seed, tag, fixtures }),
    removeCreated,
  };
}

function missingIn(contract: Contract, { operations = [] }: Scenario): string | undefined {
  return operations.find((id) => contract.operation(id) === undefined);
}

/** What can be run against a description: the scenarios whose operations it has, else one of the user's own. */
function usableHint(contract: Contract): string {
  const usable = Object.values<Scenario>(SCENARIOS).filter((scenario) => missingIn(contract, scenario) === undefined);
  if (usable.length > 0) return `With this description, use one of: ${usable.map(({ name }) => name).join(', ')}.`;
  const read = contract.operations.find(({ method, path }) => method === 'GET' && !path.includes('{'));
  const path = read?.forms.at(-1)?.path ?? '/…';
  return `No built-in scenario fits this description: write one in a file (docs/load.md, "Flows") and name the file, for example ./read.ts: export const scenario = { name: 'read', effects: ['read'], async flow({ get }) { await get('${path}'); } };`;
}

/** Refuses scenarios whose operations the description does not have, before anything is sent. */
export function checkOperations(scenarios: readonly Scenario[], contract: Contract): void {
  for (const scenario of scenarios) {
    const missing = missingIn(contract, scenario);
    if (missing !== undefined)
      throw usageError(
        `The scenario ${scenario.name} sends ${missing}, which the description does not have.`,
        usableHint(contract),
      );
  }
}

export function forbidden(scenario: Scenario, allow: readonly Effect[]): readonly Effect[] {
  return scenario.effects.filter((effect) => !allow.includes(effect));
}

/** The error when no scenario may run: a run that measures nothing must not pass. */
export function nothingAllowed(scenarios: readonly Scenario[], allow: readonly Effect[]): AssayError {
  const needs = scenarios.map((scenario) => `${scenario.name} needs ${forbidden(scenario, allow).join(' and ')}`);
  const effects = new Set([...allow, ...scenarios.flatMap((scenario) => scenario.effects)]);
  return usageError(
    `Nothing would be measured: ${needs.join('; ')}, which is not allowed.`,
    `Allow it with --allow ${[...effects].join(',')}, or choose a scenario that needs fewer effects.`,
  );
}

/** Converts a skip of a setup into an error for the user. Where everything is allowed, the target is the reason. */
async function setupError(error: unknown, { name }: Scenario, allow: readonly Effect[]): Promise<unknown> {
  const { Skip } = await import('../domain/context.ts');
  if (!(error instanceof Skip)) return error;
  const isOfTarget = EFFECTS.every((effect) => allow.includes(effect));
  return new AssayError(`The scenario ${name} cannot be set up: ${error.message}.`, {
    hint: `${isOfTarget ? 'Run' : 'Allow more effects (--allow), or run'} "assay verify" to see how the deployment responds.`,
    exitCode: isOfTarget ? EXIT.inconclusive : EXIT.usage,
    cause: error,
  });
}

/** Sets up a scenario and encodes its requests. If that fails, it removes what was created. */
export async function prepareScenario(scenario: Scenario, options: CommonOptions): Promise<ReadyScenario> {
  const runId = options.runId ?? newRunId();
  const context = await contextFor(options, runId);
  let prepared: PreparedScenario | undefined;
  try {
    prepared = await scenario.setup(context);
    if (scenario.flow) {
      const tag = `assay-load-${runId}`;
      const flow = flowJob(scenario.flow.file, scenario.effects, options.target, options.contract, tag);
      return { scenario, prepared, runId, traffic: NO_TRAFFIC, flow };
    }
    const traffic = encodeTraffic(prepared, options.target, runId, (id) => options.contract.operation(id));
    return { scenario, prepared, runId, traffic };
  } catch (error) {
    // What cannot be removed stays in the journal; the first error is the one to report.
    await (prepared?.teardown?.() ?? context.removeCreated()).catch(() => undefined);
    throw await setupError(error, scenario, options.allow);
  }
}
