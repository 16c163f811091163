import { inject } from 'vitest';
import { mayBeSelected } from './select.ts';

/** Loads files of tests one after another, by the suite of their tests, as far as the run can select any of these. */
export async function loadSuites(files: Readonly<Record<string, () => Promise<unknown>>>): Promise<void> {
  const { only, skip } = inject('assay');
  for (const [suite, load] of Object.entries(files)) if (mayBeSelected(suite, only, skip)) await load();
}
