import { describe, expect, it } from 'vitest';
import { loadContract } from '../../spec/index.ts';
import { ID_DIGITS, POOL_KINDS, stampId } from './body-pool.ts';
import { buildPool } from './build-pool.ts';

const OPERATIONS = {
  clue: 'POST /clue',
  raw: 'POST /admin/entity/ProcessClue',
  policy: 'POST /accesscontrolpolicies',
} as const;
const contract = await loadContract();

function texts(seed: number): string[] {
  return buildPool({ kind: 'clue', count: 5, seed }).bodies.map(({ buffer }) => buffer.toString());
}

describe('pools of bodies', () => {
  it.each(POOL_KINDS)('%s: valid, of one length, unique once stamped', (kind) => {
    const schema = contract.operation(OPERATIONS[kind])?.body?.content[0]?.schema;
    const pool = buildPool({ kind, count: 50, bytes: 1200, seed: 3, tag: 'assay-1' });
    const seen = new Set<string>();
    for (const [index, body] of pool.bodies.entries()) {
      stampId(body, 0xabcd, index);
      expect(body.buffer.length).toBe(1200);
      expect(body.idOffsets.length).toBeGreaterThan(0);
      const text = body.buffer.toString();
      expect(text).toContain(`0000abcd${index.toString(16).padStart(8, '0')}`);
      expect(schema === undefined ? ['no schema'] : contract.validate(schema, JSON.parse(text))).toEqual([]);
      seen.add(text);
    }
    expect(seen.size).toBe(50);
    expect(ID_DIGITS).toBe(16);
  });

  it('is the same for the same seed, and other for another', () => {
    expect(texts(1)).toEqual(texts(1));
    expect(texts(1)).not.toEqual(texts(2));
  });

  it('grows where the wanted length is too small', () => {
    const pool = buildPool({ kind: 'clue', count: 3, bytes: 10, seed: 1 });
    expect(new Set(pool.bodies.map(({ buffer }) => buffer.length))).toEqual(new Set([pool.bytes]));
  });
});
