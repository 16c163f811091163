import { listRuns, stopRun } from '../../fleet/index.ts';
import { AssayError, EXIT } from '../../spec/index.ts';
import type { OptionOf } from '../catalogue.ts';
import { connectBroker } from '../fleet/broker.ts';
import { brokerProblems, brokerRequired } from '../fleet/problems.ts';
import type { OpenFleet } from '../fleet/broker.ts';
import type { Invocation } from '../invocation.ts';
import { refuse } from '../problems.ts';
import { print } from '../text/print.ts';

async function withBroker(
  invocation: Invocation<OptionOf<'fleet'>>,
  work: (fleet: OpenFleet) => Promise<number>,
): Promise<number> {
  const { settings, problems } = invocation;
  problems.push(...brokerRequired(invocation), ...brokerProblems({ ...settings, baseUrl: undefined }));
  refuse(problems);
  const opened = await connectBroker(settings.fleet ?? '', settings);
  try {
    return await work(opened);
  } finally {
    await opened.broker.close();
  }
}

/** Lists the runs whose controllers are connected. */
export function fleetList(invocation: Invocation<OptionOf<'fleet'>>): Promise<number> {
  return withBroker(invocation, async ({ broker, signer }) => {
    const runs = await listRuns(broker, signer);
    print(
      runs.length === 0
        ? ['No runs: no controller is connected.']
        : runs.map(({ run, command, target }) => `${run}  ${command}  ${target}`),
    );
    return EXIT.passed;
  });
}

const hintOf = (runs: readonly string[]): string =>
  runs.length === 0 ? 'no controller is connected' : `its runs: ${runs.join(', ')}`;

export function fleetStop(invocation: Invocation<OptionOf<'fleet'>>): Promise<number> {
  const [run = ''] = invocation.operands;
  return withBroker(invocation, async ({ broker, signer }) => {
    const runs = await listRuns(broker, signer);
    if (runs.every((each) => each.run !== run))
      refuse([{ subject: run, message: 'is not a run of this fleet', hint: hintOf(runs.map((each) => each.run)) }]);
    if (!(await stopRun(broker, signer, run)))
      throw new AssayError(`run ${run} did not stop within 30 s`, {
        hint: 'see what its controller prints',
        exitCode: EXIT.unreachable,
      });
    print([`stopped ${run}`]);
    return EXIT.passed;
  });
}
