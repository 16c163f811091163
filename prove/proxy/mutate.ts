import type { Tokens } from '../../service/start.ts';
import type { Contract } from '../../spec/index.ts';
import type { Defect } from '../defect.ts';
import { together } from './compose.ts';
import { startProxy } from './proxy.ts';
import { createRouter } from './router.ts';

export interface MutationOptions {
  readonly upstream: string;
  readonly tokens: Tokens;
  readonly contract: Contract;
  readonly defects: readonly Defect[];
  readonly port: number;
  readonly host: string;
}

/** Puts defects in front of a target; the base URL is that of the defective one. */
export async function startMutated(
  options: MutationOptions,
): Promise<{ readonly baseUrl: string; close(): Promise<void> }> {
  const router = createRouter(options.contract);
  const make = together(...options.defects.flatMap((defect) => defect.make ?? []));
  return startProxy({ ...options, router, make });
}
