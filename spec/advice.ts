/** What to do where a service answers valid requests with these statuses, as the end of a sentence; empty for most statuses. */
export function adviceFor(statuses: Iterable<string>): string {
  return [...statuses].includes('428')
    ? '; 428: the service requires the header If-Match, which the description has to declare, with the ETag of a GET'
    : '';
}
