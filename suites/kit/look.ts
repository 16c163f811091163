import { AsyncLocalStorage } from 'node:async_hooks';
import type { Exchange, Operation } from '../../spec/index.ts';
import type { RequestSpec } from './context.ts';

/** One evaluation: what it sends is kept as evidence, and may go through the other form. */
export interface Look {
  readonly exchanges: Exchange[];
  readonly otherForm: boolean;
}

const looks = new AsyncLocalStorage<Look>();

/** Sends within a look; outside of one as it is. */
export async function sendInLook(
  operation: Operation,
  request: RequestSpec,
  send: (request: RequestSpec) => Promise<Exchange>,
): Promise<Exchange> {
  const look = looks.getStore();
  if (look === undefined) return send(request);
  const exchange = await send(look.otherForm ? throughOtherForm(operation, request) : request);
  look.exchanges.push(exchange);
  return exchange;
}

function throughOtherForm({ forms }: Operation, request: RequestSpec): RequestSpec {
  const name = request.form?.name ?? forms[0]?.name;
  const other = forms.find((each) => each.name !== name);
  return other === undefined ? request : { ...request, form: other };
}

/** Runs an evaluation, and everything that it sends, as a look. */
export function lookThrough<T>(look: Look, evaluate: () => Promise<T>): Promise<T> {
  return looks.run(look, evaluate);
}
