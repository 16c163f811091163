import type { Exchange, Json } from '../../spec/index.ts';
import { merge, shapeIn } from './shape.ts';
import type { JsonShape } from './shape.ts';

/** What a snapshot records of the responses to one kind of request. */
export interface RecordedResponse {
  readonly statuses: readonly number[];
  /** `none` for a response without a body or without a Content-Type. */
  readonly mediaTypes: readonly string[];
  readonly body: JsonShape;
}

/** What a snapshot records of an operation, by kind of request. */
export type RecordedOperation = Readonly<Record<string, RecordedResponse>>;

/** What is recorded of a response, with `body` as its body; undefined for none, a cut one, 429 and 5xx. */
export function recordOf({ response }: Exchange, body?: Json): RecordedResponse | undefined {
  if (response === undefined || response.truncated || response.status === 429 || response.status >= 500)
    return undefined;
  const isEmpty = response.body.length === 0;
  return {
    statuses: [response.status],
    mediaTypes: [isEmpty ? 'none' : (response.mediaType ?? 'none')],
    body: shapeIn(body ?? response.json ?? (isEmpty ? undefined : '')),
  };
}

export function mergeResponses(a: RecordedResponse | undefined, b: RecordedResponse): RecordedResponse {
  if (a === undefined) return b;
  return {
    statuses: [...new Set([...a.statuses, ...b.statuses])].sort((one, two) => one - two),
    mediaTypes: [...new Set([...a.mediaTypes, ...b.mediaTypes])].sort(),
    body: merge(a.body, b.body),
  };
}
