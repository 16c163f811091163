import type { Contract } from '../../spec/index.ts';

export const JSON_TYPE = 'application/json';

/** Requirements by response media type. */
export const TYPE_REQUIREMENTS: Readonly<Record<string, string>> = {
  'application/json': 'content.response-json',
  'text/json': 'content.response-text-json',
  'text/plain': 'content.response-text-plain',
};

/** Accepts types that a requirement offers for the same JSON; others, such as CSV, may show less of it or in another way. */
export const isDocumentedAsSame =
  ({ requirements }: Contract) =>
  (type: string): boolean =>
    type !== JSON_TYPE && requirements.some(({ id }) => id === TYPE_REQUIREMENTS[type]);
