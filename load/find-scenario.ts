import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AssayError, EXIT } from '../spec/index.ts';
import { exportedBy, isFlow } from './flow/load-flow.ts';
import { scenarioOfFlow } from './flow/scenario.ts';
import type { FlowScenario } from './flow/types.ts';
import { SCENARIOS } from './scenarios/index.ts';
import type { Scenario } from './scenarios/index.ts';

const FILE = /[./\\]|\.[cm]?[jt]s$/;

function isScenario(value: unknown): value is Scenario {
  return (
    typeof value === 'object' &&
    value !== null &&
    'setup' in value &&
    typeof value.setup === 'function' &&
    'name' in value &&
    typeof value.name === 'string'
  );
}

const SHAPE_HINT =
  'Export it as "scenario" or as default: { name, title, effects, thresholds, rate, async setup(context) { return { requests: […] } } }.';

const FLOW_HINT =
  "Export it as \"scenario\": { name, effects: ['read'], thresholds: ['p99<500'], rate: 20, async flow({ get }) { await get('/api/v1/…'); } }.";

function refuse(message: string, hint: string, cause?: unknown): never {
  throw new AssayError(message, { hint, exitCode: EXIT.usage, cause });
}

/** Fills in what a file may omit. */
function completed(scenario: Scenario): Scenario {
  return {
    ...scenario,
    title: scenario.title ?? scenario.name,
    effects: scenario.effects ?? ['irreversible'],
    thresholds: scenario.thresholds ?? [],
    rate: scenario.rate ?? 50,
  };
}

function checkedFlow(flow: FlowScenario, path: string): FlowScenario {
  if (typeof flow.name === 'string' && flow.name !== '') return flow;
  return refuse(`The flow of ${path} has no name.`, FLOW_HINT);
}

async function fromFile(path: string): Promise<Scenario> {
  const file = resolve(path);
  if (!existsSync(file))
    refuse(`There is no scenario file ${path}.`, `Name a file, or one of: ${Object.keys(SCENARIOS).join(', ')}.`);
  let exports: readonly unknown[];
  try {
    exports = await exportedBy(file);
  } catch (cause) {
    refuse(
      `The scenario file ${path} cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
      'It must be a module that Node or TypeScript can read.',
      cause,
    );
  }
  const flow = exports.find(isFlow);
  if (flow !== undefined) return scenarioOfFlow(checkedFlow(flow, path), file);
  const found = exports.find(isScenario);
  return found ? completed(found) : refuse(`The file ${path} exports no scenario.`, SHAPE_HINT);
}

/** Finds a scenario by name, or loads it from a file of the user. */
export async function findScenario(nameOrPath: string | Scenario): Promise<Scenario> {
  if (typeof nameOrPath !== 'string') return nameOrPath;
  const known = Object.entries(SCENARIOS).find(([name]) => name === nameOrPath);
  if (known) return known[1];
  if (FILE.test(nameOrPath)) return fromFile(nameOrPath);
  return refuse(
    `There is no scenario "${nameOrPath}".`,
    `Name one of ${Object.keys(SCENARIOS).join(', ')}, or a file with one of your own (./my-scenario.ts).`,
  );
}
