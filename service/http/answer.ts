/** A response before it is written in the negotiated media type. */
export interface Answer {
  status: number;
  /** A JSON value; undefined sends no body at all. */
  body?: unknown;
  /** Replaces the negotiated media type. */
  type?: string;
  headers?: Record<string, string>;
}

/** 200 with a JSON body. */
export function ok(body: unknown): Answer {
  return { status: 200, body };
}

/** 200 without a body. */
export function done(): Answer {
  return { status: 200 };
}
