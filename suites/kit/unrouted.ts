import { probeOf } from '../../client/index.ts';
import { responseFor } from '../../spec/checks/media.ts';
import type { Exchange, Operation } from '../../spec/index.ts';
import type { TestContext } from './context.ts';
import type { Session } from './session.ts';

const NOT_FOUND = 404;

/** What makes a path one that nothing serves: the first could be an id of the collection, the second something below an item. */
const UNKNOWN = ['-assay-unknown', '/assay-unknown'];

/**
 * Marks an undeclared 404 to a path without parameters that is the response to any path: nothing serves the operation. Another 404 may say
 * that what there is one of, such as the cart of the user, is not there yet.
 */
export async function withRouting(
  t: TestContext & { readonly session: Session },
  operation: Operation,
  exchange: Exchange,
): Promise<Exchange> {
  const path = operation.forms.find(({ name }) => name === exchange.form)?.path;
  const isOpen = exchange.response?.status === NOT_FOUND && responseFor(operation, NOT_FOUND) === undefined;
  if (!isOpen || path === undefined || path.includes('{') || operation.method !== 'GET') return exchange;
  for (const end of UNKNOWN) {
    const unknown = path.replace(/\/$/, '') + end;
    const { response } = await t.once(`response to ${unknown}`, () =>
      t.session.target.send({ ...probeOf(unknown), identity: 'full' }),
    );
    if (shapeOf(response, unknown) === shapeOf(exchange.response, path)) return { ...exchange, isUnrouted: true };
  }
  return exchange;
}

/** What two responses to unknown paths have in common: not the path, nor numbers and ids such as those of the request. */
function shapeOf(response: Exchange['response'], path: string): string {
  const text = new TextDecoder().decode(response?.body);
  const body = text.replaceAll(path, '').replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d+/gi, '');
  return `${response?.status} ${response?.mediaType} ${body}`;
}
