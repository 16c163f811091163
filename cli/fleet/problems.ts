import { isLoopback } from '../../spec/loopback.ts';
import { flagOf } from '../options/spec.ts';
import type { Invocation } from '../invocation.ts';
import type { Problem } from '../problems.ts';
import type { BrokerSettings } from './broker.ts';

export function brokerRequired({
  settings,
  isSet,
}: Pick<Invocation<'fleet'>, 'settings' | 'isSet'>): readonly Problem[] {
  if (isSet('fleet') && settings.fleet !== 'local') return [];
  const message = isSet('fleet') ? 'is not the URL of a broker' : 'is missing';
  return [{ subject: '--fleet', message, hint: 'use redis[s]://USER@HOST:PORT or postgres://USER@HOST/DATABASE' }];
}

export function brokerProblems({ fleet, fleetKey, insecureFleet, baseUrl }: BrokerSettings): readonly Problem[] {
  if (fleet === undefined || fleet === 'local') return [];
  const { hostname, protocol, searchParams } = new URL(fleet);
  if (isLoopback(hostname)) return [];
  const problems: Problem[] = [];
  const subject = '--fleet';
  const isPlain = protocol === 'redis:' || searchParams.get('sslmode') === 'disable';
  if (isPlain && !insecureFleet)
    problems.push({
      subject,
      message: `would send all traffic unencrypted to ${hostname}`,
      hint: 'use rediss:// (PostgreSQL: without sslmode=disable), or add --insecure-fleet',
    });
  if (fleetKey === undefined)
    problems.push({
      subject: 'ASSAY_FLEET_KEY',
      message: 'is not set, so anyone who can write to the broker could control the fleet',
      hint: 'set it to the same random value on all machines, for example the output of: openssl rand -hex 32',
    });
  if (baseUrl !== undefined && new URL(baseUrl).hostname === hostname)
    problems.push({
      subject,
      message: `is on ${hostname}, the host of the target, and would disturb the measurement`,
      hint: 'run the broker on another machine',
    });
  return problems;
}

export function fleetProblems(settings: BrokerSettings): readonly Problem[] {
  const { fleet, baseUrl } = settings;
  if (fleet === undefined) return [];
  if (fleet !== 'local' && baseUrl === undefined)
    return [
      {
        subject: '--fleet',
        message: 'needs --base-url',
        hint: 'agents of other machines cannot reach the embedded service',
      },
    ];
  return brokerProblems(settings);
}

const OF_A_FLEET = ['agents', 'zones', 'onLoss', 'gather', 'lock', 'resume'] as const;

export function ignoredFleetFlags({
  settings,
  isFlag,
}: Pick<Invocation<'fleet' | (typeof OF_A_FLEET)[number]>, 'settings' | 'isFlag'>): readonly Problem[] {
  if (settings.fleet !== undefined) return [];
  return OF_A_FLEET.filter((name) => isFlag(name)).map((name) => ({
    subject: flagOf(name),
    message: 'has no effect without --fleet',
    hint: 'add --fleet, for example --fleet local',
  }));
}
