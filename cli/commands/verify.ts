import { setFlagsFromString } from 'node:v8';
import { startEmbedded } from '../embedded.ts';
import { endWithLease, endWithParent, isShare } from '../fleet/parent.ts';
import type { OptionOf } from '../catalogue.ts';
import type { Invocation } from '../invocation.ts';

/** Runs contract, property and state suites. The embedded service starts while modules are still being loaded. */
export async function verify(invocation: Invocation<OptionOf<'verify'>>): Promise<number> {
  if (invocation.settings.list) return (await import('../verify/list-tests.ts')).listTests(invocation);
  // This process mostly waits for the worker: a young generation that does not grow saves 20 MB.
  setFlagsFromString('--semi-space-growth-factor=1');
  if (isShare()) endWithLease();
  else endWithParent();
  if (invocation.settings.fleet !== undefined && !isShare())
    return (await import('../verify/verify-fleet.ts')).verifyOnFleet(invocation);
  const { baseUrl, spec } = invocation.settings;
  const isReady = invocation.problems.length === 0;
  const service = baseUrl === undefined && spec === undefined && isReady ? startEmbedded() : undefined;
  service?.catch(() => undefined);
  const { verifyAgainst } = await import('../verify/verify-run.ts');
  return verifyAgainst(invocation, service);
}
