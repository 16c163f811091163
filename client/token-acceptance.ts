/** True for a response that shows that the token was accepted, as far as one operation can. */
export function showsAcceptance(status: number): boolean {
  return (status >= 200 && status < 300) || status === 403;
}

/**
 * Whether a token is refused, by the statuses of different operations. One that accepts what at least two refuse may not check
 * tokens, and one that refuses what others accept may be defective: a single operation decides nothing unless it is the only one.
 */
export function isRefused(
  statuses: readonly number[],
  accepts: (status: number) => boolean = showsAcceptance,
): boolean {
  const refusals = statuses.filter((status) => status === 401).length;
  const accepted = statuses.filter(accepts).length;
  return accepted === 0 ? refusals > 0 : accepted === 1 && refusals > 1;
}
