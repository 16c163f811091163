import os from 'node:os';
import type { Effect } from '../spec/index.ts';
import { BrokerClock, localNow } from './clock.ts';
import type { LaneEngine } from './lane-engine.ts';
import { Membership } from './membership.ts';
import { asCall, NAMES } from './messages.ts';
import type { Call, FleetCommand, Hello } from './messages.ts';
import type { Broker } from './queue.ts';
import type { Signer } from './signature.ts';

export interface AgentOptions {
  readonly broker: Broker;
  readonly signer: Signer;
  /** Letters, digits and hyphens; different on every agent. */
  readonly agent: string;
  readonly zone: string;
  readonly version: string;
  readonly engineHash: string;
  /** What this agent sends to, whatever a call says. */
  readonly target: string;
  readonly allow: readonly Effect[];
  /** Requests per second that it sends at most. */
  readonly maxRate: number;
  /** Measures the requests per second that it reaches against a stub; asked once, before the first run with load. */
  readonly measureRate: () => Promise<number>;
  /** Leave after the first run. */
  readonly leavesAfterRun: boolean;
  /** What runs the lanes of a command. */
  readonly engineOf: (command: FleetCommand) => LaneEngine;
  readonly signal: AbortSignal;
  readonly onNote: (text: string) => void;
}

const FRESH_MS = 30_000;

function refusalOf(call: Call, options: AgentOptions): Hello['refusal'] {
  const { version, engineHash, target, allow, maxRate, agent, zone } = options;
  if (call.version !== version)
    return {
      reason: `${agent} has version ${version}, the controller ${call.version}`,
      hint: 'Use one version on all.',
    };
  if (call.engineHash !== engineHash)
    return { reason: `${agent} has another description or build`, hint: 'Give all the same --spec and build.' };
  if (call.target !== target)
    return { reason: `${agent} sends to ${target}, not to ${call.target}`, hint: 'Give all the same --base-url.' };
  if (call.zones.length > 0 && !call.zones.includes(zone))
    return {
      reason: `${agent} is in ${zone === '' ? 'no zone' : `zone ${zone}`}, and the run has ${call.zones.join(', ')}`,
      hint: 'Start it with --zone, or name its zone in --zones.',
    };
  const missing = call.effects.filter((effect) => !allow.includes(effect));
  if (missing.length > 0)
    return {
      reason: `${agent} does not allow ${missing.join(', ')}`,
      hint: 'Start it with --allow and these effects.',
    };
  if (call.ratePerAgent > maxRate)
    return {
      reason: `${agent} sends at most ${maxRate} requests per second, and its part would be ${Math.ceil(call.ratePerAgent)}`,
      hint: 'Use more agents, a lower --rate, or a higher --max-rate on the agents.',
    };
  return undefined;
}

/** Offers this machine to fleets until the signal, or for one run. */
export async function runAgent(options: AgentOptions): Promise<void> {
  const { broker, signer, agent, zone, version, signal, onNote } = options;
  const clock = new BrokerClock(() => broker.time());
  await clock.start();
  const answered = new Set<string>();
  let current: Membership | undefined;
  let measured: Promise<number> | undefined;
  let isJoining = false;
  let hasLeft: () => void = () => {};
  const left = new Promise<void>((resolve) => (hasLeft = resolve));

  const join = async (call: Call): Promise<void> => {
    const refusal = refusalOf(call, options);
    // Measuring keeps all cores busy, which verify would feel.
    const isLoad = call.command !== 'verify' && refusal === undefined;
    const ownRate = isLoad ? await (measured ??= options.measureRate()) : 0;
    if (signal.aborted) return;
    const { rttMs, boundMs } = clock;
    const cores = os.availableParallelism();
    const common = { kind: 'hello', run: call.run, agent, zone, version, node: process.version, cores } as const;
    const hello: Hello = { ...common, ownRate, boundMs, rttMs, ...(refusal && { refusal }) };
    if (refusal === undefined) {
      current = new Membership({ ...options, ownRate, clock, call, engine: options.engineOf(call.command) });
      await current.join();
    }
    await broker.publish(NAMES.reports(call.run), signer.sign(hello));
    onNote(refusal === undefined ? `run ${call.run}: joined` : `run ${call.run}: refused, ${refusal.reason}`);
    isJoining = false;
    if (current === undefined) return;
    await current.over;
    current = undefined;
    onNote(`run ${call.run}: over`);
    if (options.leavesAfterRun) hasLeft();
  };
  const unsubscribe = await broker.subscribe(NAMES.lobby, (text) => {
    const call = asCall(signer.open(text));
    const isFresh = call !== undefined && Math.abs(clock.now() - call.sentAt) < FRESH_MS;
    if (!isFresh || isJoining || current !== undefined || answered.has(call.run) || signal.aborted) return;
    answered.add(call.run);
    isJoining = true;
    join(call).catch((error: unknown) => {
      current = undefined;
      isJoining = false;
      answered.delete(call.run);
      onNote(`run ${call.run}: could not be joined: ${error instanceof Error ? error.message : String(error)}`);
    });
  });
  const stop = (): void => {
    if (current === undefined) hasLeft();
    else void current.leave().then(hasLeft);
  };
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  await left;
  await unsubscribe();
  clock.stop();
}

/** An agent's name: its host, and what tells processes of one host apart. */
export function agentName(): string {
  const host = os
    .hostname()
    .toLowerCase()
    .replace(/[^a-z0-9-]/gu, '-');
  return `${host}-${process.pid}-${Math.floor(localNow() % 46_656).toString(36)}`;
}
