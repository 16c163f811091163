import type { Wrap } from '../http/call.ts';
import type { WrapText } from '../http/server.ts';

export type FaultArea = 'contract' | 'properties' | 'state' | 'overlap';

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
  readonly create: () => Defect;
}
