import type { Exchange, Operation } from '../../spec/index.ts';
import type { RequestSpec, TestContext } from './context.ts';

/** The context of a test, with another way to send its requests. Its findings are those so far. */
function sendingWith(t: TestContext, sendQuietly: TestContext['sendQuietly']): TestContext {
  const send = async (operation: Operation, request: RequestSpec = {}): Promise<Exchange> =>
    t.judge(operation, await sendQuietly(operation, request), request.expect);
  return { ...t, sendQuietly, send };
}

/** The context of a test; adds every exchange to `exchanges`. */
export function collecting(t: TestContext, exchanges: Exchange[]): TestContext {
  return sendingWith(t, async (operation, request) => {
    const exchange = await t.sendQuietly(operation, request);
    exchanges.push(exchange);
    return exchange;
  });
}

/** The context of a test; sends each request through another form than it names, where there is one. */
export function throughOtherForm(t: TestContext): TestContext {
  return sendingWith(t, (operation, request = {}) => t.sendQuietly(operation, inOtherForm(operation, request)));
}

function inOtherForm({ forms }: Operation, request: RequestSpec): RequestSpec {
  const name = request.form?.name ?? forms[0]?.name;
  const other = forms.find((each) => each.name !== name);
  return other === undefined ? request : { ...request, form: other };
}
