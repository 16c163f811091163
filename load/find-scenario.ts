import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { AssayError, EFFECTS, isObject, usageError } from '../spec/index.ts';
import { didYouMean } from '../spec/nearest.ts';
import { mistakeText } from './flow/errors.ts';
import { exportedBy, isFlow } from './flow/load-flow.ts';
import { scenarioOfFlow } from './flow/scenario.ts';
import type { FlowScenario } from './flow/types.ts';
import { SCENARIOS } from './scenarios/index.ts';
import type { Scenario, ScenarioRequest } from './scenarios/index.ts';

const FILE = /[./\\]|\.[cm]?[jt]s$/;

function isScenario(value: unknown): value is Scenario {
  return isObject(value) && typeof value['setup'] === 'function' && typeof value['name'] === 'string';
}

const SHAPE_HINT =
  'Export it as "scenario" or as default: { name, title, effects, thresholds, rate, async setup(context) { return { requests: […] } } }.';

const FLOW_HINT =
  "Export it as \"scenario\": { name, effects: ['read'], thresholds: ['p99<500'], rate: 20, async flow({ get }) { await get('/api/v1/…'); } }.";

/** Names the file, and where known the line, in an error of the scenario itself. */
async function blamed<T>(file: string, part: string, work: () => Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const { Skip } = await import('../domain/context.ts');
    if (error instanceof AssayError || error instanceof Skip) throw error;
    throw usageError(
      `The ${part} of the scenario failed: ${mistakeText(error, resolve(file))}`,
      'Correct the scenario; --debug prints the stack trace.',
      error,
    );
  }
}

/** What a member of a request must be, in words and as a test. */
type Rule = readonly [expected: string, fits: (value: unknown) => boolean];

const TEXT: Rule = ['a string', (value) => typeof value === 'string'];
const NUMBERS: Rule = ['an array of numbers', (value) => Array.isArray(value) && value.every(Number.isInteger)];

const REQUEST = {
  operation: TEXT,
  form: TEXT,
  method: TEXT,
  path: TEXT,
  body: [`bytes, for example Buffer.from('{"a":1}')`, (value) => value instanceof Uint8Array],
  contentType: TEXT,
  headers: ['an object of strings', (value) => isObject(value) && Object.values(value).every(TEXT[1])],
  fields: NUMBERS,
  accepts: NUMBERS,
  part: TEXT,
} satisfies Record<keyof ScenarioRequest, Rule>;

const REQUIRED: readonly string[] = ['operation', 'method', 'path'];

/** Refuses requests that a set-up returned with wrong types: they are sent as they are. */
function checkRequests(requests: unknown, path: string): void {
  const problems = Array.isArray(requests) ? requests.flatMap(requestProblems) : ['requests must be an array'];
  if (problems.length > 0)
    throw usageError(
      `The set-up of the scenario in ${path} returns invalid requests: ${problems.join('; ')}.`,
      SHAPE_HINT,
    );
}

function requestProblems(request: unknown, index: number): string[] {
  if (!isObject(request)) return [`requests[${index}] must be an object`];
  const { operation } = request;
  const name = `requests[${index}]${typeof operation === 'string' ? ` (${operation})` : ''}`;
  const wrong = Object.entries(REQUEST)
    .filter(([key, [, fits]]) => (request[key] === undefined ? REQUIRED.includes(key) : !fits(request[key])))
    .map(([key, [expected]]) => `${key} of ${name} must be ${expected}`);
  return [...wrong, ...unknownKeys(request, Object.keys(REQUEST)).map((text) => `${name}: ${text}`)];
}

/** A scenario with defaults for what its file omits. */
function completed(scenario: Scenario, file: string): Scenario {
  return {
    ...scenario,
    async setup(context) {
      const prepared = await blamed(file, 'setup', () => scenario.setup(context));
      if (prepared === undefined) throw usageError(`The setup of the scenario in ${file} returns nothing.`, SHAPE_HINT);
      checkRequests(prepared.requests, file);
      return { ...prepared, teardown: () => blamed(file, 'teardown', () => prepared.teardown?.()) };
    },
    title: scenario.title ?? scenario.name,
    effects: scenario.effects ?? ['irreversible'],
    thresholds: scenario.thresholds ?? [],
    rate: scenario.rate ?? 50,
    throughput: scenario.throughput ?? scenario.rate === undefined,
  };
}

