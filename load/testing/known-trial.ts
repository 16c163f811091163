import { runTrial } from '../trial.ts';
import type { Trial, TrialOptions } from '../trial.ts';
import { startKnownTarget } from './known-target.ts';
import type { Behaviour, Seen } from './known-target.ts';
import { PLAIN_TRIAL, testTraffic } from './traffic.ts';

/** Runs a trial of 50 requests against a target of its own. */
export async function runKnown(
  behaviour: Behaviour,
  options: Omit<Partial<TrialOptions>, 'target'> & { readonly target?: Partial<TrialOptions['target']> },
  method = 'POST',
): Promise<Trial & { readonly seen: Seen }> {
  const known = await startKnownTarget(behaviour);
  try {
    const trial = await runTrial({
      ...PLAIN_TRIAL,
      traffic: testTraffic({ port: known.port, count: 50, method }),
      model: 'open',
      connections: 8,
      maxConnections: 8,
      ...options,
      target: { baseUrl: known.baseUrl, ...options.target },
    });
    return { ...trial, seen: await known.seen() };
  } finally {
    await known.close();
  }
}
