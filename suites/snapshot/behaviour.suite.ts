import { afterAll } from 'vitest';
import type { Exchange, Operation } from '../../spec/index.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { Skip } from '../kit/context.ts';
import type { TestContext } from '../kit/context.ts';
import { mergeAnswers } from './answer.ts';
import type { Answer, Answers } from './answer.ts';
import { driftsOf } from './drift.ts';
import type { Drift } from './drift.ts';
import { readLearned, writeLearned } from './file.ts';
import { probesOf } from './probes.ts';
import type { Probe } from './probes.ts';
import { sentenceOf, UNSAID } from './sentence.ts';

const session = await openSession();
const { learn } = session.options;
const known = learn?.mode === 'compare' ? readLearned(learn.file) : undefined;
const gathered = new Map<string, Answers>();

/** How often everything is asked while learning: what changes by itself must show. */
const SAMPLES = 3;

for (const operation of learn === undefined ? [] : session.contract.operations) {
  const form = operation.forms.at(-1);
  if (form === undefined) continue;
  defineTest(
    session,
    {
      suite: 'learn/behaviour',
      title:
        learn?.mode === 'record'
          ? 'what the document leaves open is learned'
          : 'what the document leaves open is as it was learned',
      operation,
      checks: ['snapshot-behaviour'],
      requirements: [UNSAID],
      effects: [operation.effect],
    },
    async (t) => {
      const probes = probesOf(operation, form);
      if (learn?.mode === 'record') await record(t, operation, probes);
      else await compare(t, operation, probes, known?.operations[operation.id] ?? t.skip('nothing was learned of it'));
    },
  );
}

afterAll(() => {
  if (learn?.mode === 'record' && gathered.size > 0) writeLearned(learn.file, session.contract.title, gathered);
});

async function record(t: TestContext, operation: Operation, probes: readonly Probe[]): Promise<void> {
  const answers: Record<string, Answer> = {};
  let why: string | undefined;
  for (const probe of probes) {
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const asked = await attempt(t, probe);
      if (typeof asked === 'string') why = asked;
      else if (asked.answer !== undefined) answers[probe.name] = mergeAnswers(answers[probe.name], asked.answer);
      if (typeof asked === 'string') break;
    }
  }
  if (Object.keys(answers).length === 0) t.skip(why ?? 'there was no answer to learn from');
  gathered.set(operation.id, answers);
}

type Asked = Awaited<ReturnType<Probe['ask']>>;

/** The answer, or why the probe could not be sent. */
async function attempt(t: TestContext, probe: Probe): Promise<Asked | string> {
  try {
    return await probe.ask(t);
  } catch (error) {
    if (error instanceof Skip) return error.message;
    throw error;
  }
}

async function compare(
  t: TestContext,
  operation: Operation,
  probes: readonly Probe[],
  learned: Answers,
): Promise<void> {
  for (const probe of probes) {
    const before = learned[probe.name];
    if (before === undefined) continue;
    await t.holds(async () => {
      const asked = await attempt(t, probe);
      if (typeof asked === 'string' || asked.answer === undefined) return undefined;
      const [drift] = driftsOf(before, asked.answer);
      return drift === undefined ? undefined : violationOf(operation, probe, drift, asked.exchange);
    });
  }
}

function violationOf(
  operation: Operation,
  probe: Probe,
  drift: Drift,
  exchange: Exchange,
): Parameters<TestContext['report']>[0] {
  return {
    check: 'snapshot-behaviour',
    requirement: sentenceOf(session.contract, operation, probe),
    grade: 'inferred',
    operation,
    cause: `${probe.name}: ${drift.cause}`,
    message: `${operation.id} answers ${probe.name} otherwise than was learned: ${drift.cause}`,
    expected: `${drift.expected}, as was learned`,
    received: drift.received,
    exchanges: [exchange],
    everywhere: probe.refused,
    ...(drift.pointer === undefined || drift.pointer.includes('*') ? {} : { instancePointer: drift.pointer }),
  };
}
