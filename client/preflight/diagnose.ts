import { describeScheme } from '../../spec/index.ts';
import type { Contract, Exchange, SecurityScheme, TokenName } from '../../spec/index.ts';
import { isRefused, showsAcceptance } from '../token-acceptance.ts';
import type { TargetOptions } from '../options.ts';
import { createTarget } from '../pipeline.ts';
import type { Target } from '../pipeline.ts';
import { alternativesOf, wantedOf } from '../security.ts';
import { labelOf } from '../tokens.ts';
import type { LiveToken } from '../credentials/live-token.ts';
import { chooseProbes, sendProbe } from './probes.ts';
import type { Probe } from './probes.ts';

/** Tokens that a diagnosis lists even if they are not configured. */
const EXPECTED = ['full', 'limited', 'expired'] as const;

/** What a token permits. */
export interface IdentityReport {
  readonly identity: TokenName;
  /** For display, for example `full token`. */
  readonly name: string;
  readonly given: boolean;
  /** Undefined if the token is not configured, or no operation can be called. */
  readonly works?: boolean;
  /** Status of the response, by operation. */
  readonly statuses: Readonly<Record<string, number>>;
  /** The problem as a sentence, if there is one. */
  readonly problem?: string;
  /** When it expires, if that is known and it is not renewed. */
  readonly endsAt?: string;
}

/** Latency and tokens of a deployment, measured by harmless reads. */
export interface Diagnosis {
  /** Median of the responses in milliseconds, after the first connection; undefined without responses. */
  readonly latencyMs: number | undefined;
  readonly identities: readonly IdentityReport[];
}

const SAMPLES = 9;

/** True if an operation needs another permission than the token's only one. */
function lacks(only: string | undefined, { permission }: Probe['operation']): boolean {
  return only !== undefined && permission.startsWith('RACI:') && permission !== only;
}

/** The problem of a token with other responses than its kind gets: more operations show it than the opposite; one may be defective. */
function problemOf(identity: TokenName, responses: readonly (readonly [Probe, number])[]): string | undefined {
  const isServed = (status: number): boolean => status >= 200 && status < 300;
  const telling = responses.filter(([, status]) => status === 401 || showsAcceptance(status));
  const mostly = (fits: (status: number) => boolean, isOf: (probe: Probe) => boolean): string | undefined => {
    const relevant = telling.filter(([probe]) => isOf(probe));
    const [first, ...others] = relevant.filter(([, status]) => fits(status));
    const isMost = first !== undefined && (others.length + 1) * 2 > relevant.length;
    return isMost ? `${first[0].operation.id} answers ${first[1]}` : undefined;
  };
  if (identity === 'expired') {
    const served = mostly(showsAcceptance, () => true);
    return served === undefined ? undefined : `It has not expired: ${served}, not 401.`;
  }
  const refused = responses.find(([, status]) => status === 401);
  if (refused !== undefined && isRefused(responses.map(([, status]) => status)))
    return `It is not accepted: ${refused[0].operation.id} answers 401.`;
  if (identity === 'limited') {
    const served = mostly(isServed, ({ operation }) => operation.permission.startsWith('RACI:'));
    return served === undefined ? undefined : `It has permissions that it should not have: ${served}, not 403.`;
  }
  const permission = identity.startsWith('RACI:') ? identity : undefined;
  const beyond = mostly(isServed, ({ operation }) => lacks(permission, operation));
  if (beyond !== undefined) return `It has more permissions than it should: ${beyond}, not 403.`;
  for (const wanted of new Set(responses.map(([{ operation }]) => operation.permission))) {
    const isOf = ({ operation }: Probe): boolean => operation.permission === wanted && !lacks(permission, operation);
    const forbidden = mostly((status) => status === 403, isOf);
    if (forbidden !== undefined) return `It lacks a permission: ${forbidden}.`;
  }
  return undefined;
}

function endOf(token: LiveToken | undefined): Pick<IdentityReport, 'endsAt'> {
  if (token?.endsAt === undefined || token.isRenewable) return {};
  return { endsAt: new Date(token.endsAt).toISOString() };
}

