import type { Contract } from '../../spec/index.ts';
import type { Target } from '../pipeline.ts';
import type { Complaint } from './complaint.ts';
import { isApiAnswer } from './of-answers.ts';
import { ask, chooseProbes } from './probes.ts';

/** True where an API answers at another base URL; asked without a token. */
async function answersAt(target: Target, contract: Contract, baseUrl: string): Promise<boolean> {
  const other = target.at(baseUrl);
  try {
    const [probe] = chooseProbes(contract);
    return probe !== undefined && isApiAnswer((await ask(other, { ...probe, identity: 'none' })).exchange);
  } finally {
    await other.close();
  }
}

function withoutForm(url: URL, contract: Contract): readonly string[] {
  const forms = new Set(contract.operations.flatMap((operation) => operation.forms.map((form) => form.name)));
  const path = url.pathname.replace(/\/+$/, '');
  return [...forms]
    .filter((form) => form !== '' && path.toLowerCase().endsWith(form.toLowerCase()))
    .map((form) => url.origin + path.slice(0, -form.length));
}

/** Looks for the base URL that was meant: without `/api`, without any path. */
export async function suggestBaseUrl(target: Target, contract: Contract): Promise<Complaint | undefined> {
  const url = new URL(target.baseUrl);
  const shorter = withoutForm(url, contract);
  const candidates = [...shorter, ...(url.pathname === '/' ? [] : [url.origin])];
  for (const candidate of new Set(candidates)) {
    if (!(await answersAt(target, contract, candidate))) continue;
    const why = shorter.includes(candidate)
      ? `already holds what the description adds (${target.baseUrl.slice(candidate.length)})`
      : 'has a path under which there is no API';
    return { sentence: `The base URL ${target.baseUrl} ${why}.`, mend: `Give --base-url ${candidate}` };
  }
  return undefined;
}

/** Where plain HTTP is closed without an answer: tells whether HTTPS was meant. */
export async function suggestHttps(target: Target, contract: Contract): Promise<Complaint | undefined> {
  if (!target.baseUrl.startsWith('http:')) return undefined;
  const baseUrl = target.baseUrl.replace(/^http/, 'https');
  const other = target.at(baseUrl);
  try {
    const [probe] = chooseProbes(contract);
    const exchange = probe && (await ask(other, { ...probe, identity: 'none' })).exchange;
    const speaksTls =
      exchange?.response !== undefined ||
      (exchange?.failure?.kind === 'tls' && /certificate|altname/i.test(exchange.failure.message));
    return speaksTls
      ? { sentence: `${new URL(baseUrl).host} wants HTTPS.`, mend: `Give --base-url ${baseUrl}` }
      : undefined;
  } finally {
    await other.close();
  }
}
