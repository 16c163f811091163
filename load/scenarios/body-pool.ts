import { loadClue, loadPolicy, loadRaw } from '../../domain/builtin/bodies/load-bodies.ts';
import type { LoadBody } from '../../domain/builtin/bodies/load-bodies.ts';
import { configuredBody } from '../../domain/fixtures.ts';
import type { Fixtures } from '../../domain/fixtures.ts';
import type { Json } from '../../spec/index.ts';
import { Prng } from '../../generators/core/prng.ts';

const MAKERS = { clue: loadClue, raw: loadRaw, policy: loadPolicy } satisfies Record<string, LoadBody>;

export type PoolKind = keyof typeof MAKERS;

const OPERATION_OF: Readonly<Record<PoolKind, string>> = {
  clue: 'POST /clue',
  raw: 'POST /admin/entity/ProcessClue',
  policy: 'POST /accesscontrolpolicies',
};

/** Encoded bodies of one length, each with the offsets of the fields that make it unique. */
export interface BodyPool {
  readonly bodies: readonly { readonly bytes: Uint8Array; readonly fields: readonly number[] }[];
  /** Bytes of each field. */
  readonly fieldWidth: number;
}

export interface PoolOptions {
  readonly kind: PoolKind;
  readonly count: number;
  /** Length of each body, if the kind does not need more. */
  readonly bytes: number;
  readonly seed: number;
  /** Part of every id and name. */
  readonly tag: string;
  /** Values that the tenant validates. */
  readonly fixtures?: Fixtures;
}

const FIELD = '0123456789abcdef';
/** Placeholder of the filler. */
const GAP = '~assay-gap~';

/** Encoded request bodies: seeded, valid, all different and of one length. */
export function poolOf({ kind, count, bytes, seed, tag, fixtures = {} }: PoolOptions): BodyPool {
  const random = new Prng(seed);
  const { organization: organizationId, entityType } = fixtures;
  const make = (): Json =>
    configuredBody(fixtures, OPERATION_OF[kind], `${tag}-${FIELD}`) ??
    MAKERS[kind]({ random, id: FIELD, tag, filler: GAP, organizationId, entityType });
  const texts = Array.from({ length: count }, () => JSON.stringify(make()));
  const sizes = texts.map((text) => Buffer.byteLength(text) - GAP.length);
  const length = Math.max(bytes, ...sizes);
  const bodies = texts.map((text, index) => {
    const buffer = Buffer.from(text.replace(GAP, 'x'.repeat(length - (sizes[index] ?? 0))));
    return { bytes: buffer, fields: fieldsOf(buffer) };
  });
  return { bodies, fieldWidth: FIELD.length };
}

/** Offsets of the unique fields. */
function fieldsOf(buffer: Buffer): number[] {
  const offsets: number[] = [];
  for (let at = buffer.indexOf(FIELD); at >= 0; at = buffer.indexOf(FIELD, at + FIELD.length)) offsets.push(at);
  return offsets;
}