const schemesOfProbes = (probes: readonly Probe[]): readonly SecurityScheme[] =>
  probes.flatMap(({ operation }) => alternativesOf(operation)[0] ?? []);

/** Whether tokens authenticate at least some of the operations. */
function takeTokens(probes: readonly Probe[]): boolean {
  return probes.length === 0 || schemesOfProbes(probes).some(({ takesToken }) => takesToken);
}

/** Whether checking this token, besides the full one, is useful. */
function isUseful(identity: TokenName, { operations }: Contract, probes: readonly Probe[]): boolean {
  const isOfPermission = operations.some(({ permission }) => permission !== 'none' && permission !== 'unstated');
  return takeTokens(probes) && (identity !== 'limited' || isOfPermission);
}

function nameOf(identity: TokenName, probes: readonly Probe[]): string {
  const names = [...new Set(schemesOfProbes(probes).map(describeScheme))];
  const isPlain = identity !== 'full' || names.every((name) => name.startsWith('an API token'));
  return isPlain ? labelOf(identity).name.replace(/^the /, '') : `secrets of ${names.join(', ')}`;
}

function isGiven({ keys }: Target, identity: TokenName, probes: readonly Probe[]): boolean {
  if (identity !== 'full' || probes.length === 0) return keys.has(identity);
  return probes.some(({ operation }) => wantedOf(operation, keys).missing.length === 0);
}

async function reportOn(
  options: TargetOptions,
  identity: TokenName,
  probes: readonly Probe[],
): Promise<IdentityReport> {
  const target = createTarget(options);
  const name = nameOf(identity, probes);
  try {
    if (!isGiven(target, identity, probes)) return { identity, name, given: false, statuses: {} };
    const answers: (readonly [Probe, number])[] = [];
    for (const probe of probes) {
      const { exchange } = await sendProbe(target, { ...probe, identity });
      if (exchange.response !== undefined) answers.push([probe, exchange.response.status]);
    }
    if (answers.length === 0) return { identity, name, given: true, statuses: {} };
    const problem = problemOf(identity, answers);
    const statuses = Object.fromEntries(answers.map(([{ operation }, status]) => [operation.id, status]));
    return {
      identity,
      name,
      given: true,
      works: problem === undefined,
      statuses,
      ...(problem === undefined ? {} : { problem }),
      ...endOf(target.keys.get(identity)),
    };
  } finally {
    await target.close();
  }
}

/** Median of a few reads in milliseconds, after the first connection; undefined without a response. */
export async function measureLatency(
  options: TargetOptions,
  contract: Contract,
  samples = SAMPLES,
): Promise<number | undefined> {
  const probe = chooseProbes(contract).at(-1);
  if (probe === undefined) return undefined;
  const target = createTarget(options);
  try {
    const exchanges: Exchange[] = [];
    for (let sample = 0; sample < samples; sample += 1) exchanges.push((await sendProbe(target, probe)).exchange);
    const answered = exchanges.slice(1).filter(({ response }) => response !== undefined);
    return answered.map(({ durationMs }) => durationMs).sort((a, b) => a - b)[answered.length >> 1];
  } finally {
    await target.close();
  }
}

function tokensOf({ tokens: { permissions = {}, otherTenant } = {} }: TargetOptions): readonly TokenName[] {
  return [...(Object.keys(permissions) as TokenName[]), ...(otherTenant === undefined ? [] : ['otherTenant' as const])];
}

/** Examines a deployment that passed the preflight: its latency, and what each token permits. Sends only reading GET requests. */
export async function diagnose(options: TargetOptions, contract: Contract): Promise<Diagnosis> {
  const probes = chooseProbes(contract);
  const locked = probes.filter(({ identity }) => identity === 'full');
  const identities: IdentityReport[] = [];
  const expected = EXPECTED.filter((identity) => identity === 'full' || isUseful(identity, contract, locked));
  for (const identity of new Set([...expected, ...tokensOf(options)]))
    identities.push(await reportOn(options, identity, locked));
  return { latencyMs: await measureLatency(options, contract), identities };
}
