/** Ranges to leave out of `length` items: all, halves, quarters … down to single ones (for long lists: thirty-seconds). */
export function* chunks(length: number): Iterable<readonly [from: number, to: number]> {
  const finest = length > 64 ? Math.ceil(length / 32) : 1;
  for (let size = length; size >= finest; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < length; from += size) yield [from, Math.min(length, from + size)];
    if (size === 0) return;
  }
}
