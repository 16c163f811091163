import { Buffer } from 'node:buffer';
import { Prng } from '../core/prng.ts';
import { loadClue, loadPolicy, loadRaw } from '../../domain/builtin/bodies/load-bodies.ts';
import type { LoadBody } from '../../domain/builtin/bodies/load-bodies.ts';
import { ID_DIGITS } from './body-pool.ts';
import type { BodyPool, PooledBody, PoolKind, PoolOptions } from './body-pool.ts';

const MAKERS = { clue: loadClue, raw: loadRaw, policy: loadPolicy } satisfies Record<PoolKind, LoadBody>;
const PLACEHOLDER = '0123456789abcdef'.slice(0, ID_DIGITS);
/** Stands where the filler goes. */
const GAP = '~assay-gap~';

/** Ready request bodies: seeded, different from each other, valid, all of one length, each with a place for its id. */
export function buildPool(options: PoolOptions): BodyPool {
  const { kind, count, seed, tag = 'assay', bytes = 1024, organizationId } = options;
  const random = new Prng(seed);
  const texts = Array.from({ length: count }, () =>
    JSON.stringify(MAKERS[kind]({ random, id: PLACEHOLDER, tag, filler: GAP, organizationId })),
  );
  const sizes = texts.map((text) => Buffer.byteLength(text) - GAP.length);
  const length = sizes.reduce((most, size) => Math.max(most, size), bytes);
  return {
    kind,
    bytes: length,
    bodies: texts.map((text, index) => pooled(text.replace(GAP, 'x'.repeat(length - (sizes[index] ?? 0))))),
  };
}

function pooled(text: string): PooledBody {
  const buffer = Buffer.from(text);
  return { buffer, idOffsets: offsetsOf(buffer) };
}

function offsetsOf(buffer: Buffer): number[] {
  const offsets: number[] = [];
  for (let at = buffer.indexOf(PLACEHOLDER); at >= 0; at = buffer.indexOf(PLACEHOLDER, at + ID_DIGITS))
    offsets.push(at);
  return offsets;
}
