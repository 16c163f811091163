import { authFaults } from './contract/auth.ts';
import { contentFaults } from './contract/content.ts';
import { filterFaults } from './contract/filters.ts';
import { formFaults } from './contract/forms.ts';
import { mediaFaults } from './contract/media.ts';
import { pagingFaults } from './contract/paging.ts';
import { statusFaults } from './contract/status.ts';
import type { Fault } from './fault.ts';
import { besideFaults } from './overlap/beside.ts';
import { overlapFaults } from './overlap/policies.ts';
import { characterFaults } from './properties/characters.ts';
import { patchFaults } from './properties/patches.ts';
import { publishedFaults } from './published/models.ts';
import { sizeFaults } from './properties/sizes.ts';
import { storingFaults } from './properties/storing.ts';
import { activationFaults } from './state/activation.ts';
import { historyFaults } from './state/histories.ts';
import { lifeCycleFaults } from './state/life-cycle.ts';
import { orderFaults } from './state/order.ts';
import { resultFaults } from './state/results.ts';
import { runFaults } from './state/runs.ts';

/** Every named defect. */
export const CATALOGUE = {
  ...statusFaults,
  ...contentFaults,
  ...mediaFaults,
  ...authFaults,
  ...formFaults,
  ...pagingFaults,
  ...filterFaults,
  ...sizeFaults,
  ...characterFaults,
  ...patchFaults,
  ...storingFaults,
  ...activationFaults,
  ...lifeCycleFaults,
  ...orderFaults,
  ...runFaults,
  ...historyFaults,
  ...resultFaults,
  ...overlapFaults,
  ...besideFaults,
  ...publishedFaults,
} as const satisfies Record<string, Fault>;
