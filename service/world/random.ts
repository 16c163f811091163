/** A seeded random number generator (sfc32). */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** An integer at least 0, below `limit`. */
  below(limit: number): number;
  /** A version 4 uuid. */
  uuid(): string;
}

/** The same numbers give the same sequence. */
export function createRandom(...seeds: readonly number[]): Random {
  let [a, b, c, counter] = [seeds[0] ?? 0, seeds[1] ?? 0x9e3779b9, seeds[2] ?? 0x243f6a88, 1];
  const word = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 15; round++) word();
  return {
    next: () => word() / 2 ** 32,
    below: (limit) => Math.floor((word() / 2 ** 32) * limit),
    uuid: () => asUuid([word(), word(), word(), word()]),
  };
}

function asUuid(words: readonly number[]): string {
  const hex = words.map((value) => value.toString(16).padStart(8, '0')).join('');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
