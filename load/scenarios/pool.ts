import { sampleBody } from '../../generators/index.ts';
import { isObject } from '../../spec/index.ts';
import type { Json } from '../../spec/index.ts';

export type PoolKind = 'clue' | 'raw' | 'policy';

/** Encoded bodies, each with the offsets of the fields that make it unique. */
export interface BodyPool {
  readonly bodies: readonly { readonly bytes: Uint8Array; readonly fields: readonly number[] }[];
  /** Bytes of each field. */
  readonly fieldWidth: number;
}

const OPERATION: Readonly<Record<PoolKind, string>> = {
  clue: 'POST /clue', raw: 'POST /admin/entity/ProcessClue', policy: 'POST /accesscontrolpolicies',
};
const WIDTH = 16;
const MARK = '~'.repeat(WIDTH);

function offsetsOf(bytes: Buffer): number[] {
  const offsets: number[] = [];
  for (let at = bytes.indexOf(MARK); at !== -1; at = bytes.indexOf(MARK, at + WIDTH)) offsets.push(at);
  return offsets;
}

/** Where filler may stand without changing what the body means. */
function bagOf(kind: PoolKind, body: Json): Record<string, Json> | undefined {
  if (kind !== 'clue') return isObject(body) ? body : undefined;
  let bag: Json | undefined = body;
  for (const name of ['clue', 'clueDetails', 'data', 'entityData', 'properties']) bag = isObject(bag) ? bag[name] : undefined;
  return isObject(bag) ? bag : undefined;
}

const FILLER_KEY: Readonly<Record<PoolKind, string>> = { clue: 'property-assay.person.note', raw: 'note', policy: 'description' };

/** Bodies of about so many bytes. */
export function buildBodies(kind: PoolKind, count: number, bytes: number): BodyPool {
  const bodies = Array.from({ length: count }, (_, index) => {
    const body = sampleBody(OPERATION[kind], MARK) ?? {};
    const bag = bagOf(kind, body);
    const missing = bytes - Buffer.byteLength(JSON.stringify(body)) - FILLER_KEY[kind].length - 6;
    if (bag && missing > 0) bag[FILLER_KEY[kind]] = `record ${index} `.padEnd(missing, 'lorem ipsum dolor sit amet ').slice(0, missing);
    const encoded = Buffer.from(JSON.stringify(body));
    return { bytes: encoded, fields: offsetsOf(encoded) };
  });
  return { bodies, fieldWidth: WIDTH };
}
