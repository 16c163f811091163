import completion from '@bomb.sh/tab';
import { EXIT } from '../../spec/errors.ts';
import type { OptionOf } from '../catalogue.ts';
import type { CommandSpec, RunCommand } from '../invocation.ts';
import { LISTS } from '../lists.ts';
import type { ListRow } from '../lists.ts';
import { flagOf, hasFlag } from '../options/spec.ts';
import { optionSpec } from '../options/table.ts';
import type { OptionName } from '../options/table.ts';
import { refuse } from '../problems.ts';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

const OPERANDS: Readonly<Record<string, () => Promise<readonly ListRow[]>>> = {
  load: LISTS.scenarios.rows,
  capacity: LISTS.scenarios.rows,
  prove: LISTS.operators.rows,
  explain: LISTS.codes.rows,
  list: async () => Object.entries(LISTS).map(([name, { summary }]) => ({ name, about: summary })),
  complete: async () => SHELLS.map((name) => ({ name, about: '' })),
};

async function wordsOf(name: OptionName): Promise<readonly ListRow[] | undefined> {
  if (name === 'only' || name === 'skip') return [...(await LISTS.suites.rows()), ...(await LISTS.checks.rows())];
  const { placeholder, known = [] } = optionSpec(name).kind;
  return placeholder === undefined ? undefined : known.map((word) => ({ name: word, about: '' }));
}

const offering =
  (rows: readonly ListRow[]) =>
  (offer: (word: string, about: string) => void): void => {
    for (const { name, about } of rows) offer(name, about);
  };

async function describeAll(commands: Readonly<Record<string, CommandSpec>>): Promise<void> {
  for (const [name, { summary, options, about: own, operands = {} }] of Object.entries(commands)) {
    const command = completion.command(name, summary);
    const rows = await OPERANDS[name]?.();
    if (rows !== undefined)
      command.argument(
        name,
        offering(rows),
        Object.keys(operands).some((operand) => operand.includes('...')),
      );
    for (const option of options.filter((each) => hasFlag(optionSpec(each)))) {
      const words = await wordsOf(option);
      const about = own?.[option] ?? optionSpec(option).about;
      if (words === undefined) command.option(flagOf(option).slice(2), about);
      else command.option(flagOf(option).slice(2), about, offering(words));
    }
  }
}

/** Prints the completion script of a shell; after `--`, which that script adds, the candidates for a word. */
export function completing(commands: Readonly<Record<string, CommandSpec>>): RunCommand<OptionOf<'complete'>> {
  return async ({ operands }) => {
    await describeAll(commands);
    const words = process.argv.slice(2);
    const [shell] = operands;
    if (words[1] === '--') completion.parse(words.slice(2));
    else if (SHELLS.some((known) => known === shell)) completion.setup('assay', 'assay', shell ?? '');
    else
      refuse([{ subject: shell ?? 'no shell', message: 'is not a supported shell', hint: `use ${SHELLS.join(', ')}` }]);
    return EXIT.passed;
  };
}
