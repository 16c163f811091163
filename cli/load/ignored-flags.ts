import { DEFAULT_SCENARIO, findScenario } from '../../load/index.ts';
import type { OptionOf } from '../catalogue.ts';
import { ignoredFleetFlags } from '../fleet/problems.ts';
import type { Invocation } from '../invocation.ts';
import { flagOf } from '../options/spec.ts';
import type { Problem } from '../problems.ts';

const DATA = ['items', 'bodyBytes'] as const;

type Flags = Pick<Invocation<Exclude<OptionOf<'capacity'>, 'budget'>>, 'settings' | 'isFlag'>;

/** Flags that a run of these scenarios would ignore, except tokens, which scripts pass to all commands; none named: the default mix. */
export async function ignoredFlags(invocation: Flags, names: readonly string[]): Promise<readonly Problem[]> {
  const { isFlag } = invocation;
  const named = names.length > 0 ? names : [DEFAULT_SCENARIO];
  const found = await Promise.all(named.map((name) => findScenario(name).catch(() => undefined)));
  const data = DATA.filter(
    (name) =>
      isFlag(name) && !found.some((one) => one === undefined || (one.flow ? [] : (one.uses ?? DATA)).includes(name)),
  );
  return [
    ...data.map((name) => ({
      subject: flagOf(name),
      message: `has no effect on ${named.join(', ')}`,
      hint: name === 'items' ? 'it is for scenarios that page through a list' : 'it is for scenarios that send bodies',
    })),
    ...ignoredFleetFlags(invocation),
  ];
}
