import { parseArgs } from 'node:util';
import { startService } from '../../service/start.ts';
import { MUTANTS } from './catalogue/index.ts';
import { bodyOf, calls, examine } from './probes.ts';
import { examProbes } from './probes-exam.ts';
import { freshProbes, ordinaryProbes } from './probes-fresh.ts';
import { bodyProbes, clueProbes, listProbes, partProbes, patchProbes } from './probes-inputs.ts';
import { startMutant } from './proxy.ts';
import type { Proxy } from './proxy.ts';
import { prepare, sender } from './tour.ts';
import type { Fixtures, Probe, Sender } from './tour.ts';
import type { Mutant } from './types.ts';

const POLICY = '/api/accesscontrolpolicies';

/** What happens one after the other: switches, updates, deletions, runs, approvals, orders. */
function sequence(fixtures: Fixtures): readonly Probe[] {
  const [a = '', b = '', c = ''] = fixtures.policies;
  const order = [...fixtures.policies].map((id, index) => ({ id, name: 'x', order: index }));
  const lists = ['', '?filterActive=true', '?filterActive=false'].map((query): Probe => ({
    method: 'GET',
    target: POLICY + query,
  }));
  const read = (id: string): Probe[] =>
    [`${POLICY}/${id}`, `/api/v1/accesscontrolpolicies/${id}`].map((target) => ({ method: 'GET', target }));
  const act = (id: string, what: string): Probe => ({ method: 'POST', target: `${POLICY}/${id}/${what}` });
  const orders = [order, order.toReversed(), order].flatMap((body): Probe[] => [
    { method: 'POST', target: `${POLICY}/setprocessingorder`, body },
    { method: 'GET', target: `${POLICY}/byprocessingorder` },
  ]);
  const approve = {
    action: 1,
    results: [
      { resultId: fixtures.result, userOverride: [] },
      { resultId: fixtures.chat, userOverride: [] },
    ],
  };
  const parts = [
    `/aijob/${fixtures.otherJob}/runs`,
    `/aijob/${fixtures.otherJob}/runs/${fixtures.run}/chats/${fixtures.chat}`,
    `/aijob/${fixtures.otherJob}/runs/${fixtures.run}/chats`,
    `/aijob/${fixtures.otherJob}/results/${fixtures.type}`,
    `/aijob/${fixtures.otherJob}/results/${fixtures.type}/${fixtures.result}`,
  ];
  const states = ['Pending', 'Approved'].map((state): Probe => ({
    method: 'GET',
    target: `/api/aijob/${fixtures.job}/results/${fixtures.type}?state=${state}`,
  }));
  return [
    ...states,
    ...[fixtures.job, fixtures.otherJob].map((job): Probe => ({ method: 'GET', target: `/api/aijob/${job}` })),
    ...lists,
    ...read(a),
    act(a, 'deactivate'),
    ...lists,
    act(a, 'activate'),
    act(b, 'activate'),
    ...read(a),
    ...calls('PUT /accesscontrolpolicies/{id}', fixtures),
    ...read(a),
    ...read(b),
    ...orders,
    ...calls('GET /aijob/{id}/runs', fixtures),
    ...calls('GET /aijob/{id}/results/{type}', fixtures),
    ...calls('GET /aijob/{jobId}/runs/{runId}/chats', fixtures),
    ...parts.map((part): Probe => ({ method: 'GET', target: `/api${part}` })),
    { method: 'GET', target: `/api/aijob/${fixtures.job}/results/nosuchtype` },
    ...calls('GET /aijob', fixtures),
    ...calls('GET /aiagent/{id}', fixtures),
    ...calls('PUT /aiagent/{id}', fixtures),
    ...calls('GET /aiagent/{id}', fixtures),
    ...calls('POST /aijob/{id}/results/{type}/approvals', fixtures, { body: approve }),
    ...states,
    ...Array.from({ length: 6 }, () => calls('POST /accesscontrolpolicies', fixtures)).flat(),
    { method: 'DELETE', target: `${POLICY}/${c}` },
    ...read(c),
    ...lists,
    act(c, 'activate'),
    { method: 'GET', target: `${POLICY}/byprocessingorder` },
    { method: 'DELETE', target: `/api/aijob/${fixtures.otherJob}` },
    ...calls('GET /aijob', fixtures),
    { method: 'DELETE', target: `/api/v1/accesscontrolpolicies/${b}` },
    { method: 'DELETE', target: `/api/aijob/${fixtures.job}` },
    { method: 'DELETE', target: `/api/aiagent/${fixtures.agent}` },
  ];
}

