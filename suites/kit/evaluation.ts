import { AsyncLocalStorage } from 'node:async_hooks';
import type { Exchange, Operation } from '../../spec/index.ts';
import type { RequestSpec } from './context.ts';

/** One evaluation of a condition: collects the exchanges that it sends, which may go through the other form. */
export interface Evaluation {
  readonly exchanges: Exchange[];
  /** True: requests go through another form than they name. */
  readonly otherForm: boolean;
}

const evaluations = new AsyncLocalStorage<Evaluation>();

/** Sends a request as the current evaluation demands; outside of an evaluation, as it is. */
export async function sendWithin(
  operation: Operation,
  request: RequestSpec,
  send: (request: RequestSpec) => Promise<Exchange>,
): Promise<Exchange> {
  const evaluation = evaluations.getStore();
  if (evaluation === undefined) return send(request);
  const exchange = await send(evaluation.otherForm ? throughOtherForm(operation, request) : request);
  evaluation.exchanges.push(exchange);
  return exchange;
}

function throughOtherForm({ forms }: Operation, request: RequestSpec): RequestSpec {
  const name = request.form?.name ?? forms[0]?.name;
  const other = forms.find((each) => each.name !== name);
  return other === undefined ? request : { ...request, form: other };
}

/** Calls `evaluate`; everything that it sends belongs to the evaluation. */
export function evaluateWithin<T>(evaluation: Evaluation, evaluate: () => Promise<T>): Promise<T> {
  return evaluations.run(evaluation, evaluate);
}
