import { isSuccess } from './checks/media.ts';
import type { TestRecord } from './records.ts';

/** True for responses that show that an operation was reached: a success, or the redirect that is described as such. */
export function isReached({
  status,
  redirects,
}: Pick<TestRecord['statuses'][number], 'status' | 'redirects'>): boolean {
  return isSuccess(Number(status)) || redirects === true;
}

/** What to do where a service answers valid requests with these statuses, as the end of a sentence; empty for most statuses. */
export function adviceFor(statuses: Iterable<string>): string {
  return [...statuses].includes('428')
    ? '; 428: the service requires the header If-Match, which the description has to declare, with the ETag of a GET'
    : '';
}
