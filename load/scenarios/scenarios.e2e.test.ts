import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanUp, createTarget, openJournal, readJournals } from '../../client/index.ts';
import type { Journal, Target } from '../../client/index.ts';
import { startService } from '../../service/start.ts';
import type { RunningService } from '../../service/start.ts';
import { checkOf, EFFECTS, judgeExchange, loadContract } from '../../spec/index.ts';
import type { Contract, Exchange, Finding, Operation, RunRecord, ScenarioRecord } from '../../spec/index.ts';
import { Picker } from '../engines/traffic.ts';
import { prepareScenario } from '../prepare.ts';
import { runLoad } from '../run.ts';
import type { LoadOptions } from '../options.ts';
import { SCENARIOS } from './index.ts';
import type { ScenarioName } from './index.ts';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';

let service: RunningService;
let target: Target;
let journal: Journal;
let contract: Contract;

beforeAll(async () => {
  service = await startService();
  target = createTarget({ baseUrl: service.baseUrl, tokens: service.tokens });
  journal = openJournal({ dir: emptyDirectory(), runId: 'test', baseUrl: service.baseUrl });
  contract = await loadContract();
});

afterAll(async () => {
  await target.close();
  await journal.close();
  await service.close();
});

const operation = (id: string): Operation => contract.operation(id) ?? expect.fail(`no ${id}`);

function judge(exchange: Exchange): Finding[] {
  const { id } = operation(exchange.operation);
  return judgeExchange(contract, operation(id), exchange, 'success').map((violation) => ({
    ...violation,
    fingerprint: violation.code,
    check: checkOf(violation.code),
    requirement: '',
    grade: 'documented',
    operation: id,
    form: exchange.form,
    severity: 'violation',
    source: '',
    curl: '',
    steps: [],
  }));
}

async function run(scenario: string, options: Partial<LoadOptions> = {}): Promise<ScenarioRecord> {
  const records: RunRecord[] = [];
  for await (const record of runLoad({
    target: { baseUrl: service.baseUrl, token: service.tokens.full },
    contract,
    send: target.send,
    journal,
    allow: EFFECTS,
    judge,
    scenarios: [scenario],
    rate: 100,
    durationMs: 750,
    warmupMs: 0,
    items: 30,
    connections: 4,
    thresholds: ['errors==0', 'violations==0'],
    ...options,
  }))
    records.push(record);
  return records.at(-1) as ScenarioRecord;
}

describe.concurrent('on the embedded service', () => {
  it.each(Object.keys(SCENARIOS) as ScenarioName[])('%s finds no violation and leaves nothing behind', async (name) => {
    const record = await run(name);
    expect(record.findings).toEqual([]);
    expect(record).toMatchObject({ name, errors: {}, requests: 75 });
    expect(record.thresholds.filter(({ held }) => !held)).toEqual([]);
    expect(record.detail?.judged).toBeGreaterThan(0);
  });

  it('all acknowledged policies exist', async () => {
    const { detail } = await run('policy-writes');
    expect(detail?.audit).toMatchObject({ acknowledged: 75, present: 75, missing: 0, duplicated: 0 });
  });

  it('reads existing results without creating a job', async () => {
    expect(await run('results-paging', { allow: ['read'] })).toMatchObject({ errors: {}, requests: 75 });
  });
});

describe('policies of a killed run', () => {
  const names = async (): Promise<string[]> => {
    const { response } = await target.send({
      operation: operation('GET /accesscontrolpolicies'),
      query: { take: 100 },
    });
    return ((response?.json ?? []) as { name: string }[]).map(({ name }) => name);
  };

  it.each(['teardown', 'clean-up'])('the %s removes them, and nothing else', async (way) => {
    const before = await names();
    const where = { dir: emptyDirectory(), runId: way, baseUrl: service.baseUrl };
    const own = openJournal(where);
    const run = {
      target: { baseUrl: service.baseUrl, token: service.tokens.full },
      contract,
      journal: own,
      runId: '2f9c01ab',
    };
    const { prepared, traffic } = await prepareScenario(SCENARIOS['policy-writes'], {
      ...run,
      send: target.send,
      allow: EFFECTS,
    });
    const picker = new Picker(traffic, 0, 1);
    const create = async (change = (body: string) => body): Promise<void> => {
      const [, body = ''] = picker.next().bytes.toString().split('\r\n\r\n');
      const content = change(body);
      await target.send({
        operation: operation('POST /accesscontrolpolicies'),
        body: { type: 'application/json', content },
      });
    };
    await create();
    await create();
    await create((body) => body.replace(/assay-load-[\w-]*/, `of ${way} 9c01ab`));
    if (way === 'teardown') await prepared.teardown?.();
    else await cleanUp(target, contract, readJournals(where), { settleMs: 20 });
    expect((await names()).filter((name) => !before.includes(name))).toEqual([`of ${way} 9c01ab`]);
    expect(readJournals(where).flatMap(({ ledger }) => [...ledger.pending.values()])).toEqual([]);
    await own.close();
  });
});

it('nothing is left', async () => {
  expect(journal.pending()).toEqual([]);
  const list = operation('GET /accesscontrolpolicies');
  const { response } = await target.send({ operation: list, query: { searchName: 'assay', take: 100 } });
  expect(response?.json).toEqual([]);
});
