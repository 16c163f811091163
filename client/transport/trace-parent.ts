import { randomUUID } from 'node:crypto';

/** Sixteen bytes, 122 bits of them random, in hexadecimal: UUIDs come from a pool, random bytes cost a call each. */
const randomHex = (): string => randomUUID().replaceAll('-', '');

/** A trace of its own for each request (W3C Trace Context), sampled, so that the deployment's tracing can be asked for it. */
export function newTraceParent(): string {
  return `00-${randomHex()}-${randomHex().slice(-16)}-01`;
}
