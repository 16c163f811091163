/** What the service says, before it is written in the media type that the client asked for. */
export interface Answer {
  status: number;
  /** A JSON value; undefined sends no body at all. */
  body?: unknown;
  /** Sent instead of the negotiated media type. */
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
