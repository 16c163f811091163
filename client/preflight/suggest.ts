import type { Contract, Exchange } from '../../spec/index.ts';
import type { Target } from '../pipeline.ts';
import { chooseProbes, sendProbe } from './probes.ts';
import type { TargetProblem } from './probes.ts';
import { isApiResponse } from './response-problems.ts';

/** The response of another base URL to the first probe, without a token. */
async function probeAt(target: Target, contract: Contract, baseUrl: string): Promise<Exchange | undefined> {
  const other = target.at(baseUrl);
  try {
    const [probe] = chooseProbes(contract);
    return probe && (await sendProbe(other, { ...probe, identity: 'none' })).exchange;
  } finally {
    await other.close();
  }
}

/** The base URL without a prefix that the description's paths already contain. */
function withoutForm(url: URL, contract: Contract): readonly string[] {
  const forms = new Set(contract.operations.flatMap((operation) => operation.forms.map((form) => form.name)));
  const path = url.pathname.replace(/\/+$/, '');
  return [...forms]
    .filter((form) => form !== '' && path.toLowerCase().endsWith(form.toLowerCase()))
    .map((form) => url.origin + path.slice(0, -form.length));
}

/** Searches for the API at the base URL without `/api`, and without any path. */
export async function suggestBaseUrl(target: Target, contract: Contract): Promise<TargetProblem | undefined> {
  const url = new URL(target.baseUrl);
  const shorter = withoutForm(url, contract);
  const candidates = [...shorter, ...(url.pathname === '/' ? [] : [url.origin])];
  for (const candidate of new Set(candidates)) {
    const exchange = await probeAt(target, contract, candidate);
    if (exchange === undefined || !isApiResponse(exchange)) continue;
    const why = shorter.includes(candidate)
      ? `already contains the path that the description adds (${target.baseUrl.slice(candidate.length)})`
      : 'has a path under which there is no API';
    return { message: `The base URL ${target.baseUrl} ${why}.`, hint: `Use --base-url ${candidate}` };
  }
  return undefined;
}

/** Checks whether a plain HTTP base URL should be HTTPS. */
export async function suggestHttps(target: Target, contract: Contract): Promise<TargetProblem | undefined> {
  if (!target.baseUrl.startsWith('http:')) return undefined;
  const baseUrl = target.baseUrl.replace(/^http/, 'https');
  const exchange = await probeAt(target, contract, baseUrl);
  const { kind, message } = exchange?.failure ?? {};
  const speaksTls = exchange?.response !== undefined || (kind === 'tls' && /certificate|altname/i.test(message ?? ''));
  return speaksTls
    ? { message: `${new URL(baseUrl).host} requires HTTPS.`, hint: `Use --base-url ${baseUrl}` }
    : undefined;
}
