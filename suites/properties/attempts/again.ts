import { isSuccess } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { sampleRequest } from '../cases/plain.ts';
import type { Case } from '../hunt/case.ts';
import { exchangeFlaws } from '../hunt/flaw.ts';
import type { Flaw } from '../hunt/flaw.ts';
import type { Bench } from './bench.ts';
import { askOf, NAME } from './stage.ts';

/** One fresh plain request, sent twice word for word: what is wrong with the second answer, where the first was a success. */
export async function sendTwice(
  t: TestContext,
  { operation, arbitrary, stages }: Pick<Bench, 'operation' | 'arbitrary' | 'stages'>,
): Promise<{ value: Case; flaws: readonly Flaw[] } | undefined> {
  const value: Case = { request: sampleRequest(operation, arbitrary), form: 0, served: true };
  if (!JSON.stringify(value.request.body?.value ?? null).includes(NAME)) return undefined;
  return stages.use(async (stage) => {
    const ask = askOf(t, operation, value, stage);
    const once = await t.sendQuietly(operation, { ...ask, label: 'once' });
    if (!isSuccess(once.response?.status ?? 0)) return undefined;
    const again = await t.sendQuietly(operation, { ...ask, label: 'the same again' });
    return {
      value,
      flaws: exchangeFlaws(t.session, operation, again, 'success').map((each) => ({
        ...each,
        exchanges: [once, again],
      })),
    };
  });
}