/** Calls that overlap. */
async function overlap(send: Sender, fixtures: Fixtures): Promise<void> {
  const [a = '', b = ''] = fixtures.policies;
  const order = fixtures.policies.map((id, index) => ({ id, name: 'x', order: index }));
  const burst: Probe[] = [a, b, a, b].flatMap((id): Probe[] => [
    { method: 'PUT', target: `${POLICY}/${id}`, body: bodyOf('PUT /accesscontrolpolicies/{id}', fixtures) },
    { method: 'POST', target: `${POLICY}/${id}/activate` },
    { method: 'POST', target: `${POLICY}/${id}/deactivate` },
    { method: 'GET', target: `${POLICY}/${id}` },
    { method: 'POST', target: `${POLICY}/setprocessingorder`, body: id === a ? order : order.toReversed() },
    { method: 'GET', target: `${POLICY}/byprocessingorder` },
    { method: 'GET', target: POLICY },
  ]);
  const others = [
    'POST /accesscontrolpolicies',
    'PATCH /aijob/{id}',
    'PUT /aijob/{id}',
    'GET /aijob/{id}',
    'POST /aijob',
    'PUT /aiagent/{id}',
    'POST /aijob/{id}/execution-queue',
  ].flatMap((id) => calls(id, fixtures));
  const otherJob: Probe = { method: 'GET', target: `/api/aijob/${fixtures.otherJob}` };
  for (let round = 0; round < 2; round += 1)
    await Promise.all([...burst, ...burst.filter((probe) => probe.method === 'GET'), ...others, otherJob].map(send));
  await new Promise((resolve) => {
    setTimeout(resolve, 80);
  });
  await Promise.all(
    [a, b]
      .flatMap((id): Probe[] => [
        { method: 'DELETE', target: `${POLICY}/${id}` },
        { method: 'PUT', target: `${POLICY}/${id}`, body: { name: 'late' } },
      ])
      .map(send),
  );
}

async function touched(send: Sender, proxy: Proxy, probes: readonly Probe[]): Promise<boolean> {
  for (const probe of probes) {
    await send(probe);
    if (proxy.hits() > 0) return true;
  }
  return false;
}

/** True where the ordinary requests do not meet the mutant, and its own probes do. */
async function metByItsOwn(mutant: Mutant, send: Sender, proxy: Proxy, fixtures: Fixtures): Promise<boolean> {
  if (await touched(send, proxy, ordinaryProbes(mutant.operations, fixtures))) return false;
  return touched(
    send,
    proxy,
    (mutant.area === 'exam' ? examProbes : freshProbes)(fixtures)[mutant.name.slice(mutant.area.length + 1)] ?? [],
  );
}

/** True where a truthful examiner's requests meet the mutant: an answer, or what reaches the service, differs from the healthy way. */
async function check(mutant: Mutant): Promise<boolean> {
  const service = await startService({});
  const fixtures = await prepare(sender(service.baseUrl, service.tokens));
  const proxy = await startMutant({ upstream: service.baseUrl, mutant, tokens: service.tokens });
  const send = sender(proxy.baseUrl, service.tokens);
  const own = mutant.operations.filter((id) => !id.startsWith('DELETE'));
  const chapters: (() => readonly Probe[])[] = [
    () => own.flatMap((id) => examine(id, fixtures, { ...service.tokens })),
    () => listProbes(fixtures),
    () => partProbes(fixtures),
    () => patchProbes(fixtures),
    clueProbes,
    () => bodyProbes(fixtures),
    () => sequence(fixtures),
    () =>
      mutant.operations
        .filter((id) => id.startsWith('DELETE'))
        .flatMap((id) => examine(id, fixtures, { ...service.tokens })),
    () => [{ method: 'DELETE', target: '/api/aijobskills' }],
  ];
  const alone = ['fresh', 'exam'].includes(mutant.area);
  let met = alone && (await metByItsOwn(mutant, send, proxy, fixtures));
  if (mutant.area === 'overlap') {
    await overlap(send, fixtures);
    met = proxy.hits() > 0;
  }
  for (const chapter of alone ? [] : chapters) met ||= await touched(send, proxy, chapter());
  await proxy.close();
  await service.close();
  return met;
}

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const chosen = MUTANTS.filter((mutant) => mutant.name.includes(values.only));
const unmet: string[] = [];
for (const mutant of chosen) if (!(await check(mutant))) unmet.push(mutant.name);
process.stdout.write(
  `${chosen.length - unmet.length} of ${chosen.length} mutants change what an examiner sees or sends\n${unmet.map((name) => `  not met: ${name}\n`).join('')}`,
);
process.exitCode = unmet.length > 0 ? 1 : 0;
