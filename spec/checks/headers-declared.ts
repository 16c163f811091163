import type { RuleViolation, Judge } from './check.ts';
import { isSuccess, responseFor } from './media.ts';

/** Headers that the description requires of a response are there, and a body says what it is where one is described. */
export const headersDeclared: Judge = ({ operation, exchange }) => {
  const { response } = exchange;
  if (response === undefined) return [];
  const spec = responseFor(operation, response.status);
  const required = Object.entries(spec?.headers ?? {}).flatMap(([name, header]) => (header.required ? [name] : []));
  const typed = isSuccess(response.status) && response.body.length > 0 && (spec?.content.length ?? 0) > 0;
  const sent = new Set(response.headers.map(([name]) => name));
  return [...new Set([...required, ...(typed ? ['Content-Type'] : [])])]
    .filter((name) => !sent.has(name.toLowerCase()))
    .map((name): RuleViolation => ({
      cause: `header ${name.toLowerCase()} missing`,
      message: `${operation.id} answers without the header ${name}`,
      expected: `the header ${name}`,
      received: 'no such header',
    }));
};
