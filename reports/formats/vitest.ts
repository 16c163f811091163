import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { affectsOtherTests } from '../../spec/index.ts';
import { groupsOf } from '../summary/groups.ts';
import type { WriteFormat } from './index.ts';
import { testFileOf } from './vitest/test-file.ts';

/** One test file for each finding, in a folder of its own: it fails until the defect is fixed. */
export const writeVitest: WriteFormat = async ({ summary }, out) => {
  const folder = join(out, 'vitest');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const causes = new Map(
    groupsOf(summary).flatMap(({ lead, same, related }) => {
      const group = [lead, ...related, ...same];
      const affecting = group.filter(({ code, recurred }) => affectsOtherTests(code) && recurred !== true);
      return group.map((finding) => [finding.fingerprint, affecting] as const);
    }),
  );
  await Promise.all(
    summary.findings.map(async (finding) => {
      const name = `${finding.code.replaceAll('/', '-')}-${finding.fingerprint}.test.ts`;
      await writeFile(join(folder, name), testFileOf(finding, summary, causes.get(finding.fingerprint)));
    }),
  );
  return [folder];
};