const KEYS = { name: true, title: true, effects: true, thresholds: true, rate: true } as const;

const FLOW_KEYS = Object.keys({
  ...KEYS,
  executor: true,
  vus: true,
  iterations: true,
  stages: true,
  data: true,
  flow: true,
} satisfies Record<keyof FlowScenario, true>);

const SCENARIO_KEYS = Object.keys({
  ...KEYS,
  throughput: true,
  compares: true,
  uses: true,
  setup: true,
} satisfies Record<Exclude<keyof Scenario, 'flow' | 'operations'>, true>);

const suggestion = (word: string, known: readonly string[]): string =>
  didYouMean(word, known) || `use ${known.join(', ')}`;

/** Keys that a scenario does not have. A module that is a scenario as a whole may export other things, too. */
function unknownKeys(given: object, known: readonly string[]): string[] {
  return Object.keys(given)
    .filter((key) => !known.includes(key))
    .map((key) => `${key} is not a known key (${suggestion(key, known)})`);
}

/** Refuses a scenario whose members have wrong types: files need not be type-checked. */
function checked(scenario: Scenario, path: string, unknown: readonly string[]): Scenario {
  const { name, effects, thresholds, rate, flow } = scenario;
  const strange = Array.isArray(effects) ? effects.filter((effect) => !EFFECTS.includes(effect)) : [];
  const problems = [
    ...unknown,
    ...(typeof name === 'string' && name !== '' ? [] : ['name must be a string']),
    ...(Array.isArray(effects) ? [] : ['effects must be an array']),
    ...strange.map((effect) => `"${effect}" is not an effect (${suggestion(String(effect), EFFECTS)})`),
    ...(Array.isArray(thresholds) ? [] : ['thresholds must be an array']),
    ...(Number.isFinite(rate) && rate > 0 ? [] : ['rate must be a number above 0']),
  ];
  if (problems.length === 0) return scenario;
  throw usageError(`The scenario of ${path} is invalid: ${problems.join('; ')}.`, flow ? FLOW_HINT : SHAPE_HINT);
}

async function fromFile(path: string): Promise<Scenario> {
  const file = resolve(path);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw usageError(
      `There is no scenario file ${path}.`,
      `Name a file, or one of: ${Object.keys(SCENARIOS).join(', ')}.`,
    );
  let exports: readonly unknown[];
  try {
    exports = await exportedBy(file);
  } catch (cause) {
    throw usageError(
      `The scenario file ${path} cannot be loaded: ${mistakeText(cause, file)}`,
      'The file must be a JavaScript or TypeScript module.',
      cause,
    );
  }
  const module = exports.at(-1);
  const unknown = (found: object, keys: readonly string[]): string[] =>
    found === module ? [] : unknownKeys(found, keys);
  const flow = exports.find(isFlow);
  if (flow !== undefined) return checked(scenarioOfFlow(flow, file), path, unknown(flow, FLOW_KEYS));
  const found = exports.find(isScenario);
  if (found !== undefined) return checked(completed(found, path), path, unknown(found, SCENARIO_KEYS));
  throw noScenario(
    path,
    exports.find((value): value is object => isObject(value) && value !== module),
  );
}

/** The error of a file without a scenario, or with an object that lacks what makes it one. */
function noScenario(path: string, almost: object | undefined): AssayError {
  if (almost === undefined) return usageError(`The file ${path} exports no scenario.`, SHAPE_HINT);
  const missing = 'setup' in almost ? 'it has no name' : 'it has neither the function flow nor setup';
  const problems = [missing, ...unknownKeys(almost, [...new Set([...FLOW_KEYS, ...SCENARIO_KEYS])])];
  return usageError(`The scenario of ${path} is invalid: ${problems.join('; ')}.`, FLOW_HINT);
}

/** Finds a scenario by name, or loads it from a file. Throws an AssayError (exit code 2) if there is none. */
export async function findScenario(nameOrPath: string | Scenario): Promise<Scenario> {
  if (typeof nameOrPath !== 'string') return nameOrPath;
  const known = Object.entries(SCENARIOS).find(([name]) => name === nameOrPath);
  if (known) return known[1];
  if (FILE.test(nameOrPath)) return fromFile(nameOrPath);
  throw usageError(
    `There is no scenario "${nameOrPath}".`,
    `Name one of ${Object.keys(SCENARIOS).join(', ')}, or a file with one of your own (./my-scenario.ts).`,
  );
}
