import type { Exchange, Form, Json, Operation } from '../../spec/index.ts';
import { isObject, isSuccess } from '../../spec/index.ts';
import { violationOf } from '../kit/violation.ts';
import { differences } from '../kit/compare.ts';
import { idOf, idsOf, itemsOf, sameId } from '../../domain/items.ts';
import { defineTest } from '../kit/define-test.ts';
import type { TestDefinition } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import type { Violation, TestContext } from '../kit/context.ts';
import { settled } from '../../domain/context.ts';
import { sampleBody } from '../../domain/builtin/bodies/sample-body.ts';
import { freshJob, sharedAgent } from '../../domain/builtin/make.ts';
import { OPERATIONS, operationOf } from '../../domain/builtin/operations.ts';
import { ranJob, resultType } from '../../domain/builtin/runs.ts';

const session = await openSession();

for (const form of session.contract.operation(OPERATIONS.readJob)?.forms ?? []) {
  const declare = (
    name: keyof typeof OPERATIONS,
    rest: Pick<TestDefinition, 'title' | 'checks' | 'requirements' | 'effects'>,
    body: (t: TestContext, operation: Operation) => Promise<void>,
  ): void => {
    const operation = session.contract.operation(OPERATIONS[name]);
    if (operation === undefined) return;
    defineTest(session, { suite: 'state/jobs', operation, form, ...rest }, (t) => body(t, operation));
  };

  declare(
    'queue',
    {
      title: 'a queued run appears, ends and stays ended',
      checks: ['job-runs'],
      requirements: ['runs.execute-appears', 'runs.list'],
      effects: ['reversible', 'costly', 'read'],
    },
    async (t, operation) => {
      const job = await freshJob(t, 'queued');
      const before = await runsOf(t, job.id, form);
      const queued = await t.send(operation, { form, path: { id: job.id }, expect: 'success', label: 'queue a run' });
      if (!isSuccess(queued.response?.status ?? 0)) return;
      let seen = before;
      const appeared = await settled(t, async () => {
        seen = await runsOf(t, job.id, form);
        return seen.ids.length > before.ids.length;
      });
      if (!appeared) {
        t.report(
          violationOf(operation, 'job-runs', 'runs.execute-appears', 'the queued run does not appear', {
            expected: 'one run more',
            received: `${seen.ids.length} runs, as before`,
            exchanges: [queued, seen.exchange],
          }),
        );
        return;
      }
      if (seen.ids.length > before.ids.length + 1)
        t.report(
          violationOf(operation, 'job-runs', 'runs.execute', 'one request queues several runs', {
            expected: 'one run more',
            received: `${seen.ids.length - before.ids.length} more`,
            exchanges: [queued, seen.exchange],
          }),
        );
    },
  );

  for (const name of ['dryRun', 'preview'] as const) {
    const requirement = name === 'dryRun' ? 'runs.dry-run-changes-nothing' : 'jobs.preview-changes-nothing';
    declare(
      name,
      {
        title: 'changes nothing that is stored',
        checks: ['dry-run'],
        requirements: [requirement],
        effects: ['reversible', 'costly', 'read'],
      },
      async (t, operation) => {
        const job = await freshJob(t, 'rehearsed', { description: 'as created' });
        const before = await t.send(operationOf(t.session, 'readJob'), {
          form,
          path: { id: job.id },
          label: 'read the job before',
        });
        const body = sampleBody(operation.id, `${job.name}-rehearsal`, { aiAgentId: (await sharedAgent(t)).id });
        const rehearsed = await t.send(operation, {
          form,
          path: { id: job.id },
          json: isObject(body) ? { ...body, description: 'rehearsed' } : {},
          expect: 'success',
          label: name === 'dryRun' ? 'dry-run' : 'preview',
        });
        await t.holds(async () => {
          const after = await t.send(operationOf(t.session, 'readJob'), {
            form,
            path: { id: job.id },
            label: 'read the job afterwards',
          });
          const changed = storedDifferences(before.response?.json, after.response?.json);
          if (changed.length === 0) return undefined;
          return violationOf(operation, 'dry-run', requirement, `${changed[0] ?? ''} of the stored job changed`, {
            expected: 'the job as it was',
            received: `another ${changed.join(', ')}`,
            exchanges: [before, rehearsed, after],
          });
        });
      },
    );
  }

  declare(
    'chat',
    {
      title: 'runs, chats and results are readable under their own job only',
      checks: ['job-ownership'],
      requirements: ['errors.not-found', 'chats.read', 'results.read', 'results.of-run'],
      effects: ['reversible', 'costly', 'read'],
    },
    async (t) => {
      const ran = await ranJob(t);
      const stranger = await freshJob(t, 'stranger');
      await ownership(t, form, ran, stranger.id);
      await apart(t, form, ran);
    },
  );

  declare(
    'chats',
    {
      title: 'includeOnlyChatsWithNoResults leaves out the others, and is false by default',
      checks: ['filters'],
      requirements: ['chats.only-no-results', 'chats.only-no-results-default'],
      effects: ['read'],
    },
    async (t, operation) => {
      const { jobId, runIds } = await ranJob(t);
      const path = { jobId, runId: runIds[0] ?? '' };
      await t.holds(() => onlyWithoutResults(t, operation, form, path));
    },
  );

  declare(
    'runs',
    {
      title: 'runType selects runs of that type',
      checks: ['filters'],
      requirements: ['runs.run-type'],
      effects: ['read'],
    },
    async (t, operation) => {
      const { jobId } = await ranJob(t);
      await t.holds(() => runTypes(t, operation, form, jobId));
    },
  );

  declare(
    'results',
    {
      title: 'state, searchName and type select what they say',
      checks: ['filters'],
      requirements: ['results.filter-state', 'results.search-name', 'results.type', 'results.state-exists'],
      effects: ['read'],
    },
    async (t, operation) => {
      const { jobId } = await ranJob(t);
      const type = await resultType(t);
      await t.holds(() => resultFilters(t, operation, form, { id: jobId, type }));
    },
  );
}

