import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { isObject, mapValues, without } from '../json.ts';
import { buildContract, withLookups } from './contract.ts';
import { dialectOf } from './dialect.ts';
import { bundle, hasExternalRefs, parseText } from './parse.ts';
import { readSource } from './read.ts';
import { ProblemList } from './report.ts';
import { documentRequirements, generalRequirements } from './requirements.ts';
import type { Contract, DescriptionProblem } from '../contract.ts';
import type { Json, JsonObject } from '../json.ts';
import type { ReadDescription } from './contract.ts';

/** Path of the built-in description. */
export const BUILT_IN = fileURLToPath(new URL('../openapi.yaml', import.meta.url));

/** The contract of the built-in description, written by the build: parsing the description takes a tenth of a second. */
const BUILT_IN_CONTRACT = fileURLToPath(new URL('../openapi.contract.json', import.meta.url));

export interface ContractOptions {
  /** Ignore the paths of the description's servers: the deployment has its paths directly under the base URL. */
  readonly withoutServers?: boolean;
  /** Do not merge the API document into a description of the same platform. */
  readonly asWritten?: boolean;
}

/** Contained in every description of the platform. */
const MAY_BE_KNOWN = /\/(?:accesscontrolpolicies|aijob|aiagent)\b/i;

/** A description with its text and the problems found while reading it. */
export interface ReadText extends ReadDescription {
  readonly text: string;
  readonly problems: readonly DescriptionProblem[];
}

/** Reads a description without building a contract. */
export async function readDescription(source: string | undefined): Promise<ReadText> {
  const path = source ?? BUILT_IN;
  const { problems, report } = new ProblemList();
  const text = await readSource(path);
  const written = await parseText(text, path, report);
  const dialect = dialectOf(written, path, report);
  const whole = hasExternalRefs(written) ? await bundle(written, path, report) : written;
  const builtIn = source === undefined;
  const requirements = await (builtIn ? documentRequirements() : generalRequirements());
  return { source: path, builtIn, dialect, written: whole, requirements, text, problems };
}

/**
 * Loads an OpenAPI 3.x or Swagger 2 description (YAML or JSON) from a path or an http(s) URL; undefined loads the built-in one.
 * Defects of the description are repaired if the intent is clear, and listed in {@link Contract.problems}. Throws an AssayError
 * (exit code 2) if the description cannot be read.
 */
export async function loadContract(source?: string, options: ContractOptions = {}): Promise<Contract> {
  if (source === undefined && options.withoutServers !== true && existsSync(BUILT_IN_CONTRACT))
    return withLookups(JSON.parse(readFileSync(BUILT_IN_CONTRACT, 'utf8')) as Parameters<typeof withLookups>[0]);
  const read = await readDescription(source);
  const written = options.withoutServers === true ? withoutServers(read.written) : read.written;
  const known = options.asWritten === true ? undefined : await documentFor(read);
  return buildContract({ ...read, written }, read.problems, known);
}

/** The contract of a description that was read elsewhere, for example from a deployment; nothing is merged into it. */
export function contractOf(written: JsonObject, source: string): Contract {
  const { problems, report } = new ProblemList();
  const dialect = dialectOf(written, source, report);
  return buildContract({ source, builtIn: false, dialect, written, requirements: [] }, problems);
}

/** The API document, if the description may be another one of the same platform. */
export async function documentFor({ builtIn, text }: ReadText): Promise<ReadText | undefined> {
  return builtIn || !MAY_BE_KNOWN.test(text) ? undefined : readDescription(undefined);
}

/** Removes the servers of a description, of its path items and of their operations. */
function withoutServers(document: JsonObject): JsonObject {
  const { paths, ...rest } = without(document, 'servers', 'basePath');
  const stripItem = (node: Json): Json => (isObject(node) ? mapValues(without(node, 'servers'), stripServers) : node);
  return isObject(paths) ? { ...rest, paths: mapValues(paths, stripItem) } : rest;
}

function stripServers(node: Json): Json {
  return isObject(node) ? without(node, 'servers') : node;
}

/** Serialises a contract for another process of the same version: reading it is ten times as fast as loading the description. */
export function packContract(contract: Contract): Uint8Array {
  const data = Object.entries(contract).filter(([, value]) => typeof value !== 'function');
  return serialize(Object.fromEntries(data));
}

/** Reads a contract from {@link packContract}. */
export function unpackContract(bytes: Uint8Array): Contract {
  return withLookups(deserialize(bytes) as Parameters<typeof withLookups>[0]);
}
