/** Kinds of bodies that load is made of. */
export const POOL_KINDS = ['clue', 'raw', 'policy'] as const;
export type PoolKind = (typeof POOL_KINDS)[number];

/** Digits of the id in each body. */
export const ID_DIGITS = 16;

/** One body, encoded, and where its id stands: overwriting it makes the body unique without encoding it again. */
export interface PooledBody {
  readonly buffer: Buffer;
  /** Byte offsets of each occurrence of the id, {@link ID_DIGITS} lower-case hex digits long. */
  readonly idOffsets: readonly number[];
}

/** Bodies of one kind, all of the same length. */
export interface BodyPool {
  readonly kind: PoolKind;
  /** Bytes of each body. */
  readonly bytes: number;
  readonly bodies: readonly PooledBody[];
}

export interface PoolOptions {
  readonly kind: PoolKind;
  /** How many different bodies. */
  readonly count: number;
  /** Wanted length of each; more where the smallest body of the kind needs it. */
  readonly bytes?: number;
  readonly seed: number;
  /** Part of every id and name, so that what was made can be told and removed. */
  readonly tag?: string;
  /** Organisation that clues name. */
  readonly organizationId?: string;
}

const DIGITS = Buffer.from('0123456789abcdef');

/**
 * Writes `high` and `low` (unsigned 32-bit) as the id of a body, in place. Two different pairs give two different bodies.
 * Takes no memory.
 */
export function stampId({ buffer, idOffsets }: PooledBody, high: number, low: number): void {
  for (const offset of idOffsets) {
    stampWord(buffer, offset, high);
    stampWord(buffer, offset + 8, low);
  }
}

function stampWord(buffer: Buffer, offset: number, word: number): void {
  let rest = word;
  for (let digit = 7; digit >= 0; digit -= 1) {
    buffer[offset + digit] = DIGITS[rest & 15] ?? 48;
    rest >>>= 4;
  }
}
