/** `3 findings`, `1 finding`. */
export function count(amount: number, one: string, many = `${one}s`): string {
  return `${thousands(amount)} ${amount === 1 ? one : many}`;
}

/** `12,345`. */
export function thousands(amount: number): string {
  return Math.round(amount).toLocaleString('en-US');
}

/** How many things some entries stand for, each for one or for its `count`. */
export function amountOf(entries: readonly { readonly count?: number }[]): number {
  return entries.reduce((sum, entry) => sum + (entry.count ?? 1), 0);
}
