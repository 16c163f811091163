import type { Exchange } from '../../spec/index.ts';
import { textOf } from './ids.ts';

const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** A filter that prints an id (lower case) from the response that shows it: from standard input, or from a file. */
export function pickId({ response }: Exchange, id: string, file?: string): string {
  const ids = [...textOf(response?.body).toLowerCase().matchAll(new RegExp(UUID, 'g'))].map(([each]) => each);
  const from = file === undefined ? '' : ` ${file}`;
  return `grep -Eio '${UUID}'${from} | sed -n ${Math.max(0, ids.indexOf(id)) + 1}p`;
}
