import type { Kind } from './kinds.ts';

/** One option: what stands on the command line, in the environment and in a configuration file. */
export interface OptionSpec<T> {
  readonly kind: Kind<unknown>;
  /** Where nothing sets it. */
  readonly fallback: T;
  readonly about: string;
  /** Its value may stand in no output. */
  readonly secret?: boolean;
  /** No sense in a file or the environment, for example `--path` of one counterexample. */
  readonly flagOnly?: boolean;
}

interface Extra {
  readonly secret?: boolean;
  readonly flagOnly?: boolean;
}

/** An option that may be left out. */
export function optional<T>(kind: Kind<T>, about: string, extra: Extra = {}): OptionSpec<T | undefined> {
  return { kind, about, fallback: undefined, ...extra };
}

/** An option that has a value even where nobody gives one. */
export function withDefault<T>(kind: Kind<T>, fallback: T, about: string, extra: Extra = {}): OptionSpec<T> {
  return { kind, about, fallback, ...extra };
}

const dashed = (name: string): string => name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);

/** `baseUrl` → `--base-url`. */
export const flagOf = (name: string): string => `--${dashed(name)}`;

/** `baseUrl` → `ASSAY_BASE_URL`. */
export const variableOf = (name: string): string => `ASSAY_${dashed(name).replaceAll('-', '_').toUpperCase()}`;
