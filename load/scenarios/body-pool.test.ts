import { describe, expect, it } from 'vitest';
import { loadContract } from '../../spec/index.ts';
import { poolOf } from './body-pool.ts';

const OPERATIONS = {
  clue: 'POST /clue',
  raw: 'POST /admin/entity/ProcessClue',
  policy: 'POST /accesscontrolpolicies',
} as const;
const contract = await loadContract();

function texts(seed: number): string[] {
  return poolOf({ kind: 'clue', count: 5, bytes: 1024, seed, tag: 'assay' }).bodies.map(({ bytes }) =>
    Buffer.from(bytes).toString(),
  );
}

describe('pools of bodies', () => {
  it.each(['clue', 'raw', 'policy'] as const)('%s: valid, of one length, unique with another id', (kind) => {
    const schema = contract.operation(OPERATIONS[kind])?.body?.content[0]?.schema;
    const { bodies, fieldWidth } = poolOf({ kind, count: 50, bytes: 1200, seed: 3, tag: 'assay-1' });
    const seen = new Set<string>();
    for (const [index, { bytes, fields }] of bodies.entries()) {
      const id = String(index).padStart(fieldWidth, '0');
      for (const offset of fields) Buffer.from(id).copy(bytes, offset);
      const text = Buffer.from(bytes).toString();
      expect(bytes.length).toBe(1200);
      expect(text).toContain(id);
      expect(schema === undefined ? ['no schema'] : contract.validate(schema, JSON.parse(text))).toEqual([]);
      seen.add(text);
    }
    expect(seen.size).toBe(50);
  });

  it('is the same for the same seed, and different for another', () => {
    expect(texts(1)).toEqual(texts(1));
    expect(texts(1)).not.toEqual(texts(2));
  });

  it('grows where the requested length is too small', () => {
    const { bodies } = poolOf({ kind: 'clue', count: 3, bytes: 10, seed: 1, tag: 'assay' });
    expect(new Set(bodies.map(({ bytes }) => bytes.length)).size).toBe(1);
  });
});
