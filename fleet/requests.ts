import { createHash } from 'node:crypto';
import { deflateSync, inflateSync } from 'node:zlib';
import { NAMES } from './messages.ts';
import type { Broker } from './queue.ts';
import type { Signer } from './signature.ts';

/** Characters of one part, so that no message is longer than 256 KB. */
const PART = 250_000;

/** Requests of a scenario as they are put into the broker: once a run, compressed, in parts. */
export interface StoredRequests {
  /** `hash:parts`; what lanes refer to them by. */
  readonly reference: string;
  /** Puts them there, also again. */
  put(): Promise<void>;
}

export function storedRequests(broker: Broker, signer: Signer, run: string, text: string): StoredRequests {
  const packed = deflateSync(text).toString('base64');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const parts = Array.from({ length: Math.ceil(packed.length / PART) }, (_, part) =>
    packed.slice(part * PART, (part + 1) * PART),
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

/** The requests that a reference names. */
export async function readRequests(broker: Broker, signer: Signer, run: string, reference: string): Promise<string> {
  const [hash = '', count = '0'] = reference.split(':');
  const parts = await Promise.all(
    Array.from({ length: Number(count) }, async (_, part) => {
      const signed = await broker.read(NAMES.requests(run), `${hash}-${part}`);
      const opened =
        signed === undefined ? undefined : (signer.open(signed) as { run: string; data: string } | undefined);
      if (opened?.run !== run) throw new Error(`part ${part} of the requests is missing`);
      return opened.data;
    }),
  );
  const text = inflateSync(Buffer.from(parts.join(''), 'base64')).toString();
  if (createHash('sha256').update(text).digest('hex').slice(0, 16) !== hash)
    throw new Error('the requests were changed');
  return text;
}
