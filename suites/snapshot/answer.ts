import type { Exchange, Json } from '../../spec/index.ts';
import { merge, shapeOf } from './shape.ts';
import type { Shape } from './shape.ts';

/** What one kind of request to an operation was answered with. */
export interface Answer {
  readonly statuses: readonly number[];
  /** `none` where there was no Content-Type. */
  readonly mediaTypes: readonly string[];
  readonly body: Shape;
}

/** Answers of an operation by what was asked, for example `without a token`. */
export type Answers = Readonly<Record<string, Answer>>;

/** What an exchange teaches; `body` where only a part of it is to be learned. Undefined: there was no answer, or one of no consequence. */
export function answerOf({ response }: Exchange, body?: Json): Answer | undefined {
  if (response === undefined || response.truncated || response.status === 429 || response.status >= 500)
    return undefined;
  const text = response.body.length === 0 ? undefined : '';
  return {
    statuses: [response.status],
    mediaTypes: [response.body.length === 0 ? 'none' : (response.mediaType ?? 'none')],
    body: shapeOf(body ?? response.json ?? text),
  };
}

export function mergeAnswers(a: Answer | undefined, b: Answer): Answer {
  if (a === undefined) return b;
  return {
    statuses: [...new Set([...a.statuses, ...b.statuses])].sort((one, two) => one - two),
    mediaTypes: [...new Set([...a.mediaTypes, ...b.mediaTypes])].sort(),
    body: merge(a.body, b.body),
  };
}