interface Runs {
  readonly ids: readonly string[];
  readonly exchange: Exchange;
}

async function runsOf(t: TestContext, jobId: string, form: Form): Promise<Runs> {
  const exchange = await t.send(operationOf(t.session, 'runs'), {
    form,
    path: { id: jobId },
    query: { pageNumber: 1, pageSize: 50 },
    label: 'list the runs',
  });
  return { ids: idsOf(exchange.response?.json) ?? [], exchange };
}

/** Members that a run may move by itself. */
const MOVED_BY_RUNS = /progress|cost|summary|modified|pending/i;

function storedDifferences(before: Json | undefined, after: Json | undefined): readonly string[] {
  return differences(before, after).filter((pointer) => !MOVED_BY_RUNS.test(pointer));
}

async function ownership(
  t: TestContext,
  form: Form,
  ran: { readonly jobId: string; readonly runIds: readonly string[] },
  stranger: string,
): Promise<void> {
  const runId = ran.runIds[0] ?? '';
  const chats = await t.send(operationOf(t.session, 'chats'), {
    form,
    path: { jobId: ran.jobId, runId },
    label: 'under its own job',
  });
  const results = await t.send(operationOf(t.session, 'runResults'), {
    form,
    path: { id: ran.jobId, runId },
    label: 'under its own job',
  });
  const chatId = idOf(itemsOf(chats.response?.json)?.[0]);
  const first = itemsOf(results.response?.json)?.[0];
  const resultId = idOf(first);
  const type = isObject(first) && typeof first['type'] === 'string' ? first['type'] : undefined;
  const foreign: (readonly [keyof typeof OPERATIONS, Record<string, string>])[] = [
    ['chats', { jobId: stranger, runId }],
    ['runResults', { id: stranger, runId }],
    ...(chatId === undefined ? [] : [['chat', { jobId: stranger, runId, chatId }] as const]),
    ...(chatId === undefined || ran.runIds[1] === undefined
      ? []
      : [['chat', { jobId: ran.jobId, runId: ran.runIds[1], chatId }] as const]),
    ...(resultId === undefined || type === undefined ? [] : [['result', { id: stranger, type, resultId }] as const]),
  ];
  for (const [name, path] of foreign) {
    const operation = operationOf(t.session, name);
    const seen = await t.send(operation, { form, path, label: 'under another job' });
    const status = seen.response?.status ?? 0;
    const empty = itemsOf(seen.response?.json)?.length === 0;
    if (!isSuccess(status) || (empty && name !== 'chats' && name !== 'runResults')) continue;
    if (empty) continue;
    t.report(
      violationOf(operation, 'job-ownership', 'errors.not-found', 'readable under another job', {
        expected: 'status 404: that job has no such thing',
        received: `status ${status}`,
        exchanges: [name === 'chats' || name === 'chat' ? chats : results, seen],
      }),
    );
  }
}

