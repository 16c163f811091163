import { randomBytes } from 'node:crypto';

/** A trace of its own for each request (W3C Trace Context), sampled, so that the deployment's tracing can be asked for it. */
export function newTraceParent(): string {
  return `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
}
