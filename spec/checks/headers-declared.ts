import type { Check } from './check.ts';
import type { ExchangeViolation } from '../violation.ts';
import { isSuccess, responseFor } from './media.ts';

/** Required response headers are present, and a documented body has a Content-Type. */
export const headersDeclared: Check = ({ operation, exchange }) => {
  const { response } = exchange;
  if (response === undefined) return [];
  const spec = responseFor(operation, response.status);
  const required = Object.entries(spec?.headers ?? {}).flatMap(([name, header]) => (header.required ? [name] : []));
  const typed = isSuccess(response.status) && response.body.length > 0 && (spec?.content.length ?? 0) > 0;
  const sent = new Set(response.headers.map(([name]) => name));
  return [...new Set([...required, ...(typed ? ['Content-Type'] : [])])]
    .filter((name) => !sent.has(name.toLowerCase()))
    .map((name): ExchangeViolation => ({
      code: 'headers-declared/missing',
      subject: name.toLowerCase(),
      message: `${operation.id} answers without the required header ${name}`,
      expected: `the header ${name}`,
      received: 'no such header',
    }));
};
