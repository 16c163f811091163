import { Command, Option } from 'commander';
import { COMMANDS } from './catalogue.ts';
import { flagOf, variableOf } from './options/spec.ts';
import { headingOf, optionSpec } from './options/table.ts';
import type { CommandSpec } from './invocation.ts';
import type { OptionName } from './options/table.ts';

/** What to do once the command line is read: the command, and what stood on its line. */
export type Dispatch = (spec: CommandSpec, line: Command) => Promise<void>;

function describe(name: OptionName): string {
  const { about, fallback, flagOnly } = optionSpec(name);
  const shown = typeof fallback === 'string' || typeof fallback === 'number' ? `default: ${fallback}` : '';
  const notes = [shown, flagOnly === true ? '' : variableOf(name)].filter((note) => note !== '');
  return notes.length === 0 ? about : `${about} [${notes.join(', ')}]`;
}

/** Gathers the values of a flag that is given more than once. */
function collect(value: string, earlier: unknown): readonly unknown[] {
  return Array.isArray(earlier) ? [...earlier, value] : [value];
}

function asOption(name: OptionName): Option {
  const { kind } = optionSpec(name);
  if (kind.placeholder === undefined) return new Option(flagOf(name), describe(name));
  return new Option(`${flagOf(name)} <${kind.placeholder}>`, describe(name)).argParser(collect);
}

function addLeaf(parent: Command, name: string, spec: CommandSpec, dispatch: Dispatch): void {
  const leaf = parent.command(name).summary(spec.summary).description(spec.summary);
  for (const [operand, about] of Object.entries(spec.operands ?? {})) leaf.argument(operand, about);
  for (const option of spec.options) leaf.addOption(asOption(option).helpGroup(headingOf(option)));
  leaf.addHelpText('after', `\nExamples:\n${spec.examples.map((example) => `  ${example}`).join('\n')}`);
  leaf.allowUnknownOption().allowExcessArguments();
  leaf.action(async () => dispatch(spec, leaf));
}

function findOrAdd(program: Command, name: string): Command {
  return (
    program.commands.find((known) => known.name() === name) ??
    program
      .command(name)
      .summary('list the operations, lint a description, diff two of them')
      .description('List the operations of a description, lint it, or diff two of them')
  );
}

/** The whole command line, out of the catalogue and the table of options. */
export function buildProgram(version: string, dispatch: Dispatch): Command {
  const program = new Command('assay')
    .description(
      'Does a deployment keep the promises of its API document, how much does it bear, and can the answer be trusted?',
    )
    .version(version, '-V, --version')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /u, 'assay: ')) })
    .configureHelp({ showGlobalOptions: false, sortSubcommands: false })
    .addHelpText(
      'after',
      '\nExit codes: 0 passed, 1 failed, 2 usage error, 3 target unreachable, 4 threshold missed, 5 internal error, 6 inconclusive,\n130 interrupted. To get started: assay verify',
    );
  for (const [name, spec] of Object.entries(COMMANDS)) {
    const [first = '', second] = name.split(' ');
    if (second === undefined) addLeaf(program, first, spec, dispatch);
    else addLeaf(findOrAdd(program, first), second, spec, dispatch);
  }
  return program;
}
