import { sampleBody } from '../../domain/builtin/bodies/sample-body.ts';
import { operationOf } from '../../domain/builtin/operations.ts';
import { uniqueName } from '../../domain/create.ts';
import { isServed, isSuccess, isTooLarge, mayLack, mayLackPermission } from '../../spec/index.ts';
import type { Json } from '../../spec/index.ts';
import { statusAndType } from '../kit/compare.ts';
import type { Evaluation, TestContext } from '../kit/context.ts';
import { openSession } from '../kit/session.ts';
import { reportViolation, violationOf } from '../kit/violation.ts';
import { CLUE_FORMS } from './clues/forms.ts';
import { CLUES, FLAT, PLAIN, RAW } from './clues/shapes.ts';
import type { ClueChange, ClueMembers } from './clues/shapes.ts';
import { defineForRole } from './define.ts';
import type { Tested } from './define.ts';

const session = await openSession();

/** Clues that may be invalid: the document does not state how many parts a version has. */
const NOT_STATED: ReadonlySet<string> = new Set(['version-of-one-number', 'version-of-five-numbers']);

const base = { suite: 'state/clues', effects: ['irreversible'] as const };

defineForRole(session, 'clue', {
  ...base,
  title: 'clues of the documented shape are accepted',
  checks: ['clue-accepted'],
  requirements: [
    'clue.shape',
    'clue.organization-uuid',
    'clue.save',
    'service.two-ways-of-posting',
    ...new Set(Object.values(CLUES).map(([requirement]) => requirement)),
  ],
  cost: 20,
  run: (t, target) => acceptsAll(t, target, CLUES),
});

defineForRole(session, 'clue', {
  ...base,
  title: 'any characters and lengths are accepted in codes and entity types of the documented form',
  isLate: true,
  checks: ['clue-accepted'],
  requirements: ['clue.origin-code', 'clue.codes', 'clue.entity-type'],
  cost: 60,
  run: (t, target) => acceptsAll(t, target, CLUE_FORMS),
});

const NO_PERMISSION = 'the token may lack the permission, which the document does not show';

const NO_MAPPING = 'the deployment refuses raw data without a mapping, which the document does not describe';

/** Posts clues, each of which must be accepted. */
async function acceptsAll(t: TestContext, target: Tested, { [PLAIN]: plain, ...others }: typeof CLUES): Promise<void> {
  const refused = plain && (await findRefused(t, target, PLAIN, plain));
  // The others would be refused for the same reason.
  const found = refused
    ? [refused]
    : await Promise.all(Object.entries(others).map(([subject, clue]) => findRefused(t, target, subject, clue)));
  for (const each of found) if (each !== undefined) t.report(each);
}

async function findRefused(
  t: TestContext,
  { operation, form }: Tested,
  subject: string,
  [requirement, change]: (typeof CLUES)[string],
): Evaluation {
  if (requirement === 'clue.entity-type' && t.session.options.fixtures?.entityType !== undefined) return undefined;
  const json = await clueWith(t, change);
  const exchange = await t.send(operation, { form, query: { save: true }, json, label: subject });
  const status = exchange.response?.status ?? 0;
  if (isSuccess(status) || status >= 500 || status === 0 || isTooLarge(exchange)) return undefined;
  if (subject === PLAIN && mayLackPermission(operation, status)) t.skip(NO_PERMISSION);
  return violationOf('clue-accepted/refused', operation, {
    subject,
    requirement,
    grade: NOT_STATED.has(subject) ? 'inferred' : undefined,
    expected: 'a success: the clue has the documented shape',
    received: `status ${status}`,
    exchanges: [exchange],
  });
}

defineForRole(session, 'clue', {
  ...base,
  title: 'a clue is accepted when it is posted again',
  checks: ['clue-accepted'],
  requirements: ['clue.post'],
  run: async (t, { operation, form }) => {
    const json = await clueWith(t, () => undefined);
    const request = { form, query: { save: true }, json } as const;
    const first = await t.send(operation, { ...request, expect: 'success', label: 'post a clue' });
    const second = await t.send(operation, { ...request, label: 'post it again' });
    // A deployment may refuse a clue that it has stored already as a conflict, or answer it with another success status.
    if (!isServed(first) || isServed(second) || second.response?.status === 409) return;
    reportViolation(t, 'clue-accepted/second-time', operation, {
      requirement: 'clue.post',
      expected: 'a success, as the first time',
      received: statusAndType(second),
      exchanges: [first, second],
    });
  },
});

async function clueWith(t: TestContext, change: ClueChange): Promise<Json> {
  const name = uniqueName(t, 'clue');
  const operation = operationOf(t, 'clue');
  const references = await t.knowledge.references(t, operation, {});
  const clue = structuredClone(sampleBody(operation.id, name, references)) as {
    clue: ClueMembers & { clueDetails: { data: ClueMembers & { entityData: ClueMembers } } };
  };
  const { data } = clue.clue.clueDetails;
  change(data.entityData, name, [clue.clue, data, data.entityData]);
  const { entityType } = t.session.options.fixtures ?? {};
  if (entityType === undefined) return clue;
  return JSON.parse(JSON.stringify(clue).replaceAll('/Person', `/${entityType.replace(/^\//, '')}`)) as Json;
}

defineForRole(session, 'raw', {
  ...base,
  title: 'raw data of any shape is accepted',
  checks: ['raw-accepted'],
  requirements: ['raw.any-shape', 'raw.post'],
  run: async (t, { operation, form }) => {
    for (const [subject, json] of Object.entries(RAW)) {
      const exchange = await t.send(operation, { form, json, label: `raw data: ${subject}` });
      const status = exchange.response?.status ?? 0;
      if (isSuccess(status) || status >= 500 || status === 0 || isTooLarge(exchange)) continue;
      if (subject === FLAT && mayLack(operation, status))
        t.skip(mayLackPermission(operation, status) ? NO_PERMISSION : NO_MAPPING);
      reportViolation(t, 'raw-accepted/refused', operation, {
        subject,
        requirement: 'raw.any-shape',
        expected: 'a success: raw data is a JSON object of arbitrary shape',
        received: `status ${status}`,
        exchanges: [exchange],
      });
    }
  },
});
