import os from 'node:os';
import type { Effect } from '../spec/index.ts';
import { BrokerClock, localNow } from './clock.ts';
import type { LaneEngine } from './lane-engine.ts';
import { Membership } from './membership.ts';
import { asAnnouncement, NAMES } from './messages.ts';
import type { Announcement, FleetCommand, Hello } from './messages.ts';
import type { Broker } from './broker.ts';
import type { Signer } from './signature.ts';

export interface AgentOptions {
  readonly broker: Broker;
  readonly signer: Signer;
  /** Unique name: letters, digits and hyphens. */
  readonly agent: string;
  readonly zone: string;
  readonly version: string;
  readonly engineHash: string;
  /** The only target of this agent; it refuses runs with another one. */
  readonly target: string;
  readonly allow: readonly Effect[];
  /** Limit in requests per second. */
  readonly maxRate: number;
  /** Measures the requests per second that this agent reaches against a stub server; called once, before the first load run. */
  readonly measureRate: () => Promise<number>;
  /** Ends after the first run. */
  readonly leavesAfterRun: boolean;
  readonly engineOf: (command: FleetCommand) => LaneEngine;
  readonly signal: AbortSignal;
  readonly onNote: (text: string) => void;
}

/** An older announcement is ignored: its run may be over, or somebody replays it. */
const FRESH_MS = 30_000;

function refusalOf(announcement: Announcement, options: AgentOptions): Hello['refusal'] {
  const { version, engineHash, target, allow, maxRate, agent, zone } = options;
  if (announcement.version !== version)
    return {
      reason: `${agent} has version ${version}, the controller has ${announcement.version}`,
      hint: 'Install the same version on the controller and all agents.',
    };
  if (announcement.engineHash !== engineHash)
    return {
      reason: `${agent} has another API description or build than the controller`,
      hint: 'Use the same --spec and the same build on the controller and all agents.',
    };
  if (announcement.target !== target)
    return {
      reason: `${agent} sends to ${target}, not to ${announcement.target}`,
      hint: 'Use the same --base-url on the controller and all agents.',
    };
  if (announcement.zones.length > 0 && !announcement.zones.includes(zone))
    return {
      reason: `${agent} is in ${zone === '' ? 'no zone' : `zone ${zone}`}, but the run has the zones ${announcement.zones.join(', ')}`,
      hint: 'Start the agent with one of these zones (--zone), or add its zone to --zones of the run.',
    };
  const missing = announcement.effects.filter((effect) => !allow.includes(effect));
  if (missing.length > 0)
    return {
      reason: `${agent} does not allow ${missing.join(', ')}`,
      hint: `Start the agent with --allow including ${missing.join(',')}.`,
    };
  if (announcement.ratePerAgent > maxRate)
    return {
      reason: `${agent} sends at most ${maxRate} requests per second, but its share is ${Math.ceil(announcement.ratePerAgent)}`,
      hint: 'Add agents, lower --rate, or raise --max-rate of the agents.',
    };
  return undefined;
}

/** Takes part in runs until the signal, or in one run only (`leavesAfterRun`). */
export async function runAgent(options: AgentOptions): Promise<void> {
  const { broker, signer, agent, zone, version, signal, onNote } = options;
  const clock = new BrokerClock(() => broker.time());
  await clock.start();
  const answered = new Set<string>();
  let current: Membership | undefined;
  let measured: Promise<number> | undefined;
  let isJoining = false;
  let resolveLeft: () => void = () => {};
  const left = new Promise<void>((resolve) => (resolveLeft = resolve));

  const join = async (announcement: Announcement): Promise<void> => {
    const { run } = announcement;
    const refusal = refusalOf(announcement, options);
    // Measuring uses all cores, which would disturb a verify run.
    const isLoad = announcement.command !== 'verify' && refusal === undefined;
    const ownRate = isLoad ? await (measured ??= options.measureRate()) : 0;
    if (signal.aborted) return;
    const common = { kind: 'hello', run, agent, zone, version, ownRate, boundMs: clock.boundMs } as const;
    const hello: Hello = { ...common, ...(refusal && { refusal }) };
    const engine = options.engineOf(announcement.command);
    if (refusal === undefined) {
      current = new Membership({ ...options, ownRate, clock, announcement, engine });
      await current.join();
    }
    await broker.publish(NAMES.reports(run), signer.sign(hello));
    onNote(`run ${run}: ${refusal === undefined ? 'joined' : `refused, ${refusal.reason}`}`);
    isJoining = false;
    if (current === undefined) return;
    engine.prepare?.();
    await current.ended;
    current = undefined;
    onNote(`run ${run}: ended`);
    if (options.leavesAfterRun) resolveLeft();
  };
  const unsubscribe = await broker.subscribe(NAMES.lobby, (text) => {
    const announcement = asAnnouncement(signer.verify(text));
    const isFresh = announcement !== undefined && Math.abs(clock.now() - announcement.sentAt) < FRESH_MS;
    if (!isFresh || isJoining || current !== undefined || answered.has(announcement.run) || signal.aborted) return;
    answered.add(announcement.run);
    isJoining = true;
    join(announcement).catch((error: unknown) => {
      current = undefined;
      isJoining = false;
      answered.delete(announcement.run);
      onNote(`run ${announcement.run}: cannot be joined: ${error instanceof Error ? error.message : String(error)}`);
    });
  });
  const stop = (): void => {
    if (current === undefined) resolveLeft();
    else void current.leave().then(resolveLeft);
  };
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  await left;
  await unsubscribe();
  clock.stop();
}

/** A unique name for an agent: host, process id and start time. */
export function agentName(): string {
  const host = os
    .hostname()
    .toLowerCase()
    .replace(/[^a-z0-9-]/gu, '-');
  return `${host}-${process.pid}-${Math.floor(localNow() % 46_656).toString(36)}`;
}
