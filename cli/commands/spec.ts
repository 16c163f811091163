import { EXIT, lintDescription, loadContract } from '../../spec/index.ts';
import type { Contract } from '../../spec/index.ts';
import { refuse } from '../problems.ts';
import { lintLines } from '../text/lint.ts';
import { operationLines } from '../text/operations.ts';
import type { SpecOption } from '../catalogue.ts';
import type { Invocation } from '../invocation.ts';

const print = (lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);
const printJson = (value: unknown): void => print([JSON.stringify(value, null, 2)]);

async function describe({ settings, operands, problems }: Invocation<SpecOption>): Promise<Contract> {
  refuse(problems);
  return loadContract(operands[0] ?? settings.spec);
}

/** Lists the operations of a description. */
export async function specList(invocation: Invocation<SpecOption>): Promise<number> {
  const contract = await describe(invocation);
  if (!invocation.settings.json) print(operationLines(contract));
  else
    printJson(
      contract.operations.map(({ id, forms, effect, permission, section, tag }) => ({
        id,
        forms: forms.map(({ path }) => path),
        effect,
        permission,
        section: section ?? tag,
      })),
    );
  return EXIT.passed;
}

/** Tells what is odd in a description; an error in it is wrong input. */
export async function specLint({ settings, operands, problems }: Invocation<SpecOption>): Promise<number> {
  refuse(problems);
  const found = await lintDescription(operands[0] ?? settings.spec);
  if (settings.json) printJson(found);
  else print(lintLines(found));
  return found.some(({ severity }) => severity === 'error') ? EXIT.usage : EXIT.passed;
}

export { specDiff } from './spec-diff.ts';
