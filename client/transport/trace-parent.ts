import { randomUUID } from 'node:crypto';

/** 16 bytes in hexadecimal, 122 bits of them random: UUIDs come from a pool, which is cheaper than random bytes. */
const randomHex = (): string => randomUUID().replaceAll('-', '');

/** A new sampled trace for each request (W3C Trace Context), so that it can be found in the deployment's tracing. */
export function newTraceParent(): string {
  return `00-${randomHex()}-${randomHex().slice(-16)}-01`;
}
