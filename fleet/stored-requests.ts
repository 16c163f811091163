import { createHash } from 'node:crypto';
import { deflateSync, inflateSync } from 'node:zlib';
import { NAMES } from './messages.ts';
import type { Broker } from './broker.ts';
import type { Signer } from './signature.ts';

/** Characters of one part: no message is longer than 256 KB. */
const PART_LENGTH = 250_000;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** The requests of a scenario, compressed and split into parts for the broker. */
export interface StoredRequests {
  /** `hash:parts`; lanes hold it to find the requests. */
  readonly reference: string;
  /** Stores them in the broker; may be repeated. */
  put(): Promise<void>;
}

export function storedRequests(broker: Broker, signer: Signer, run: string, text: string): StoredRequests {
  const packed = deflateSync(text).toString('base64');
  const hash = hashOf(text);
  const parts = Array.from({ length: Math.ceil(packed.length / PART_LENGTH) }, (_, part) =>
    packed.slice(part * PART_LENGTH, (part + 1) * PART_LENGTH),
  );
  return {
    reference: `${hash}:${parts.length}`,
    put: () =>
      broker.put(
        NAMES.requests(run),
        parts.map((data, part) => ({ id: `${hash}-${part}`, text: signer.sign({ run, data }) })),
      ),
  };
}

export async function readRequests(broker: Broker, signer: Signer, run: string, reference: string): Promise<string> {
  const [hash = '', count = '0'] = reference.split(':');
  const parts = await Promise.all(
    Array.from({ length: Number(count) }, async (_, part) => {
      const signed = await broker.read(NAMES.requests(run), `${hash}-${part}`);
      const message = signer.verify(signed ?? '') as { run: string; data: string } | undefined;
      if (message?.run !== run) throw new Error(`part ${part} of the requests is missing`);
      return message.data;
    }),
  );
  const text = inflateSync(Buffer.from(parts.join(''), 'base64')).toString();
  if (hashOf(text) !== hash) throw new Error('the stored requests do not match their hash');
  return text;
}
