import { EXIT } from '../../spec/errors.ts';
import type { OptionOf } from '../catalogue.ts';
import type { Invocation } from '../invocation.ts';
import { LISTS } from '../lists.ts';
import type { ListRow } from '../lists.ts';
import { didYouMean } from '../../spec/nearest.ts';
import { refuse } from '../problems.ts';
import { print, printJson } from '../text/print.ts';
import { rowLines } from '../text/rows.ts';

/** Prints a list of names; without an operand, the available lists. */
export async function list({ settings, operands, problems }: Invocation<OptionOf<'list'>>): Promise<number> {
  const [name] = operands;
  const known = Object.keys(LISTS) as (keyof typeof LISTS)[];
  const chosen = known.find((each) => each === name);
  if (name !== undefined && chosen === undefined)
    problems.push({
      subject: name,
      message: 'is not a list',
      hint: didYouMean(name, known) || `use ${known.join(', ')}`,
    });
  refuse(problems);
  const lists = Object.entries(LISTS).map(([each, { summary }]): ListRow => ({ name: each, about: summary }));
  const rows = chosen === undefined ? lists : await LISTS[chosen].rows();
  if (settings.json) printJson(rows);
  else print(rowLines(rows));
  return EXIT.passed;
}
