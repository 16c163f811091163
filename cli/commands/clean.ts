import { setTimeout as delay } from 'node:timers/promises';
import { EXIT, loadContract } from '../../spec/index.ts';
import { cleanJournals, countLeft, runsAtWork } from '../frame/clean.ts';
import { clientOptions, tokensOf } from '../frame/target.ts';
import { refuse } from '../problems.ts';
import type { CleanUpReport } from '../../client/index.ts';
import type { CleanOption } from '../catalogue.ts';
import type { Invocation } from '../invocation.ts';

/** How long a killed run's last process may need to notice. */
const ENDING_MS = 3000;

function tell(report: CleanUpReport): string {
  const left = report.left.map(({ kind, id, reason }) => `  left: ${kind} ${id}: ${reason}`);
  const restored = report.restored.map((name) => `  put back: ${name}`);
  return [`${report.removed} removed, ${report.left.length} left`, ...restored, ...left, ''].join('\n');
}

/** Waits a moment for runs that are ending; the ones that are still there after it. */
async function waitForEnd(baseUrl: string): Promise<readonly string[]> {
  const until = Date.now() + ENDING_MS;
  while (runsAtWork(baseUrl).length > 0 && Date.now() < until) await delay(100);
  return runsAtWork(baseUrl);
}

/** Removes what earlier runs created at a deployment and could not remove. */
export async function clean({ settings, operands, problems }: Invocation<CleanOption>): Promise<number> {
  const { baseUrl } = settings;
  if (baseUrl === undefined)
    problems.push({ thing: '--base-url', wrong: 'is missing', mend: 'name the deployment to clean' });
  if (operands.length > 0)
    problems.push({ thing: operands.join(' '), wrong: 'is no option', mend: 'see assay clean --help' });
  refuse(problems);
  if (baseUrl === undefined) return EXIT.usage;
  const atWork = await waitForEnd(baseUrl);
  if (atWork.length > 0)
    process.stdout.write(`A run is at work there (${atWork.join(', ')}); what is its own is left alone.\n`);
  if (countLeft(baseUrl) === 0) {
    process.stdout.write('Nothing is left to remove there.\n');
    return EXIT.passed;
  }
  const report = await cleanJournals({
    target: clientOptions(settings, { baseUrl, tokens: tokensOf(settings) }),
    contract: await loadContract(settings.spec),
  });
  process.stdout.write(tell(report));
  return report.left.length === 0 ? EXIT.passed : EXIT.failed;
}
