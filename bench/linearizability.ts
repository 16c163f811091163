import { ITEM_SPECIFICATION } from '../suites/oracle/index.ts';
import type { Observed, Known, Request } from '../suites/oracle/index.ts';
import { seededRandom } from '../load/engines/schedule.ts';
import { linearize } from '../suites/state/overlap/linearizability.ts';
import type { TimedCall } from '../suites/state/overlap/linearizability.ts';

/** Time to check histories of 10,000 overlapping calls on 100 policies; at most 1 s is expected. Usage: tsx bench/linearizability.ts */
const POLICIES = 100;
const CALLS = 100;
const CLIENTS = 8;
const FIRST: Known = { exists: true, content: 'c0', active: false };

const random = seededRandom(1);

/** A linearizable history: each client has one call at a time, which takes effect at a time between invocation and return. */
function history(): TimedCall<Request, Observed>[] {
  const planned = Array.from({ length: CLIENTS }, (_, client) => {
    let now = random() * 5;
    return Array.from({ length: Math.ceil(CALLS / CLIENTS) }, (_call, at) => {
      const invoked = now + random();
      const returned = invoked + 1 + random() * 10;
      now = returned;
      return {
        effect: invoked + random() * (returned - invoked),
        invoked,
        returned,
        request: requestOf(client * CALLS + at),
      };
    });
  })
    .flat()
    .slice(0, CALLS)
    .sort((a, b) => a.effect - b.effect);
  let known = FIRST;
  return planned.map(({ request, invoked, returned }) => {
    const response: Observed =
      request.kind === 'read'
        ? { status: 200, content: known.content }
        : request.kind === 'list-active'
          ? { status: 200, listed: known.active === true }
          : { status: 200 };
    known = ITEM_SPECIFICATION.step(known, request, response)[0] ?? known;
    return { request, invoked, returned, response };
  });
}

function requestOf(at: number): Request {
  const dice = random();
  if (dice < 0.3) return { kind: 'update', content: `c${at}` };
  if (dice < 0.6) return { kind: 'read' };
  if (dice < 0.8) return { kind: 'list-active', filterActive: true };
  return { kind: dice < 0.9 ? 'activate' : 'deactivate' };
}

/** A history whose last write is lost. */
function withLostWrite(calls: readonly TimedCall<Request, Observed>[]): TimedCall<Request, Observed>[] {
  const end = Math.max(...calls.map((each) => each.returned)) + 1;
  return [
    ...calls,
    { request: { kind: 'update', content: 'lost' }, invoked: end, returned: end + 1, response: { status: 200 } },
    { request: { kind: 'read' }, invoked: end + 2, returned: end + 3, response: { status: 200, content: 'c0' } },
  ];
}

function measure(name: string, histories: readonly (readonly TimedCall<Request, Observed>[])[]): void {
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  const explained = histories.filter(
    (calls) => linearize(calls, { ...ITEM_SPECIFICATION, initial: [FIRST] }) !== undefined,
  ).length;
  const calls = histories.reduce((sum, each) => sum + each.length, 0);
  process.stdout.write(
    `${name}: ${calls} calls on ${histories.length} policies in ${Math.round(performance.now() - began)} ms (${Math.round(process.cpuUsage(cpu).user / 1000)} ms of one core), ${explained} of ${histories.length} linearizable\n`,
  );
}

const histories = Array.from({ length: POLICIES }, history);
measure('linearizable', histories);
measure('each with a lost update', histories.map(withLostWrite));
