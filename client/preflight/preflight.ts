import type { Contract, Operation } from '../../spec/index.ts';
import type { TargetOptions } from '../options.ts';
import { createTarget } from '../pipeline.ts';
import type { Target } from '../pipeline.ts';
import type { Complaint } from './complaint.ts';
import { toError } from './complaint.ts';
import { areAlike, complaintOfAnswers } from './of-answers.ts';
import { complaintOfFailure } from './of-failure.ts';
import { ask, chooseProbes, KNOCK } from './probes.ts';
import type { Probed } from './probes.ts';
import { suggestBaseUrl, suggestHttps } from './suggest.ts';

const UNANSWERED_MEANS_GONE = 2;

/** True as soon as one answer of each kind is good: the other probes need not be sent. */
function isServed({ exchange }: Probed): boolean {
  return exchange.response?.status === 200;
}

async function askAll(target: Target, contract: Contract): Promise<readonly Probed[]> {
  const probed: Probed[] = [];
  const served = new Set<string>();
  for (const probe of chooseProbes(contract)) {
    if (served.has(probe.operation.permission)) continue;
    const result = await ask(target, probe);
    probed.push(result);
    if (isServed(result)) served.add(probe.operation.permission);
    const failures = probed.filter(({ exchange }) => exchange.failure);
    const hopeless =
      /refused|dns|tls|aborted/.test(result.exchange.failure?.kind ?? '') || failures.length >= UNANSWERED_MEANS_GONE;
    if (hopeless && failures.length === probed.length) break;
  }
  return probed;
}

async function complaintOfSilence(
  target: Target,
  contract: Contract,
  probed: readonly Probed[],
): Promise<Complaint | undefined> {
  const [first] = probed;
  if (!first || probed.some(({ exchange }) => exchange.response)) return undefined;
  const kind = first.exchange.failure?.kind;
  const https = kind === 'reset' || kind === 'protocol' ? await suggestHttps(target, contract) : undefined;
  return https ?? complaintOfFailure(target, first.exchange);
}

/** Of the documented service only: a mock of another one may well answer everything alike. */
async function complaintOfSameness(target: Target, probed: readonly Probed[]): Promise<Complaint | undefined> {
  const [first] = probed;
  if (!first || !areAlike(probed.map(({ exchange }) => exchange))) return undefined;
  const path = '/assay-asks-for-what-nobody-has';
  const nowhere: Operation = { ...first.operation, path, forms: [{ name: '', path, pointer: '' }] };
  const { exchange } = await ask(target, { operation: nowhere, identity: 'none' });
  if (!areAlike([first.exchange, exchange])) return undefined;
  return {
    sentence: `${target.baseUrl} is not the service: it gives every request the same answer (${exchange.response?.status}).`,
    mend: 'Check host, port and path of --base-url / ASSAY_BASE_URL.',
  };
}

async function examine(target: Target, contract: Contract): Promise<Complaint | undefined> {
  const probed = await askAll(target, contract);
  const silence = await complaintOfSilence(target, contract, probed.length > 0 ? probed : [await ask(target, KNOCK)]);
  if (silence) return silence;
  const complaint = complaintOfAnswers(target, probed);
  const isElsewhere =
    complaint !== undefined &&
    probed.every(({ exchange }) => [undefined, 200, 302, 301, 404, 405, 410].includes(exchange.response?.status));
  if (isElsewhere) return (await suggestBaseUrl(target, contract)) ?? complaint;
  return complaint ?? (contract.builtIn ? complaintOfSameness(target, probed) : undefined);
}

/**
 * Sees, before any test, that a target can be reached, is a service of this contract, and takes the token. Throws an
 * AssayError (exit code 3) with one sentence and the mend. Only what all probes agree on counts, so that a deployment
 * that merely breaks promises gets its findings instead.
 */
export async function preflight(target: Target | TargetOptions, contract: Contract): Promise<void> {
  const own = 'send' in target ? undefined : createTarget({ ...target, retry: { ...target.retry, reconnect: false } });
  const examined = 'send' in target ? target : own;
  try {
    const complaint = examined && (await examine(examined, contract));
    if (complaint) throw toError(complaint);
  } finally {
    await own?.close();
  }
}
