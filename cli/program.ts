import { Command, Help, Option } from 'commander';
import { COMMANDS } from './catalogue.ts';
import { COMMAND, pasteable } from './command-name.ts';
import type { CommandSpec } from './invocation.ts';
import { flagOf, hasFlag, variableOf } from './options/spec.ts';
import { headingOf, optionSpec } from './options/table.ts';
import type { OptionName } from './options/table.ts';
import { screenColumns, wrapLines } from './text/print.ts';

export type Dispatch = (spec: CommandSpec, line: Command) => Promise<void>;

const EXIT_CODES = `
Exit codes:
  0 passed   1 failed   2 usage error   3 target unreachable
  4 threshold missed   5 internal error   6 inconclusive
  130 interrupted

To get started: ${COMMAND} verify`;

function describe(name: OptionName, own: CommandSpec['about']): string {
  const { fallback, flagOnly } = optionSpec(name);
  const about = own?.[name] ?? optionSpec(name).about;
  const hasDefault = typeof fallback === 'number' || (typeof fallback === 'string' && fallback !== '');
  const byDefault = hasDefault ? `default: ${fallback}` : '';
  const notes = [byDefault, flagOnly === true ? '' : variableOf(name)].filter((note) => note !== '');
  return notes.length === 0 ? about : `${about} [${notes.join(', ')}]`;
}

function collect(value: string, earlier: unknown): readonly unknown[] {
  return Array.isArray(earlier) ? [...earlier, value] : [value];
}

function asOption(name: OptionName, about: CommandSpec['about']): Option {
  const { kind } = optionSpec(name);
  if (kind.placeholder === undefined) return new Option(flagOf(name), describe(name, about));
  const { placeholder, bare } = kind;
  const value = bare === undefined ? `<${placeholder}>` : `[${placeholder}]`;
  const option = new Option(`${flagOf(name)} ${value}`, describe(name, about)).argParser(collect);
  return bare === undefined ? option : option.preset(bare);
}

/** On a screen with fewer columns, descriptions stand below their terms. */
const NARROW = 78;
const INDENT = 6;

function formatItem(this: Help, term: string, width: number, description: string, help: Help): string {
  const columns = this.helpWidth ?? 80;
  if (columns >= NARROW) return Help.prototype.formatItem.call(this, term, width, description, help);
  const lines = help.boxWrap(description, columns - INDENT).split('\n');
  return [`  ${term}`, ...lines.map((line) => `${' '.repeat(INDENT)}${line}`.trimEnd())].join('\n');
}

/** Descriptions of operands; those that need a module are loaded only for the help. */
async function describeOperands(
  { operands = {} }: CommandSpec,
  isWanted: boolean,
): Promise<readonly [string, string][]> {
  const entries = Object.entries(operands).map(async ([operand, about]): Promise<[string, string]> => {
    if (typeof about === 'string') return [operand, about];
    return [operand, isWanted ? await about() : ''];
  });
  return Promise.all(entries);
}

/** An error of the parser with its suggestion, which stands on a line of its own. */
function onOneLine(error: string): string {
  return error.replace(/\n\(Did you mean (.+)\?\)/u, ' (did you mean $1?)');
}

const TIMES = '\nTimes: 500ms, 30s, 5m or 1h. A number alone is in seconds\nfor <time>, in milliseconds for <ms>.';

function takesTime(name: OptionName): boolean {
  return optionSpec(name).kind.unit !== undefined;
}

/** Summaries of commands that only have subcommands. */
const GROUPS: Readonly<Record<string, string>> = {
  spec: 'list the operations of a description, lint it, or compare two',
  fleet: 'list the runs of a fleet, or stop one',
};

/** What does the work of commands that other tools have. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  compare: `${COMMAND} report DIR --compare EARLIER-DIR compares two runs`,
  diff: `${COMMAND} spec diff BEFORE AFTER compares two descriptions; ${COMMAND} report DIR --compare EARLIER-DIR, two runs`,
};

function findOrAdd(program: Command, name: string): Command {
  const known = program.commands.find((command) => command.name() === name);
  const summary = GROUPS[name] ?? '';
  return known ?? program.command(name).summary(summary).description(summary);
}

/** The whole command line, built from the catalogue and the table of options; `words` are its arguments. */
export async function buildProgram(version: string, words: readonly string[], dispatch: Dispatch): Promise<Command> {
  const elsewhere = ELSEWHERE[words.find((word) => word !== 'help') ?? ''];
  const program = new Command(COMMAND)
    .description(
      'Does a deployment conform to its API document? How much load can it handle, and can the results be trusted?',
    )
    .version(version, '-V, --version')
    .exitOverride()
    .showHelpAfterError(`hint: ${elsewhere ?? `${COMMAND} --help lists the commands`}`)
    .showSuggestionAfterError(elsewhere === undefined)
    .configureHelp({
      showGlobalOptions: false,
      sortSubcommands: false,
      formatItem,
      optionDescription: ({ description }) => description,
    })
    .configureOutput({
      outputError: (text, write) => write(wrapLines(onOneLine(text))),
      getOutHelpWidth: () => screenColumns() ?? 80,
      getErrHelpWidth: () => screenColumns(process.stderr) ?? 80,
    })
    .addHelpText('after', EXIT_CODES);
  for (const [name, spec] of Object.entries(COMMANDS)) {
    const [first = '', second] = name.split(' ');
    const leaf = second === undefined ? program.command(first) : findOrAdd(program, first).command(second);
    const asksForHelp = words.includes(first) && words.some((word) => ['--help', '-h', 'help'].includes(word));
    leaf.summary(spec.summary).description(spec.summary);
    leaf.showHelpAfterError(`hint: ${COMMAND} ${name} --help shows its arguments and examples`);
    if (spec.alias !== undefined) leaf.alias(spec.alias);
    for (const [operand, about] of await describeOperands(spec, asksForHelp)) leaf.argument(operand, about);
    for (const option of spec.options)
      if (hasFlag(optionSpec(option))) leaf.addOption(asOption(option, spec.about).helpGroup(headingOf(option)));
    if (spec.options.some(takesTime)) leaf.addHelpText('after', TIMES);
    leaf.addHelpText('after', `\nExamples:\n${spec.examples.map((example) => `  ${pasteable(example)}`).join('\n')}`);
    leaf.allowUnknownOption().allowExcessArguments();
    leaf.action(async () => dispatch(spec, leaf));
  }
  return program;
}