/** Chats and results of one run are not those of another one. */
async function apart(
  t: TestContext,
  form: Form,
  { jobId, runIds }: { readonly jobId: string; readonly runIds: readonly string[] },
): Promise<void> {
  const [one, other] = [runIds[0], runIds.at(-1)];
  if (one === undefined || other === undefined || one === other) return;
  for (const name of ['chats', 'runResults'] as const) {
    const operation = operationOf(t.session, name);
    const ask = (runId: string): Promise<Exchange> =>
      t.send(operation, {
        form,
        path: name === 'chats' ? { jobId, runId } : { id: jobId, runId },
        label: 'of one run',
      });
    const [first, second] = [await ask(one), await ask(other)];
    const astray = itemsOf(first.response?.json)
      ?.map((item) => member(item, 'runId'))
      .find((runId) => typeof runId === 'string' && !sameId(runId, one) && runIds.some((id) => sameId(id, runId)));
    if (astray !== undefined)
      t.report(
        violationOf(
          operation,
          'job-ownership',
          name === 'chats' ? 'chats.list' : 'results.of-run',
          "a run shows what is another one's",
          { expected: `of run ${one}`, received: `of run ${JSON.stringify(astray)}`, exchanges: [first] },
        ),
      );
    const shared = idsOf(first.response?.json)?.find((id) => idsOf(second.response?.json)?.includes(id));
    if (shared !== undefined)
      t.report(
        violationOf(
          operation,
          'job-ownership',
          name === 'chats' ? 'chats.list' : 'results.of-run',
          'two runs show the same',
          { expected: 'of each run its own', received: `${shared} in both`, exchanges: [first, second] },
        ),
      );
  }
}

async function onlyWithoutResults(
  t: TestContext,
  operation: Operation,
  form: Form,
  path: Record<string, string>,
): Promise<Violation | undefined> {
  const ask = async (value: boolean | undefined): Promise<Runs> => {
    const exchange = await t.send(operation, {
      form,
      path,
      query: { pageNumber: 1, pageSize: 100, includeOnlyChatsWithNoResults: value },
      label: `includeOnlyChatsWithNoResults=${String(value)}`,
    });
    return { ids: idsOf(exchange.response?.json) ?? [], exchange };
  };
  const [plain, no, yes] = [await ask(undefined), await ask(false), await ask(true)];
  const tell = (requirement: string, cause: string, seen: Runs, other: Runs): Violation =>
    violationOf(operation, 'filters', requirement, cause, {
      expected: `${other.ids.length} chats`,
      received: `${seen.ids.length} chats`,
      exchanges: [other.exchange, seen.exchange],
    });
  if (plain.ids.length !== no.ids.length)
    return tell('chats.only-no-results-default', 'includeOnlyChatsWithNoResults is not false by default', plain, no);
  if (yes.ids.some((id) => !no.ids.includes(id)))
    return tell('chats.only-no-results', 'includeOnlyChatsWithNoResults shows chats that are not in the list', yes, no);
  const withResults = new Set((await trialResults(t, form, path)).map((each) => each.toLowerCase()));
  const wrong = yes.ids.find((id) => withResults.has(id));
  if (wrong !== undefined)
    return tell('chats.only-no-results', 'includeOnlyChatsWithNoResults shows a chat that has results', yes, no);
  const left = no.ids.find((id) => !withResults.has(id) && !yes.ids.includes(id));
  return left === undefined || withResults.size === 0
    ? undefined
    : tell('chats.only-no-results', 'includeOnlyChatsWithNoResults leaves out a chat without results', yes, no);
}

/** Ids of the chats that the results of a run name. */
async function trialResults(t: TestContext, form: Form, path: Record<string, string>): Promise<readonly string[]> {
  const results = await t.send(operationOf(t.session, 'runResults'), {
    form,
    path: { id: path['jobId'] ?? '', runId: path['runId'] ?? '' },
    query: { pageNumber: 1, pageSize: 200 },
  });
  return (itemsOf(results.response?.json) ?? []).flatMap((item) =>
    isObject(item) && typeof item['chatId'] === 'string' ? [item['chatId']] : [],
  );
}

