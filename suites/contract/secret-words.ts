import type { Operation } from '../../spec/index.ts';

/** What authenticates a request to the operation, in words: a token, or credentials such as a key or a password. */
export function secretOf({ security = [] }: Pick<Operation, 'security'>, adjective?: 'valid' | 'invalid'): string {
  const schemes = security.flat();
  const isToken = schemes.length === 0 || schemes.some(({ kind }) => kind === 'bearer');
  const words = [...(adjective === undefined ? [] : [adjective]), isToken ? 'token' : 'credentials'];
  const article = adjective === 'invalid' ? 'an' : 'a';
  return [...(isToken ? [article] : []), ...words].join(' ');
}
