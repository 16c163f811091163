import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { Transform } from 'node:stream';

/** A body without its content-encoding. */
export interface Decoded {
  readonly body: Buffer;
  readonly truncated: boolean;
  /** Why decoding failed; `body` is then as received. */
  readonly error?: string;
}

const MOST_LAYERS = 3;

const DECODERS = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  br: () => createBrotliDecompress(),
  deflate: (body: Buffer) => (((body[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw()),
} as const satisfies Record<string, (body: Buffer) => Transform>;

function isKnown(name: string): name is keyof typeof DECODERS {
  return Object.hasOwn(DECODERS, name);
}

async function unpack(stream: Transform, packed: Decoded, limit: number): Promise<Decoded> {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.end(packed.body);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, limit - size));
      size += chunk.length;
      if (size > limit) break;
    }
  } catch (error) {
    if (!packed.truncated) throw error;
  }
  return { body: Buffer.concat(chunks), truncated: packed.truncated || size > limit };
}

async function decodeAll(packed: Decoded, layers: readonly string[], limit: number): Promise<Decoded> {
  let result = packed;
  for (const name of layers.toReversed()) {
    if (!isKnown(name))
      return { ...packed, error: `unknown Content-Encoding ${name.slice(0, 40)}, which was not requested` };
    result = await unpack(DECODERS[name](result.body), result, limit);
  }
  return result;
}

/** Removes the content-encoding, up to `limit` decoded bytes. A truncated body is decoded as far as possible. */
export async function decode(packed: Decoded, contentEncoding: string, limit: number): Promise<Decoded> {
  const layers = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (layers.length === 0 || packed.body.length === 0) return packed;
  if (layers.length > MOST_LAYERS) return { ...packed, error: `${layers.length} layers of Content-Encoding` };
  try {
    return await decodeAll(packed, layers, limit);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    return { ...packed, error: `the body is not ${layers.join(', ')} as its Content-Encoding says: ${reason}` };
  }
}
