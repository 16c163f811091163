import type { Command } from 'commander';
import { COMMAND } from '../command-name.ts';
import { COMMAND_OPTIONS } from '../command-options.ts';
import { didYouMean } from '../../spec/nearest.ts';
import { flagOf, hasFlag, variableOf } from './spec.ts';
import { OPTION_NAMES, optionSpec } from './table.ts';
import type { CommandSpec } from '../invocation.ts';
import type { Problem } from '../problems.ts';
import type { OptionName } from './table.ts';
import type { Given, Source } from './resolve.ts';

export function commandLineSource(line: Command, names: readonly OptionName[]): Source {
  const source = new Map<OptionName, Given>();
  for (const name of names) {
    const value: unknown = line.getOptionValue(name);
    if (value === undefined || value === false) continue;
    source.set(name, { texts: Array.isArray(value) ? value.map(String) : ['true'], subject: flagOf(name) });
  }
  return source;
}

function unknownFlag(word: string, known: readonly string[]): Problem {
  const flag = word.split('=')[0] ?? word;
  const owners = Object.entries(COMMAND_OPTIONS).flatMap(([command, names]) =>
    names.some((name: OptionName) => flagOf(name) === flag && hasFlag(optionSpec(name))) ? [command] : [],
  );
  const hint = owners.length > 0 ? `it is an option of ${owners.join(', ')}` : didYouMean(flag, known) || 'see --help';
  return { subject: flag, message: 'is not an option of this command', hint };
}

/** The operands of the line; unknown flags and excess words are added to `problems`. */
export function operandsOf(
  line: Command,
  { options, operandHint }: Pick<CommandSpec, 'options' | 'operandHint'>,
  problems: Problem[],
): readonly string[] {
  const flagged = options.filter((name) => hasFlag(optionSpec(name)));
  const known = [...flagged.map(flagOf), '--help'];
  const flags = line.args.filter((word) => word.startsWith('-') && word !== '-' && word !== '--');
  problems.push(...[...new Set(flags)].map((flag) => unknownFlag(flag, known)));
  // The word after an unknown flag may be its value.
  const isValue = (at: number): boolean =>
    flags.includes(line.args[at - 1] ?? '') && line.args[at - 1]?.includes('=') !== true;
  const operands = line.args.filter((word, at) => !flags.includes(word) && !isValue(at));
  const isVariadic = line.registeredArguments.some((argument) => argument.variadic);
  const excess = isVariadic || flags.length > 0 ? [] : operands.slice(line.registeredArguments.length);
  if (excess.length > 0) {
    const hint = operandHint ?? `usage: ${COMMAND} ${line.name()} ${line.usage()}`;
    problems.push({ subject: excess.join(' '), message: 'is unexpected', hint });
  }
  return operands;
}

/** What a further process of this machine needs to be told as this one was. */
export interface HandedOn {
  readonly words: readonly string[];
  /** Secrets, which other users of the machine could read in the words. */
  readonly env: Readonly<Record<string, string>>;
}

/** The flags of this process that set these options. Child processes read variables and the file themselves. */
export function flagsOf(names: readonly OptionName[], line: readonly string[] = process.argv.slice(2)): HandedOn {
  const words: string[] = [];
  const env: Record<string, string> = {};
  const rest = [...line];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [flag = '', inline] = word.split(/=(.*)/su, 2);
    const name = OPTION_NAMES.find((each) => hasFlag(optionSpec(each)) && flagOf(each) === flag);
    if (name === undefined) continue;
    const { kind, secret } = optionSpec(name);
    const takesNext = kind.placeholder !== undefined && kind.bare === undefined && inline === undefined;
    const value = takesNext ? rest.shift() : inline;
    if (!names.includes(name)) continue;
    if (secret === true) env[variableOf(name)] = value ?? '';
    else words.push(flag, ...(value === undefined ? [] : [value]));
  }
  return { words, env };
}
