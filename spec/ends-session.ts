import type { Operation } from './contract.ts';

/** The last part of the path of an operation that ends the session of its token. */
const ENDS_SESSION = /\/(?:log-?out|log-?off|sign-?out|sign-?off|revoke(?:-?token)?)\/?$/i;

/** True for an operation that probably ends the session of its token, with any method: links of web pages use GET. */
export function endsSession({ path }: Operation): boolean {
  return ENDS_SESSION.test(path);
}
