import { diffContracts, EXIT, lintDescription, loadContract } from '../../spec/index.ts';
import type { OptionOf } from '../catalogue.ts';
import type { Invocation } from '../invocation.ts';
import { orProblem, refuse } from '../problems.ts';
import { print, printJson } from '../text/print.ts';
import { changeLines, lintLines, operationLines } from '../text/spec.ts';

export async function specList({ settings, operands, problems }: Invocation<OptionOf<'spec'>>): Promise<number> {
  refuse(problems);
  const contract = await loadContract(operands[0] ?? settings.spec);
  if (settings.json)
    printJson(
      contract.operations.map(({ id, forms, effect, permission, section, tag }) => ({
        id,
        forms: forms.map(({ path }) => path),
        effect,
        permission,
        section: section ?? tag,
      })),
    );
  else print(operationLines(contract));
  return EXIT.passed;
}

/** Reports problems in a description; an error is exit code 2. */
export async function specLint({ settings, operands, problems }: Invocation<OptionOf<'spec'>>): Promise<number> {
  refuse(problems);
  const found = await lintDescription(operands[0] ?? settings.spec);
  if (settings.json) printJson(found);
  else print(lintLines(found));
  return found.some(({ severity }) => severity === 'error') ? EXIT.usage : EXIT.passed;
}

/** Compares two descriptions; a breaking change is exit code 1. */
export async function specDiff({ settings, operands, problems }: Invocation<OptionOf<'diff'>>): Promise<number> {
  const before = await orProblem('before', problems, () => loadContract(operands[0], { asWritten: true }));
  const after = await orProblem('after', problems, () => loadContract(operands[1], { asWritten: true }));
  refuse(problems);
  if (before === undefined || after === undefined) return EXIT.usage;
  const changes = diffContracts(before, after);
  if (settings.json) printJson(changes);
  else print(changeLines(changes));
  return changes.some((change) => change.class === 'breaking') ? EXIT.failed : EXIT.passed;
}
