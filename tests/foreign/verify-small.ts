import { kept } from '../../client/testing/fixtures.ts';
import { serveJson } from '../../client/testing/json-service.ts';
import type { Summary } from '../../reports/index.ts';
import { descriptionFile } from '../../spec/testing/description-file.ts';
import { runAssay } from '../command/run-assay.ts';

/** A short run, the same each time. */
export const QUICK = ['--seed', '1', '--depth', 'quick'] as const;

/** Verifies a small service with its description. */
export async function verifySmall(
  description: object,
  answer: Parameters<typeof serveJson>[0],
  ...words: readonly string[]
): Promise<Summary> {
  const { url } = await kept(serveJson(answer));
  const target = ['--spec', descriptionFile(description), '--base-url', url];
  const { stdout } = await runAssay(['verify', ...target, '--json', ...words]);
  return JSON.parse(stdout) as Summary;
}

/** Codes of the findings, each with its operation. */
export const codesIn = ({ findings }: Summary): readonly string[] =>
  findings.map(({ code, operation }) => `${code} ${operation}`);
