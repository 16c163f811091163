import { EXIT, loadContract } from '../../spec/index.ts';
import { cleanJournals, countLeft } from '../frame/clean.ts';
import { clientOptions, tokensOf } from '../frame/target.ts';
import { refuse } from '../problems.ts';
import type { CleanUpReport } from '../../client/index.ts';
import type { CleanOption } from '../catalogue.ts';
import type { Invocation } from '../invocation.ts';

function tell(report: CleanUpReport): string {
  const left = report.left.map(({ kind, id, reason }) => `  left: ${kind} ${id}: ${reason}`);
  const restored = report.restored.map((name) => `  put back: ${name}`);
  return [`${report.removed} removed, ${report.left.length} left`, ...restored, ...left, ''].join('\n');
}

/** Removes what earlier runs created at a deployment and could not remove. */
export async function clean({ settings, operands, problems }: Invocation<CleanOption>): Promise<number> {
  const { baseUrl } = settings;
  if (baseUrl === undefined) problems.push({ thing: '--base-url', wrong: 'is missing', mend: 'name the deployment to clean' });
  if (operands.length > 0) problems.push({ thing: operands.join(' '), wrong: 'is no option', mend: 'see assay clean --help' });
  refuse(problems);
  if (baseUrl === undefined || countLeft(baseUrl) === 0) {
    process.stdout.write('Nothing is left to remove there.\n');
    return EXIT.kept;
  }
  const report = await cleanJournals({
    target: clientOptions(settings, { baseUrl, tokens: tokensOf(settings) }),
    contract: await loadContract(settings.spec),
  });
  process.stdout.write(tell(report));
  return report.left.length === 0 ? EXIT.kept : EXIT.broken;
}
