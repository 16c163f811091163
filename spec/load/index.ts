import { fileURLToPath } from 'node:url';
import { buildContract } from './contract.ts';
import { problemList } from './problems.ts';
import { bundle, hasExternalRefs } from './source/bundle.ts';
import { dialectOf } from './source/dialect.ts';
import { parseText } from './source/parse.ts';
import { readSource } from './source/read.ts';
import type { Contract } from '../contract.ts';
import type { ReadOptions } from './source/read.ts';

/** Path of the description that Assay brings. */
export const BUILT_IN = fileURLToPath(new URL('../openapi.yaml', import.meta.url));

/**
 * Loads a description: a path or an http(s) URL of an OpenAPI 3.x or Swagger 2 document in YAML or JSON, or (undefined) the one that
 * Assay brings. What is odd in it is mended and told in {@link Contract.problems}; an AssayError with exit code 2 says what cannot be read.
 */
export async function loadContract(source?: string, options: ReadOptions = {}): Promise<Contract> {
  const path = source ?? BUILT_IN;
  const { problems, report } = problemList();
  const written = parseText(await readSource(path, options), path, report);
  const dialect = dialectOf(written, path, report);
  const whole = hasExternalRefs(written) ? await bundle(written, path, report) : written;
  return buildContract({ source: path, builtIn: source === undefined, dialect, written: whole }, problems);
}
