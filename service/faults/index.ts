import type { Fault } from './fault.ts';
import { statusFaults } from './contract/status.ts';

/** Every named defect. */
export const CATALOGUE = {
  ...statusFaults,
} as const satisfies Record<string, Fault>;
