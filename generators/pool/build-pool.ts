import { Buffer } from 'node:buffer';
import type { Json } from '../../spec/index.ts';
import { Prng } from '../core/prng.ts';
import { loadClue, loadPolicy, loadRaw } from '../domain/load-bodies.ts';
import type { LoadBody } from '../domain/load-bodies.ts';
import { ID_DIGITS } from './body-pool.ts';
import type { BodyPool, PooledBody, PoolKind, PoolOptions } from './body-pool.ts';

const MAKERS = { clue: loadClue, raw: loadRaw, policy: loadPolicy } satisfies Record<PoolKind, LoadBody>;
const PLACEHOLDER = '0123456789abcdef'.slice(0, ID_DIGITS);

/** Ready request bodies: seeded, different from each other, valid, all of one length, each with a place for its id. */
export function buildPool(options: PoolOptions): BodyPool {
  const { kind, count, seed, tag = 'assay', bytes = 1024 } = options;
  const make = (index: number, filler: string): Json =>
    MAKERS[kind]({ random: new Prng(seed, index), id: PLACEHOLDER, tag, filler, organizationId: options.organizationId });
  const bare = Array.from({ length: count }, (_, index) => Buffer.byteLength(JSON.stringify(make(index, ''))));
  const length = bare.reduce((most, size) => Math.max(most, size), bytes);
  const bodies = bare.map((size, index) => pooled(make(index, 'x'.repeat(length - size))));
  return { kind, bytes: length, bodies };
}

function pooled(value: Json): PooledBody {
  const buffer = Buffer.from(JSON.stringify(value));
  return { buffer, idOffsets: offsetsOf(buffer) };
}

function offsetsOf(buffer: Buffer): number[] {
  const offsets: number[] = [];
  for (let at = buffer.indexOf(PLACEHOLDER); at >= 0; at = buffer.indexOf(PLACEHOLDER, at + ID_DIGITS)) offsets.push(at);
  return offsets;
}
