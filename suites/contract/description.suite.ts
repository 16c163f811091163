import { addressOf, contractOf, interfaceDifferences, isObject } from '../../spec/index.ts';
import type { Contract, Exchange, Operation } from '../../spec/index.ts';
import type { TestContext } from '../kit/context.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { reportViolation } from '../kit/violation.ts';
import type { Evidence } from '../kit/violation.ts';

const session = await openSession();

const { servedDescription: place } = session.knowledge;

/** The description that the deployment serves, and the exchange that returned it. */
interface Served {
  readonly exchange: Exchange;
  readonly contract: Contract;
  readonly report: (name: 'version' | 'permission' | 'drift', evidence: Omit<Evidence, 'exchanges'>) => void;
}

/** Defines a test of the served description; it is skipped where none is served. */
function define(title: string, requirements: readonly string[], body: (t: TestContext, served: Served) => void): void {
  if (place === undefined) return;
  const definition = { suite: 'contract/description', title, checks: ['served-description'] as const, requirements };
  defineTest(session, { ...definition, effects: ['read'], run: async (t) => body(t, await readServed(t, place)) });
}

async function readServed(t: TestContext, operation: Operation): Promise<Served> {
  const path = operation.forms[0]?.path ?? operation.path;
  const exchange = await t.sendQuietly(operation, { valid: true, label: 'the description that the deployment serves' });
  const { status, json } = exchange.response ?? {};
  if (status !== 200 || !isObject(json) || !isObject(json['paths']))
    return t.skip(`the deployment serves no description at ${path} (status ${status ?? 'none'})`);
  const contract = await t.once('served description', () => Promise.resolve(contractOf(json, path)));
  return {
    exchange,
    contract,
    report: (name, evidence) =>
      reportViolation(t, `served-description/${name}`, operation, { ...evidence, exchanges: [exchange] }),
  };
}

/** The documented operations of the description in use. */
function documented({ contract, knowledge }: TestContext): readonly Operation[] {
  return contract.operations.filter((operation) => knowledge.guarantees('statuses', operation));
}

define('declares the version v1', ['versioning.description'], (t, { contract, report }) => {
  const forms = contract.operations.reduce((count, operation) => count + operation.forms.length, 0);
  t.observe('operations of the served description, each form counted', String(forms));
  if (contract.version === 'v1') return;
  const received = contract.version === '' ? 'none' : contract.version;
  report('version', { requirement: 'versioning.description', expected: 'version v1', received });
});

define('states the permission of each operation in its summary', ['auth.declared'], (t, { contract, report }) => {
  const known = new Map(documented(t).map((operation) => [addressOf(operation), operation]));
  const requirement = 'auth.declared';
  const silent: Operation[] = [];
  for (const operation of contract.operations) {
    const { permission, id, summary } = operation;
    const own = known.get(addressOf(operation));
    const isStated = permission !== 'unstated' && permission !== 'none';
    if (own === undefined || own.permission === 'unstated' || own.permission === 'none') {
      if (!isStated && own?.permission !== 'none') silent.push(operation);
    } else if (permission !== own.permission) {
      const received = `${isStated ? permission : 'none'}: ${JSON.stringify(summary)}`;
      report('permission', {
        subject: id,
        requirement,
        expected: `${own.permission} in the summary of ${id}`,
        received,
      });
    }
  }
  const [first] = silent;
  if (first === undefined) return;
  // The permissions of operations that the API document does not show are unknown; an operation without any states none.
  report('permission', {
    subject: 'others',
    requirement,
    grade: 'inferred',
    expected: 'a permission in each summary: "Auth policies: …" or "Auth"',
    received: `${silent.length} operations without one, for example ${first.id}: ${JSON.stringify(first.summary)}`,
  });
});

/** Most differences that are reported. */
const MOST = 20;

define('has the documented operations, forms and parameters', [], (t, { contract, report }) => {
  const others = (operation: Operation): readonly Operation[] =>
    contract.operations.filter((each) => addressOf(each) === addressOf(operation));
  const found = documented(t)
    .filter(({ id }) => t.knowledge.notInServedDescription?.has(id) !== true)
    .flatMap((operation) => interfaceDifferences(operation, others(operation)).map((each) => ({ ...each, operation })));
  for (const { message } of t.contract.problems.filter(({ code }) => code === 'document-differs').slice(0, MOST))
    t.observe('the description in use differs from the API document', message);
  for (const { operation, place: where, expected, received } of found.slice(0, MOST))
    report('drift', { subject: `${operation.id} ${where}`, grade: 'published', expected, received });
});
