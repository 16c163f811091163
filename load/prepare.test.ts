import { expect, it } from 'vitest';
import { Skip } from '../domain/context.ts';
import { EFFECTS, EXIT } from '../spec/index.ts';
import type { Effect } from '../spec/index.ts';
import { prepareScenario } from './prepare.ts';
import { knownOptions, knownScenario } from './testing/known-scenario.ts';

it.each([
  [['read'], EXIT.usage],
  [EFFECTS, EXIT.inconclusive],
] as const)('a set-up that is not possible with the effects %j ends with exit code %i', async (allow, exitCode) => {
  const scenario = knownScenario({ setup: () => Promise.reject(new Skip('no item appears')) });
  const options = { ...knownOptions('http://127.0.0.1:1'), allow: allow as readonly Effect[] };
  await expect(prepareScenario(scenario, options)).rejects.toMatchObject({ exitCode });
});
