import { diffContracts, EXIT, loadContract } from '../../spec/index.ts';
import { orProblemLater } from '../frame/sinks.ts';
import { refuse } from '../problems.ts';
import { changeLines } from '../text/changes.ts';
import type { DiffOption } from '../catalogue.ts';
import type { Invocation } from '../invocation.ts';

/** Tells what changed between two descriptions; a breaking change is a broken promise. */
export async function specDiff({ settings, operands, problems }: Invocation<DiffOption>): Promise<number> {
  const [before, after] = [
    await orProblemLater('before', problems, () => loadContract(operands[0])),
    await orProblemLater('after', problems, () => loadContract(operands[1])),
  ];
  refuse(problems);
  if (before === undefined || after === undefined) return EXIT.usage;
  const changes = diffContracts(before, after);
  process.stdout.write(
    settings.json ? `${JSON.stringify(changes, null, 2)}\n` : `${changeLines(changes).join('\n')}\n`,
  );
  return changes.some((change) => change.class === 'breaking') ? EXIT.failed : EXIT.passed;
}
