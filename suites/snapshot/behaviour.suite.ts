import { afterAll } from 'vitest';
import type { Exchange, Operation, Violation } from '../../spec/index.ts';
import { Skip } from '../kit/context.ts';
import type { TestContext } from '../kit/context.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { compareRecorded } from './compare.ts';
import type { SnapshotDifference } from './compare.ts';
import { readSnapshot, writeSnapshot } from './file.ts';
import { requestsFor } from './requests.ts';
import type { Sent, SnapshotRequest } from './requests.ts';
import { mergeResponses } from './response.ts';
import type { RecordedOperation, RecordedResponse } from './response.ts';

const session = await openSession();
const { snapshot } = session.options;
const isRecording = snapshot?.mode === 'record';
const known = snapshot?.mode === 'compare' ? readSnapshot(snapshot.file) : undefined;
const recorded = new Map<string, RecordedOperation>();

/** How often each request is sent for a recording, to detect values that vary. */
const SAMPLES = 3;

/** The requirement about behavior that no other requirement mentions. */
const UNMENTIONED = 'snapshot.behaviour';

for (const operation of snapshot === undefined ? [] : session.contract.operations) {
  const form = operation.forms.at(-1);
  if (form === undefined) continue;
  defineTest(session, {
    suite: 'snapshot/behaviour',
    title: isRecording ? 'records undocumented behavior' : 'undocumented behavior matches the snapshot',
    operation,
    checks: ['snapshot-behaviour'],
    requirements: [UNMENTIONED],
    effects: [operation.effect],
    run: async (t) => {
      const requests = requestsFor(operation, form);
      if (isRecording) await record(t, operation, requests);
      else await compare(t, operation, requests);
    },
  });
}

afterAll(() => {
  if (isRecording && recorded.size > 0) writeSnapshot(snapshot.file, session.contract.title, recorded);
});

async function record(t: TestContext, operation: Operation, requests: readonly SnapshotRequest[]): Promise<void> {
  const responses: Record<string, RecordedResponse> = {};
  let why: string | undefined;
  for (const request of requests)
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const sent = await trySend(t, request);
      if (typeof sent === 'string') {
        why = sent;
        break;
      }
      if (sent.recorded !== undefined) responses[request.name] = mergeResponses(responses[request.name], sent.recorded);
    }
  if (Object.keys(responses).length === 0) t.skip(why ?? 'there was no response to record');
  recorded.set(operation.id, responses);
}

/** The response, or the reason why the request could not be sent. */
async function trySend(t: TestContext, request: SnapshotRequest): Promise<Sent | string> {
  try {
    return await request.send(t);
  } catch (error) {
    if (error instanceof Skip) return error.message;
    throw error;
  }
}

async function compare(t: TestContext, operation: Operation, requests: readonly SnapshotRequest[]): Promise<void> {
  const before = known?.operations[operation.id] ?? t.skip('the snapshot does not have this operation');
  for (const request of requests) {
    const expected = before[request.name];
    if (expected === undefined) continue;
    await t.holds(async (t) => {
      const sent = await trySend(t, request);
      if (typeof sent === 'string' || sent.recorded === undefined) return undefined;
      const [difference] = compareRecorded(expected, sent.recorded);
      return difference === undefined ? undefined : violationOf(operation, request, difference, sent.exchange);
    });
  }
}

function violationOf(
  operation: Operation,
  request: SnapshotRequest,
  { pointer, subject, expected, received }: SnapshotDifference,
  exchange: Exchange,
): Violation {
  return {
    code: 'snapshot-behaviour/changed',
    subject: `${request.name} ${subject}`,
    requirement: requirementFor(operation, request),
    grade: 'inferred',
    operation,
    message: `${operation.id} answers ${request.description} differently from the snapshot: ${received}`,
    expected: `${expected}, as in the snapshot`,
    received,
    exchanges: [exchange],
    everywhere: request.isInvalid,
    ...(pointer === undefined || pointer.includes('*') ? {} : { instancePointer: pointer }),
  };
}

/** The requirement that leaves open how the request is answered. */
function requirementFor({ id }: Operation, { isInvalid }: SnapshotRequest): string {
  const own = session.contract.requirements.find(({ grade, untestable, operations, section }) => {
    if (grade !== 'unspecified' || untestable !== undefined) return false;
    return isInvalid ? operations === undefined && section.startsWith('7') : operations?.includes(id) === true;
  });
  return own?.id ?? UNMENTIONED;
}
