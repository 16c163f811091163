import { setTimeout as delay } from 'node:timers/promises';
import { isOfGateway } from '../../spec/index.ts';
import type { Exchange } from '../../spec/index.ts';
import { isUuid } from '../../spec/uuid.ts';
import type { Target } from '../pipeline.ts';
import { isSafe, methodOf } from '../request-spec.ts';
import type { RequestSpec } from '../request-spec.ts';

/** How long a clean-up waits in total for a target that is out of service. */
const LONGEST_MS = 10_000;
const PAUSE_MS = 300;
/** Where other requests are still served so long after a refusal, the target is not out of service. */
const SERVED_BESIDE_MS = 1_000;

/** True where a gateway answers in place of the service, or nothing answers. */
const isOut = ({ response, failure }: Exchange): boolean =>
  response === undefined ? failure?.kind === 'refused' || failure?.kind === 'reset' : isOfGateway(response.status);

/** True where a request was not carried out, or may be carried out twice: the number of a removed item may be given again, a uuid is not. */
function mayRepeat({ path = {}, ...spec }: RequestSpec, { response, failure }: Exchange): boolean {
  const method = methodOf(spec);
  if (method !== 'DELETE') return isSafe(method);
  return response?.status === 503 || failure?.kind === 'refused' || Object.values(path).every(isUuid);
}

/** A target for the clean-up, which waits for the end of short outages, up to a total time. Only reads and removals of own items are sent again. */
export function throughOutage(target: Target, longestMs = LONGEST_MS): Target {
  let endsAt: number | undefined;
  let servedAt = 0;
  return {
    ...target,
    async send(spec) {
      let refusedAt: number | undefined;
      for (;;) {
        const exchange = await target.send(spec);
        const now = performance.now();
        if (!isOut(exchange)) {
          servedAt = now;
          return exchange;
        }
        refusedAt ??= now;
        endsAt ??= now + longestMs;
        if (!mayRepeat(spec, exchange) || now >= endsAt || servedAt - refusedAt > SERVED_BESIDE_MS) return exchange;
        await delay(PAUSE_MS);
      }
    },
  };
}
