import { ok } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { exactNumber } from '../json/exact.ts';
import type { Chat, Result, Run } from '../model/run.ts';
import { RUN_TYPES } from '../model/run.ts';
import type { History } from '../model/run.ts';
import { group, idParam } from './define.ts';
import { existingJob } from './jobs.ts';
import { numberedPage } from './page.ts';

/** First offset of a stream, above 2^53. */
const FIRST_OFFSET = 638_000_000_000_000_001n;

export const runOperations = group('RACI:management.aiagents', {
  'GET /aijob/{id}/chatstream': (call) => {
    const job = existingJob(call);
    const from = call.query.int64('offset', 0n);
    const items = call.world.jobs
      .history(job.id)
      .chats.map((chat, index) => ({ chat, offset: FIRST_OFFSET + BigInt(index) }));
    const wanted = items.filter(({ offset }) => offset >= from);
    return ok(
      wanted.map(({ chat, offset }) => ({ item: chatView(job.id, chat), offset: exactNumber(String(offset)) })),
    );
  },
  'GET /aijob/{id}/runs': (call) => {
    const job = existingJob(call);
    const wanted = RUN_TYPES[call.query.choice('runType', RUN_TYPES)] ?? 'All';
    const history = call.world.jobs.history(job.id);
    const runs = history.runs.filter(({ runType }) => wanted === 'All' || runType === wanted);
    return ok(numberedPage(call, runs, (run) => runView(job.id, history, run)));
  },
  'GET /aijob/{jobId}/runs/{runId}/chats': (call) => {
    const { jobId, run, history } = existingRun(call, 'jobId');
    const withoutResults = call.query.boolean('includeOnlyChatsWithNoResults') ?? false;
    const chats = history.chats.filter(
      ({ runId, resultCount }) => runId === run.id && !(withoutResults && resultCount > 0),
    );
    return ok(numberedPage(call, chats, (chat) => chatListItem(jobId, chat)));
  },
  'GET /aijob/{jobId}/runs/{runId}/chats/{chatId}': (call) => {
    const { jobId, run, history } = existingRun(call, 'jobId');
    const id = idParam(call, 'chatId');
    const chat = history.chats.find((candidate) => candidate.id === id && candidate.runId === run.id);
    if (chat === undefined) throw notFound('chat', id);
    return ok(chatView(jobId, chat));
  },
  'GET /aijob/{id}/runs/{runId}/results': (call) => {
    const { run, history } = existingRun(call, 'id');
    const results = history.results.filter(({ runId }) => runId === run.id);
    return ok(numberedPage(call, results, (result: Result) => result));
  },
});

function existingRun(call: Call, jobParam: string): { jobId: string; run: Run; history: History } {
  const job = existingJob(call, jobParam);
  const id = idParam(call, 'runId');
  const history = call.world.jobs.history(job.id);
  const run = history.runs.find((candidate) => candidate.id === id);
  if (run === undefined) throw notFound('run', id);
  return { jobId: job.id, run, history };
}

function runView(jobId: string, { chats, results }: History, run: Run) {
  const chatCount = chats.filter(({ runId }) => runId === run.id).length;
  const resultCount = results.filter(({ runId }) => runId === run.id).length;
  return { ...run, jobId, chatCount, resultCount };
}

function chatListItem(jobId: string, chat: Chat) {
  const { input: _, output: __, ...fields } = chat;
  return { ...fields, jobId };
}

function chatView(jobId: string, chat: Chat) {
  const messages = [
    { role: 'user', content: chat.input },
    { role: 'assistant', content: chat.output },
  ];
  return { ...chat, jobId, messages };
}
