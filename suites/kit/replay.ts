import { shellQuoted } from '../../spec/escape.ts';
import type { SuiteRunOptions } from './options.ts';

/** The command that runs one test again; with `path`, only that counterexample. */
export function replayCommand(options: SuiteRunOptions, test: string, path: string | undefined): string {
  const { embedded, baseUrl, specSource, allow, seed } = options;
  return [
    'assay verify',
    ...(embedded ? [] : [`--base-url ${shellQuoted(baseUrl)}`]),
    ...(specSource === undefined ? [] : [`--spec ${shellQuoted(specSource)}`]),
    ...(embedded ? [] : [`--allow ${allow.join(',')}`]),
    ...connectionOptions(options),
    `--seed ${seed}`,
    ...(path === undefined ? [] : [`--path ${shellQuoted(path)}`]),
    `--only ${shellQuoted(test)}`,
  ].join(' ');
}

/** Bases, fixtures and headers are not repeated: the command reads the same configuration file. */
function connectionOptions({ insecure, ca, cert, key }: SuiteRunOptions): readonly string[] {
  const files = Object.entries({ ca, cert, key }).filter(([, file]) => file !== undefined);
  return [
    ...(insecure === true ? ['--insecure'] : []),
    ...files.map(([name, file]) => `--${name} ${shellQuoted(file ?? '')}`),
  ];
}