/** Where every run shows a type, runs that are selected by a type show one and the same, and no other type selects them too. */
async function runTypes(
  t: TestContext,
  operation: Operation,
  form: Form,
  jobId: string,
): Promise<Violation | undefined> {
  const ask = async (runType?: number): Promise<Runs> => {
    const exchange = await t.send(operation, {
      form,
      path: { id: jobId },
      query: { pageNumber: 1, pageSize: 100, ...(runType === undefined ? {} : { runType }) },
      label: `runType=${runType ?? 'not sent'}`,
    });
    return { ids: idsOf(exchange.response?.json) ?? [], exchange };
  };
  const [all, ...typed] = [await ask(), await ask(0), await ask(1), await ask(2)];
  const served = typed.filter((each) => each.exchange.response?.status === 200);
  if (all.ids.length === 0 || served.length < 3) return undefined;
  const selecting = served.filter((each) => each.ids.length < all.ids.length);
  if (selecting.length > 0) return undefined;
  return violationOf(operation, 'filters', 'runs.run-type', 'runType selects nothing', {
    expected: 'another selection for at least one of the types',
    received: `${all.ids.length} runs whatever runType says`,
    exchanges: [all.exchange, ...typed.map((each) => each.exchange)],
  });
}

async function resultFilters(
  t: TestContext,
  operation: Operation,
  form: Form,
  path: { id: string; type: string },
): Promise<Violation | undefined> {
  const ask = async (query: Record<string, Json>): Promise<{ items: readonly Json[]; exchange: Exchange }> => {
    const exchange = await t.send(operation, {
      form,
      path,
      query: { pageNumber: 1, pageSize: 500, ...query },
      label: JSON.stringify(query),
    });
    return { items: itemsOf(exchange.response?.json) ?? [], exchange };
  };
  const all = await ask({});
  const states = [
    ...new Set(
      all.items.map((item) => member(item, 'state')).filter((each): each is string => typeof each === 'string'),
    ),
  ];
  for (const state of [...states, 'assay-no-such-state']) {
    const seen = await ask({ state });
    if (seen.exchange.response?.status !== 200) continue;
    const strangers = seen.items.length === 0 ? await ask({ state, pageNumber: 2, pageSize: 1 }) : undefined;
    if (strangers?.exchange.response?.status === 200 && strangers.items.length > 0)
      return violationOf(operation, 'filters', 'results.filter-state', 'state is forgotten on the second page', {
        expected: `no results in state ${state}, as on the first page`,
        received: `${strangers.items.length} results`,
        exchanges: [seen.exchange, strangers.exchange],
      });
    const wanted = all.items.filter((item) => member(item, 'state') === state).length;
    const strange = seen.items.find((item) => member(item, 'state') !== state);
    if (strange !== undefined)
      return violationOf(operation, 'filters', 'results.filter-state', 'state shows results in other states', {
        expected: `results in state ${state}`,
        received: JSON.stringify(member(strange, 'state')),
        exchanges: [all.exchange, seen.exchange],
      });
    if (seen.items.length < wanted)
      return violationOf(operation, 'filters', 'results.filter-state', 'state leaves out results in that state', {
        expected: `${wanted} results`,
        received: `${seen.items.length}`,
        exchanges: [all.exchange, seen.exchange],
      });
  }
  const otherType = all.items.find(
    (item) => typeof member(item, 'type') === 'string' && member(item, 'type') !== path.type,
  );
  if (otherType !== undefined)
    return violationOf(operation, 'filters', 'results.type', 'results of another type', {
      expected: `results of type ${path.type}`,
      received: JSON.stringify(member(otherType, 'type')),
      exchanges: [all.exchange],
    });
  const name = member(all.items[0], 'name');
  if (typeof name !== 'string') return undefined;
  const nobody = await ask({ searchName: `${t.session.tag}-nobody` });
  if (nobody.exchange.response?.status === 200 && nobody.items.length > 0)
    return violationOf(
      operation,
      'filters',
      'results.search-name',
      'searchName shows results for a name that nobody has',
      { expected: 'no results', received: `${nobody.items.length}`, exchanges: [nobody.exchange] },
    );
  const named = await ask({ searchName: name });
  const lost = all.items.find(
    (item) => member(item, 'name') === name && !named.items.some((each) => sameId(idOf(each), idOf(item))),
  );
  return lost === undefined
    ? undefined
    : violationOf(operation, 'filters', 'results.search-name', 'searchName leaves out a result of that name', {
        expected: `${name} in the list`,
        received: `${named.items.length} others`,
        exchanges: [all.exchange, named.exchange],
      });
}

function member(item: Json | undefined, key: string): Json | undefined {
  return isObject(item) ? item[key] : undefined;
}
