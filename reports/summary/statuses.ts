import { isOfGateway } from '../../spec/index.ts';
import * as codes from './cause-codes.ts';
import type { MergedFinding } from './types.ts';

/** True for an error with which a gateway answers now and then, whatever the request: the operation also answered correctly. */
export function isOfGatewayAtTimes(finding: MergedFinding): boolean {
  return (
    finding.code === 'no-server-error/status' && finding.curlShows === 'sometimes' && isOfGateway(lastStatus(finding))
  );
}

/** Status of the exchange that shows the finding; 0 if there was none. */
export const lastStatus = ({ steps }: MergedFinding): number => steps.at(-1)?.response?.status ?? 0;

/** True where the patch of a finding was refused. */
export const wasRefused = ({ steps }: MergedFinding): boolean =>
  (steps.find(({ request }) => request.method === 'PATCH')?.response?.status ?? 0) >= 400;

/** True where one of the requests of a finding was refused. */
export const hasRefusal = ({ steps }: MergedFinding): boolean =>
  steps.some(({ response }) => (response?.status ?? 0) >= 400);

/** True for a status that comes from a missing or failing endpoint, whatever the token. */
export function isOfEndpoint(finding: MergedFinding): boolean {
  const status = lastStatus(finding);
  return codes.OF_TOKENS.includes(finding.code) && (status === 404 || status >= 500);
}
