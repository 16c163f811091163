import type { SuiteRunOptions } from './options.ts';

/** The command that runs one test again, or with `path` one counterexample of it. */
export function replayCommand(options: SuiteRunOptions, test: string, path: string | undefined): string {
  const { embedded, baseUrl, specSource, insecure, allow, seed } = options;
  return [
    'assay verify',
    ...(embedded ? [] : [`--base-url ${quoted(baseUrl)}`]),
    ...(specSource === undefined ? [] : [`--spec ${quoted(specSource)}`]),
    ...(embedded ? [] : [`--allow ${allow.join(',')}`]),
    ...(insecure === true ? ['--insecure'] : []),
    `--seed ${seed}`,
    ...(path === undefined ? [] : [`--path ${quoted(path)}`]),
    `--only ${quoted(test)}`,
  ].join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
