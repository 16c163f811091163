import type { Exchange } from '../../spec/index.ts';
import type { TestContext } from './context.ts';

/** The first answer of the run to a request of the operation: the one given where no test has given another one before. */
export function firstAnswer(t: Pick<TestContext, 'once'>, exchange: Exchange): Promise<Exchange> {
  return t.once(`first answer of ${exchange.operation}`, () => Promise.resolve(exchange));
}
