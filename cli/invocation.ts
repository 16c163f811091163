import type { Problem } from './problems.ts';
import type { OptionName, Settings } from './options/table.ts';

/** What a command gets: its settings, its operands, and what was wrong with them so far. */
export interface Invocation<N extends OptionName> {
  readonly settings: Settings<N>;
  readonly operands: readonly string[];
  /** True where a flag, a variable or the file sets the option. */
  readonly isSet: (name: N) => boolean;
  /** A command adds what it finds wrong, then refuses them all at once. */
  readonly problems: Problem[];
  /** Aborted by Ctrl-C, SIGTERM and SIGHUP. */
  readonly signal: AbortSignal;
  /** Working directory. */
  readonly directory: string;
}

/** A command's work; the number is the exit code. */
export type Run<N extends OptionName> = (invocation: Invocation<N>) => Promise<number>;

export interface CommandSpec {
  readonly summary: string;
  /** What stands beside the options, in commander's notation such as `[scenario...]`, and what it is. */
  readonly operands?: Readonly<Record<string, string>>;
  readonly options: readonly OptionName[];
  readonly examples: readonly string[];
  readonly load: () => Promise<Run<OptionName>>;
}

interface TypedCommand<N extends OptionName> extends Omit<CommandSpec, 'options' | 'load'> {
  readonly options: readonly N[];
  readonly load: () => Promise<Run<N>>;
}

/** Ties the options that a command declares to those that its code may read; the code is loaded when it runs. */
export function command<N extends OptionName>(spec: TypedCommand<N>): CommandSpec {
  return spec;
}
