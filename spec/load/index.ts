import { fileURLToPath } from 'node:url';
import { buildContract } from './contract.ts';
import { problemList } from './problems.ts';
import { bundle, hasExternalRefs } from './source/bundle.ts';
import { dialectOf } from './source/dialect.ts';
import { parseText } from './source/parse.ts';
import { readSource } from './source/read.ts';
import type { Contract, DescriptionProblem } from '../contract.ts';
import type { ReadDescription } from './contract.ts';
import { withoutServers } from './source/without-servers.ts';
import type { ReadOptions } from './source/read.ts';

/** Path of the description that Assay brings. */
export const BUILT_IN = fileURLToPath(new URL('../openapi.yaml', import.meta.url));

export interface LoadOptions extends ReadOptions {
  /** Set where the deployment has its paths right under the base URL, whatever the description's servers put before them. */
  readonly withoutServers?: boolean;
}

/** A description with its text and with what was odd in reading it. */
export interface ReadText extends ReadDescription {
  readonly text: string;
  readonly problems: readonly DescriptionProblem[];
}

/** Reads a description without making a contract of it. */
export async function readDescription(source: string | undefined, options: ReadOptions): Promise<ReadText> {
  const path = source ?? BUILT_IN;
  const { problems, report } = problemList();
  const text = await readSource(path, options);
  const written = parseText(text, path, report);
  const dialect = dialectOf(written, path, report);
  const whole = hasExternalRefs(written) ? await bundle(written, path, report) : written;
  return { source: path, builtIn: source === undefined, dialect, written: whole, text, problems };
}

/**
 * Loads a description: a path or an http(s) URL of an OpenAPI 3.x or Swagger 2 document in YAML or JSON, or (undefined) the one that
 * Assay brings. What is odd in it is mended and told in {@link Contract.problems}; an AssayError with exit code 2 says what cannot be read.
 */
export async function loadContract(source?: string, options: LoadOptions = {}): Promise<Contract> {
  const read = await readDescription(source, options);
  const written = options.withoutServers === true ? withoutServers(read.written) : read.written;
  return buildContract({ ...read, written }, read.problems);
}
