import { setTimeout as sleep } from 'node:timers/promises';
import type { JournalEntry } from '../../client/index.ts';
import { AssayError, EXIT, isObject } from '../../spec/index.ts';
import type { Json } from '../../spec/index.ts';
import { formOf, makeOne, removeMade } from './making.ts';
import { itemsOf } from './items.ts';
import type { ScenarioContext } from './scenario.ts';
import { sampleBody } from '../../domain/builtin/bodies/sample-body.ts';

const RUNS = 10;
const PATIENCE_MS = 30_000;

/** A job whose results can be paged through. */
export interface RanJob {
  readonly jobId: string;
  /** Type of results, as the path takes it. */
  readonly type: string;
  readonly remove: () => Promise<void>;
}

async function items(
  context: ScenarioContext,
  id: string,
  path: Record<string, string>,
  query: Record<string, Json> = {},
): Promise<readonly Json[]> {
  const operation = context.operation(id);
  const { response } = await context.expectSuccess({ operation, form: formOf(operation), path, query });
  return itemsOf(response?.json);
}

function textsOf(list: readonly Json[], key: string): string[] {
  return list.flatMap((item) => {
    const value = isObject(item) ? item[key] : undefined;
    return typeof value === 'string' ? [value] : [];
  });
}

/** The type of the first result of a job's runs; undefined while there is none. */
async function resultType(context: ScenarioContext, jobId: string): Promise<string | undefined> {
  const page = { pageNumber: 1, pageSize: 20 };
  const runs = textsOf(await items(context, 'GET /aijob/{id}/runs', { id: jobId }, page), 'id');
  for (const runId of runs.slice(0, 5)) {
    const [type] = textsOf(
      await items(context, 'GET /aijob/{id}/runs/{runId}/results', { id: jobId, runId }, page),
      'type',
    );
    if (type !== undefined) return type;
  }
  return undefined;
}

async function findJob(context: ScenarioContext): Promise<RanJob> {
  for (const jobId of textsOf(await items(context, 'GET /aijob', {}), 'id').slice(0, 20)) {
    const type = await resultType(context, jobId);
    if (type !== undefined) return { jobId, type, remove: async () => {} };
  }
  throw new AssayError('The deployment has no AI job with results to page through.', {
    hint: 'Let Assay make one: --allow read,reversible,costly.',
    exitCode: EXIT.usage,
  });
}

async function makeJob(context: ScenarioContext, made: JournalEntry[]): Promise<RanJob> {
  const tag = `assay-load-${context.runId}`;
  const agentBody = sampleBody('POST /aiagent', tag) ?? {};
  const agent = await makeOne(context, {
    create: 'POST /aiagent',
    remove: 'DELETE /aiagent/{id}',
    list: 'GET /aiagent',
    name: tag,
    body: agentBody,
  });
  made.unshift(agent);
  const jobBody = sampleBody('POST /aijob', tag, agent.id === undefined ? {} : { aiAgentId: agent.id }) ?? {};
  const job = await makeOne(context, {
    create: 'POST /aijob',
    remove: 'DELETE /aijob/{id}',
    list: 'GET /aijob',
    name: tag,
    body: jobBody,
  });
  made.unshift(job);
  const jobId = job.id ?? '';
  const queue = context.operation('POST /aijob/{id}/execution-queue');
  for (let run = 0; run < RUNS; run += 1)
    await context.expectSuccess({ operation: queue, form: formOf(queue), path: { id: jobId } });
  const remove = async (): Promise<void> => {
    for (const entry of made) await removeMade(context, entry);
  };
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until && !context.signal?.aborted; await sleep(50)) {
    const type = await resultType(context, jobId);
    if (type !== undefined) return { jobId, type, remove };
  }
  throw new AssayError('The AI job that was made shows no results after 30 s.', {
    hint: 'See "assay verify --only aijob".',
    exitCode: EXIT.failed,
  });
}

/** A job with results: made and run where that is allowed, else one that the deployment has. */
export async function ranJob(context: ScenarioContext): Promise<RanJob> {
  if (!context.allows('costly') || !context.allows('reversible')) return findJob(context);
  const made: JournalEntry[] = [];
  try {
    return await makeJob(context, made);
  } catch (error) {
    for (const entry of made) await removeMade(context, entry);
    throw error;
  }
}
