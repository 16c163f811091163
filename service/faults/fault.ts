import type { Call, Handler, Wrap } from '../http/call.ts';
import type { Tokens } from '../http/identity.ts';
import { withReaders } from './operations.ts';
import type { WrapText } from '../http/server.ts';

/** `published`: breaks only what is known beyond the document, so that it is a warning. */
export type FaultArea = 'contract' | 'properties' | 'state' | 'overlap' | 'published';

/** What a fault does while the service runs. */
export interface Defect {
  /** Around everything: sees the request as sent, and every answer. */
  readonly outer?: Wrap;
  /** Around the handler: behind token, parameters and body. */
  readonly inner?: Wrap;
  /** Changes the written body. */
  readonly text?: WrapText;
}

/** A named defect, off by default. */
export interface Fault {
  readonly title: string;
  /** The promise that it breaks, in one sentence. */
  readonly breaks: string;
  readonly area: FaultArea;
  /** Operations that show it, as `METHOD /path` after the form; empty: all of them. */
  readonly operations: readonly string[];
  /** A fresh defect; each running service has its own. */
  readonly create: (tokens: Tokens) => Defect;
}

/**
 * Describes a fault. The defect works in the operations that show it, unless `touches` names others (empty: all, also
 * where no operation matched).
 */
type Describe = (
  title: string,
  breaks: string,
  operations: readonly string[],
  create: (tokens: Tokens) => Defect,
  touches?: readonly string[],
) => Fault;

function describing(area: FaultArea, shownBy = (operations: readonly string[]) => operations): Describe {
  return (title, breaks, operations, create, touches = operations) => ({
    title,
    breaks,
    area,
    operations: shownBy(operations),
    create: (tokens) => (touches.length === 0 ? create(tokens) : only(new Set(touches), create(tokens))),
  });
}

export const contract = describing('contract');
export const properties = describing('properties', withReaders);
export const state = describing('state', withReaders);
export const overlap = describing('overlap', withReaders);
export const published = describing('published');

function only(operations: ReadonlySet<string>, { outer, inner, text }: Defect): Defect {
  const touches = (call: Call) => call.operation !== undefined && operations.has(call.operation.id);
  const limited =
    (wrap: Wrap): Wrap =>
    (call: Call, next: Handler) =>
      touches(call) ? wrap(call, next) : next(call);
  return {
    ...(outer === undefined ? {} : { outer: limited(outer) }),
    ...(inner === undefined ? {} : { inner: limited(inner) }),
    ...(text === undefined
      ? {}
      : { text: (written, call, answer) => (touches(call) ? text(written, call, answer) : written) }),
  };
}
