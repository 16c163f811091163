import type { OptionKind } from './kinds.ts';

/** One option of the command line, the environment and the configuration file. */
export interface OptionSpec<T> {
  readonly kind: OptionKind<unknown>;
  readonly fallback: T;
  readonly about: string;
  /** Its value appears in no output. */
  readonly secret?: boolean;
  /** Its value appears in no message about the input. */
  readonly hidden?: boolean;
  /** Only on the command line, for example `--path` of one counterexample. */
  readonly flagOnly?: boolean;
  /** Not on the command line, which other users of the machine can read. */
  readonly noFlag?: boolean;
  /** Only in the configuration file: its value is structured. */
  readonly fileOnly?: boolean;
}

type Extra = Partial<Pick<OptionSpec<unknown>, 'secret' | 'hidden' | 'flagOnly' | 'noFlag' | 'fileOnly'>>;

export function optional<T>(kind: OptionKind<T>, about: string, extra: Extra = {}): OptionSpec<T | undefined> {
  return { kind, about, fallback: undefined, ...extra };
}

export function withDefault<T>(kind: OptionKind<T>, fallback: T, about: string, extra: Extra = {}): OptionSpec<T> {
  return { kind, about, fallback, ...extra };
}

const dashed = (name: string): string => name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);

/** True where the option can be given on the command line. */
export const hasFlag = ({ noFlag, fileOnly }: Pick<OptionSpec<unknown>, 'noFlag' | 'fileOnly'>): boolean =>
  noFlag !== true && fileOnly !== true;

export const flagOf = (name: string): string => `--${dashed(name)}`;

/** `baseUrl` → `ASSAY_BASE_URL`. */
export const variableOf = (name: string): string => `ASSAY_${dashed(name).replaceAll('-', '_').toUpperCase()}`;
