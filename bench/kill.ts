import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { seededRandom } from '../load/engines/schedule.ts';
import { asList, asObject } from '../prove/proxy/json.ts';
import { runAssay, serve, startAssay } from '../tests/command/run-assay.ts';
import type { Served } from '../tests/command/run-assay.ts';

/**
 * Ends `verify` at random moments and compares the contents of the service before and after: every list, every item, and the
 * processing order. With `--signal SIGINT` (SIGTERM, SIGHUP) the command cleans up; after SIGKILL, `assay clean` does.
 */
const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '20' },
    within: { type: 'string', default: '15000' },
    signal: { type: 'string', default: 'SIGKILL' },
    args: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
  },
});

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

const state = mkdtempSync(join(tmpdir(), 'assay-kill-'));

async function ask({ baseUrl, tokens }: Served, method: string, path: string, body?: unknown): Promise<unknown> {
  const headers = {
    authorization: `Bearer ${tokens.full}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const response = await fetch(`${baseUrl}/api/v1${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}

/** Creates ordered policies, some of them active, an agent and a job. */
async function furnish(served: Served): Promise<void> {
  const ids: string[] = [];
  for (const name of ['payroll', 'archive', 'public', 'partners', 'legal', 'auditors', 'guests'])
    ids.push(asText(await ask(served, 'POST', '/accesscontrolpolicies', { name })));
  for (const id of ids.filter((_, at) => at % 3 === 0))
    await ask(served, 'POST', `/accesscontrolpolicies/${id}/activate`);
  const order = ids.toSorted((a, b) => a.slice(-4).localeCompare(b.slice(-4)));
  await ask(
    served,
    'POST',
    '/accesscontrolpolicies/setprocessingorder',
    order.map((id, place) => ({ id, order: place })),
  );
  await ask(served, 'POST', '/aiagent', { name: 'librarian' });
  const aiAgentId = asText(asObject(asList(await ask(served, 'GET', '/aiagent'))[0])['id']);
  await ask(served, 'POST', '/aijob', { name: 'nightly', aiAgentId });
}

/** The contents of the service, as it shows them. */
async function holdings(served: Served): Promise<string> {
  const lists = await Promise.all(
    ['/accesscontrolpolicies?take=1000', '/accesscontrolpolicies/byprocessingorder', '/aiagent', '/aijob'].map((path) =>
      ask(served, 'GET', path),
    ),
  );
  const jobs = await Promise.all(
    asList(lists[3]).map((job) => ask(served, 'GET', `/aijob/${asText(asObject(job)['id'])}/runs?pageSize=100`)),
  );
  return JSON.stringify([...lists, ...jobs], null, 1);
}

/** Lines of `after` that are not in `before`. */
function differences(before: string, after: string): string {
  const known = new Set(before.split('\n'));
  return after
    .split('\n')
    .filter((line) => !known.has(line))
    .slice(0, 5)
    .map((line) => line.trim())
    .join(' ');
}

const random = seededRandom(Number(values.seed));

/** Resolves to true when a run has changed something, to false when it has ended. */
async function begins(served: Served, ended: Promise<unknown>): Promise<boolean> {
  const over = ended.then(() => true);
  for (;;) {
    if (await Promise.race([over, sleep(100).then(() => false)])) return false;
    if ((await holdings(served)) !== before) return true;
  }
}

/** Runs `verify` until some time after its first change, then sends the signal. */
async function interrupted(
  served: Served,
  moment: number,
): Promise<{ readonly underWay: boolean; readonly code: number | null }> {
  const words = [
    '--base-url',
    served.baseUrl,
    '--allow',
    'all',
    ...values.args.split(' ').filter((each) => each !== ''),
  ];
  const run = startAssay(['verify', ...words], surroundings);
  const underWay =
    (await begins(served, run.ended)) &&
    (await Promise.race([sleep(moment).then(() => true), run.ended.then(() => false)]));
  run.child.kill(values.signal as NodeJS.Signals);
  return { underWay, code: (await run.ended).code };
}

const served = await serve();
const surroundings = { cwd: state, env: { ...served.env, XDG_STATE_HOME: state } };
await furnish(served);
const before = await holdings(served);
let same = 0;
for (let time = 1; time <= Number(values.times); time += 1) {
  const moment = Math.round(random() * Number(values.within));
  const { underWay, code } = await interrupted(served, moment);
  const left = await holdings(served);
  const cleaned =
    values.signal === 'SIGKILL'
      ? (await runAssay(['clean', '--base-url', served.baseUrl], surroundings)).stdout.split('\n')[0]
      : `exit ${code}`;
  const after = await holdings(served);
  if (after === before) same += 1;
  const verdict =
    after === before ? 'as before' : `NOT as before: ${differences(before, after)}${differences(after, before)}`;
  process.stdout.write(
    `${String(time).padStart(2)} ${values.signal} after ${String(moment).padStart(5)} ms${underWay ? '' : ' (had ended)'}: left ${left === before ? 'nothing' : `${left.length - before.length} bytes more`} · ${cleaned} · ${verdict}\n`,
  );
}
await served.stop();
rmSync(state, { recursive: true, force: true });
process.stdout.write(`${same} of ${values.times} as before\n`);
process.exitCode = same === Number(values.times) ? 0 : 1;
