import { listRuns, stopRun } from '../../fleet/index.ts';
import { AssayError, EXIT } from '../../spec/index.ts';
import type { OptionOf } from '../catalogue.ts';
import { connectBroker } from '../fleet/broker.ts';
import { brokerProblems } from '../fleet/problems.ts';
import type { OpenFleet } from '../fleet/broker.ts';
import type { Invocation } from '../invocation.ts';
import { refuse } from '../problems.ts';

async function withBroker(
  { settings, problems }: Invocation<OptionOf<'fleet'>>,
  work: (fleet: OpenFleet) => Promise<number>,
): Promise<number> {
  const { fleet } = settings;
  if (fleet === undefined || fleet === 'local')
    problems.push({ subject: '--fleet', message: 'is not a broker', hint: 'use redis[s]://… or postgres://…' });
  problems.push(...brokerProblems({ ...settings, baseUrl: undefined }));
  refuse(problems);
  const opened = await connectBroker(fleet ?? '', settings);
  try {
    return await work(opened);
  } finally {
    await opened.broker.close();
  }
}

/** Lists the runs whose controllers are there. */
export function fleetList(invocation: Invocation<OptionOf<'fleet'>>): Promise<number> {
  return withBroker(invocation, async ({ broker, signer }) => {
    const runs = await listRuns(broker, signer);
    for (const { run, command, target } of runs) process.stdout.write(`${run}  ${command}  ${target}\n`);
    if (runs.length === 0) process.stdout.write('no run\n');
    return EXIT.passed;
  });
}

/** Stops a run as Ctrl-C at its controller does. */
export function fleetStop(invocation: Invocation<OptionOf<'fleet'>>): Promise<number> {
  const [run = ''] = invocation.operands;
  return withBroker(invocation, async ({ broker, signer }) => {
    const runs = await listRuns(broker, signer);
    if (runs.every((each) => each.run !== run))
      throw new AssayError(`Run ${run} not found.`, {
        hint:
          runs.length === 0
            ? 'No controller is connected to the broker.'
            : `Runs: ${runs.map((each) => each.run).join(', ')}.`,
        exitCode: EXIT.usage,
      });
    if (!(await stopRun(broker, signer, run)))
      throw new AssayError(`The run ${run} did not stop within 30 s.`, { hint: '', exitCode: EXIT.unreachable });
    process.stdout.write(`stopped ${run}\n`);
    return EXIT.passed;
  });
}
