import os from 'node:os';
import { createTarget, preflight } from '../../client/index.ts';
import { knowledgeFor } from '../../domain/index.ts';
import { agentName, runAgent } from '../../fleet/index.ts';
import type { LaneEngine } from '../../fleet/index.ts';
import { generatorRate, LaneSender } from '../../load/index.ts';
import { EXIT } from '../../spec/index.ts';
import type { OptionOf } from '../catalogue.ts';
import { sharedService } from '../embedded.ts';
import { connectionFrom, contractFor } from '../target/connection.ts';
import { engineHash } from '../fleet/engine-hash.ts';
import { connectBroker } from '../fleet/broker.ts';
import { brokerProblems, brokerRequired } from '../fleet/problems.ts';
import { judgeOf, loadTarget } from '../load/load-target.ts';
import { endWithParent } from '../fleet/parent.ts';
import { shareEngine } from '../fleet/share-engine.ts';
import { clientOptions, openRunTarget } from '../target/target.ts';
import type { Invocation } from '../invocation.ts';
import { refuse } from '../problems.ts';
import { redact, redactAll } from '../secrets.ts';
import { VERSION } from '../version.ts';

/** Most threads that measure the rate of this machine. */
const THREADS = 2;
const CALIBRATION_MS = 1_000;

function note(text: string): void {
  process.stdout.write(redact(`${text}\n`));
}

/** The highest rate of this machine in requests per second, measured against a stub. */
async function ownRate(name: string, signal: AbortSignal): Promise<number> {
  const rate = await generatorRate(Math.min(THREADS, os.availableParallelism()), CALIBRATION_MS, signal);
  note(`agent ${name}: up to ${Math.round(rate)} requests per second`);
  return rate;
}

/** Adds this machine to a fleet. Its own command line decides the target, the effects and the highest rate. */
export async function agent(invocation: Invocation<OptionOf<'agent'>>): Promise<number> {
  const { settings, problems, directory, isSet } = invocation;
  const { fleet, allow = ['read', 'reversible'], maxRate = Infinity } = settings;
  if (!isSet('baseUrl') && sharedService() === undefined)
    problems.push({ subject: '--base-url', message: 'is missing', hint: 'give the URL of the target of the run' });
  problems.push(...brokerRequired(invocation), ...brokerProblems(settings));
  const connection = await connectionFrom(settings, directory, problems);
  refuse(problems);
  const contract = await contractFor(settings, connection);
  const target = await openRunTarget(settings, connection, contract);
  const options = clientOptions(settings, target);
  const { signal } = invocation;
  endWithParent();
  const { broker, signer } = await connectBroker(fleet ?? '', settings);
  await preflight(options, contract, { maybeMock: !knowledgeFor(contract).guarantees('shapes') });
  const client = createTarget(options);
  const engine = new LaneSender({
    target: await loadTarget(target, client, contract),
    contract,
    judge: judgeOf(contract, { seed: 0, connection: target.connection }),
  });
  const lanes: LaneEngine = {
    start: (lane) => engine.start({ ...lane, onResult: (judged) => lane.onResult(redactAll(judged)) }),
  };
  const shares = shareEngine(contract, { allow, maxRate: settings.maxRate });
  const name = agentName();
  // An agent that a command has started may be for a load run.
  if (process.channel === undefined) shares.prepare();
  try {
    note(`agent ${name}: waiting for a run`);
    await runAgent({
      broker,
      signer,
      agent: name,
      zone: settings.zone,
      version: VERSION,
      engineHash: engineHash(contract),
      target: target.baseUrl,
      allow,
      maxRate,
      measureRate: () => ownRate(name, signal),
      leavesAfterRun: settings.leaveAfter === 'run',
      signal,
      onNote: note,
      engineOf: (command) => (command === 'verify' ? shares : lanes),
    });
  } finally {
    await shares.close();
    engine.close();
    await client.close();
    await broker.close();
  }
  return invocation.signal.aborted ? EXIT.interrupted : EXIT.passed;
}
