import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { affectsOtherTests, changesOtherItems } from '../../spec/index.ts';
import { groupsOf } from '../summary/groups.ts';
import type { ResolvedGroup } from '../summary/groups.ts';
import type { MergedFinding } from '../summary/types.ts';
import type { WriteFormat } from './index.ts';
import { isStress, testFileOf } from './vitest/test-file.ts';

/** One test file for each finding, in a folder of its own: it fails until the defect is fixed. */
export const writeVitest: WriteFormat = async ({ summary }, out) => {
  const folder = join(out, 'vitest');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const causes = new Map(
    groupsOf(summary).flatMap((group) =>
      [group.lead, ...group.related, ...group.same].map((finding) => [finding.fingerprint, causesOf(finding, group)]),
    ),
  );
  await Promise.all(
    summary.findings.map(async (finding) => {
      const name = `${finding.code.replaceAll('/', '-')}-${finding.fingerprint}.test.ts`;
      await writeFile(join(folder, name), testFileOf(finding, summary, causes.get(finding.fingerprint)));
    }),
  );
  return [folder];
};

/**
 * Findings about overlapping calls, and others that affect other tests, of which this one is a symptom; after them, for one about
 * overlapping calls, its own symptoms and what leads its group.
 */
function causesOf(finding: MergedFinding, { lead, same, related }: ResolvedGroup): readonly MergedFinding[] {
  const causes = [lead, ...related, ...same]
    .filter(({ code, recurred }) => changesOtherItems(code) || (affectsOtherTests(code) && recurred !== true))
    .toSorted((a, b) => Number(isStress(a)) - Number(isStress(b)));
  const isOfCalls = changesOtherItems(lead.code) || (affectsOtherTests(lead.code) && lead.recurred !== true);
  const mayBeSymptom =
    (finding.recurred === undefined && isOfCalls) ||
    (finding.curlShows === 'sometimes' && changesOtherItems(lead.code));
  if (finding.check === 'overlap')
    return [...causes, ...[...related, ...same].filter(({ recurred }) => recurred === false), lead];
  return finding.recurred === false || mayBeSymptom ? causes : [];
}
