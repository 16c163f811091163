import { ok } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { exactNumber } from '../json/exact.ts';
import type { Chat, Result, Run, JobHistory } from '../model/run.ts';
import { RUN_TYPES } from '../model/run.ts';
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
    return ok(wanted.map(({ chat, offset }) => ({ item: chatView(chat), offset: exactNumber(String(offset)) })));
  },
  'GET /aijob/{id}/runs': (call) => {
    const job = existingJob(call);
    const given = call.query.text('runType') !== undefined;
    const wanted = given ? RUN_TYPES[call.query.choice('runType', RUN_TYPES)] : 'All';
    const history = call.world.jobs.history(job.id);
    const runs = history.runs.filter(({ dryRun }) => wanted === 'All' || dryRun === (wanted === 'TestRun'));
    return ok(numberedPage(call, runs, (run) => runView(history, run)));
  },
  'GET /aijob/{jobId}/runs/{runId}/chats': (call) => {
    const { run, history } = existingRun(call, 'jobId');
    const withoutResults = call.query.boolean('includeOnlyChatsWithNoResults') ?? false;
    const chats = history.chats.filter(
      ({ runId, resultCount }) => runId === run.id && !(withoutResults && resultCount > 0),
    );
    return ok(numberedPage(call, chats, (chat) => chatListItem(chat)));
  },
  'GET /aijob/{jobId}/runs/{runId}/chats/{chatId}': (call) => {
    const { run, history } = existingRun(call, 'jobId');
    const id = idParam(call, 'chatId');
    const chat = history.chats.find((candidate) => candidate.id === id && candidate.runId === run.id);
    if (chat === undefined) throw notFound('chat', id);
    return ok(chatView(chat));
  },
  'GET /aijob/{id}/runs/{runId}/results': (call) => {
    const { run, history } = existingRun(call, 'id');
    const results = history.results.filter(({ runId }) => runId === run.id);
    return ok(numberedPage(call, results, runResult));
  },
});

function existingRun(call: Call, jobParam: string): { run: Run; history: JobHistory } {
  const job = existingJob(call, jobParam);
  const id = idParam(call, 'runId');
  const history = call.world.jobs.history(job.id);
  const run = history.runs.find((candidate) => candidate.id === id);
  if (run === undefined) throw notFound('run', id);
  return { run, history };
}

/** AiJobRunListItemViewModel. */
function runView({ chats, results }: JobHistory, run: Run) {
  const { jobProgressId: _, ...fields } = run;
  const count = results.filter(({ runId }) => runId === run.id).length;
  const idle = chats.filter(({ runId, resultCount }) => runId === run.id && resultCount === 0);
  return { ...fields, count, chatsWithNoResults: idle.map(({ id }) => id) };
}

/** AiJobRunChatListItemViewModel. */
function chatListItem({ id, sequenceId }: Chat) {
  return { id, sequenceId };
}

/** AiJobRunChatViewModel. */
function chatView({ id, sequenceId, input, output }: Chat) {
  const rawRequest = JSON.stringify({ messages: [{ role: 'user', content: input }] });
  const rawResponse = JSON.stringify({ message: { role: 'assistant', content: output } });
  return { id, sequenceId, input, output, rawRequest, rawResponse };
}

/** AiJobRunResultViewModel: it has no id. */
function runResult({ description, state, type, model, chatId }: Result) {
  return { description, state, type, model, chatId };
}
