import type { Problem } from './problems.ts';
import type { OptionName, Settings } from './options/table.ts';

/** What a command gets: its settings, its operands, and the problems found so far. */
export interface Invocation<N extends OptionName> {
  readonly settings: Settings<N>;
  readonly operands: readonly string[];
  /** True where a flag, a variable or the configuration file sets the option. */
  readonly isSet: (name: N) => boolean;
  /** True where the command line itself sets the option: what all runs share in a file or in variables need not fit each of them. */
  readonly isFlag: (name: N) => boolean;
  /** A command adds its own, then reports all of them at once. */
  readonly problems: Problem[];
  readonly signal: AbortSignal;
  readonly directory: string;
}

/** Runs a command; resolves to the exit code. */
export type RunCommand<N extends OptionName> = (invocation: Invocation<N>) => Promise<number>;

export interface CommandSpec {
  readonly summary: string;
  /** Another name, that users of other tools try. */
  readonly alias?: string;
  /** Operands in commander's notation, such as `[scenario...]`, with their description. */
  readonly operands?: Readonly<Record<string, string | (() => Promise<string>)>>;
  /** Hint for operands that the command does not take; default: its usage. */
  readonly operandHint?: string;
  readonly options: readonly OptionName[];
  /** Descriptions of its options that differ from those of the table. */
  readonly about?: Readonly<Partial<Record<OptionName, string>>>;
  readonly examples: readonly string[];
  readonly load: () => Promise<RunCommand<OptionName>>;
}
