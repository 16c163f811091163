import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createJiti } from 'jiti';
import { AssayError, EXIT, isObject } from '../spec/index.ts';
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

async function fromFile(path: string): Promise<Scenario> {
  const file = resolve(path);
  if (!existsSync(file))
    refuse(`There is no scenario file ${path}.`, `Name a file, or one of: ${Object.keys(SCENARIOS).join(', ')}.`);
  let loaded: unknown;
  try {
    loaded = await createJiti(import.meta.url).import(file);
  } catch (cause) {
    refuse(
      `The scenario file ${path} cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
      'It must be a module that Node or TypeScript can read.',
      cause,
    );
  }
  const exported = isObject(loaded) ? (loaded as Record<string, unknown>) : {};
  const found = [exported['scenario'], exported['default'], loaded].find(isScenario);
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
