import type { Breach, Judge } from './check.ts';
import { responseFor } from './media.ts';

/** Headers that the description requires of a response are there. */
export const headersDeclared: Judge = ({ operation, exchange }) => {
  const { response } = exchange;
  if (response === undefined) return [];
  const declared = Object.entries(responseFor(operation, response.status)?.headers ?? {});
  const sent = new Set(response.headers.map(([name]) => name));
  return declared
    .filter(([name, header]) => header.required && name.toLowerCase() !== 'content-type' && !sent.has(name.toLowerCase()))
    .map(([name]): Breach => ({
      cause: `header ${name.toLowerCase()} missing`,
      message: `${operation.id} answers without the header ${name}`,
      expected: `the header ${name}, which the description requires`,
      received: 'no such header',
    }));
};
