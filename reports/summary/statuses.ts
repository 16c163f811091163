import { isOfGateway } from '../../spec/index.ts';
import type { Finding } from '../../spec/index.ts';
import * as codes from './cause-codes.ts';
import type { MergedFinding } from './types.ts';

/** True for an error with which a gateway answers now and then, whatever the request: the operation also answered correctly. */
export function isOfGatewayAtTimes(finding: Finding): boolean {
  return (
    finding.code === 'no-server-error/status' && finding.curlShows === 'sometimes' && isOfGateway(lastStatus(finding))
  );
}

/** Status of the exchange that shows the finding; 0 if there was none. */
export const lastStatus = ({ steps }: Finding): number => steps.at(-1)?.response?.status ?? 0;

export const wasRefused = ({ steps }: MergedFinding): boolean =>
  (steps.find(({ request }) => request.method === 'PATCH')?.response?.status ?? 0) >= 400;

export const hasRefusal = ({ steps }: MergedFinding): boolean =>
  steps.some(({ response }) => (response?.status ?? 0) >= 400);

/** True for a status that comes from a missing or failing endpoint, whatever the token. */
export function isOfEndpoint(finding: MergedFinding): boolean {
  const status = lastStatus(finding);
  return codes.OF_TOKENS.includes(finding.code) && (status === 404 || status >= 500);
}

/** Suites that send requests which no client would send. */
const OF_UNUSUAL_REQUESTS: readonly string[] = ['contract/bodies', 'contract/parameters', 'properties/invalid'];

/** Kind of body (its first character) or parameters that provoke this answer; undefined where plain requests got it too. */
export function provokedBy({ tests, steps }: MergedFinding): string | undefined {
  if (!tests.every((test) => OF_UNUSUAL_REQUESTS.includes(test.split(' > ', 1)[0] ?? ''))) return undefined;
  const { body, url = '' } = steps.at(-1)?.request ?? {};
  if (body !== undefined) return `body ${body.trim().charAt(0)}`;
  return [...new URLSearchParams(url.split('?')[1]).keys()].join(' ');
}
