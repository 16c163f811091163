import { judgeExchange } from '../../spec/index.ts';
import type { Exchange, Finding, ObservationRecord, Operation, TestVerdict } from '../../spec/index.ts';
import { makeFinding } from './finding.ts';
import type { FindingParts } from './finding.ts';
import { proveReversible } from './prove-reversible.ts';
import { sendWithCare } from './send.ts';
import type { Session } from './session.ts';
import { Skip } from './context.ts';
import type { RequestSpec, Violation, TestContext, TestMeta } from './context.ts';
import { isNotPromised } from './untold.ts';

/** Identity of a test, as its record tells it. */
export interface TestHead {
  readonly suite: string;
  readonly name: string;
  readonly operation?: Operation;
  readonly form?: string;
  readonly checks: readonly string[];
  readonly requirements: readonly string[];
}

/** How often a violation between several exchanges is looked at again before it counts. */
const LOOKS = 3;

/** What a test keeps while its test runs. */
interface Ledger {
  readonly findings: Map<string, Finding>;
  readonly statuses: Map<string, { operation: string; form: string; status: string; count: number }>;
  readonly tainted: Set<string>;
  readonly labels: Map<string, string>;
  readonly observations: ObservationRecord[];
  cases: number;
  cutShort?: string;
  slowestMs: number;
}

/** a test and, for the wrapper around the test, what it leaves behind. */
export function makeContext(
  session: Session,
  head: TestHead,
): { t: TestContext; meta: (verdict: TestVerdict, durationMs: number, reason?: string) => TestMeta } {
  const ledger: Ledger = {
    findings: new Map(),
    statuses: new Map(),
    tainted: new Set(),
    labels: new Map(),
    observations: [],
    cases: 0,
    slowestMs: 0,
  };
  const add = (parts: Omit<FindingParts, 'labels' | 'test'>): void => {
    const finding = makeFinding(session, { ...parts, labels: ledger.labels, test: head.name });
    if (!ledger.findings.has(finding.fingerprint)) ledger.findings.set(finding.fingerprint, finding);
  };
  const send = async (operation: Operation, ask: RequestSpec): Promise<Exchange> => {
    if (!session.contract.builtIn && ask.proof !== true) await proveReversible(t, operation);
    const exchange = await sendWithCare(session, operation, ask);
    note(ledger, exchange, ask);
    return exchange;
  };
  const t: TestContext = {
    session,
    sendQuietly: (operation, ask = {}) => send(operation, ask),
    judge(operation, exchange, expect) {
      for (const { check, violation } of judgeExchange(
        session.contract,
        operation,
        exchange,
        session.contract.builtIn ? expect : 'any',
      )) {
        ledger.tainted.add(exchange.id);
        add({ check, ...violation, operation, form: exchange.form, exchanges: [exchange] });
      }
      return exchange;
    },
    send: async (operation, ask = {}) => t.judge(operation, await send(operation, ask), ask.expect),
    tainted: (exchange) => ledger.tainted.has(exchange.id),
    report: (violation) => {
      reportLaw(session, ledger, violation, add);
    },
    holds: (evaluate) => holds(session, t, evaluate),
    skip: (reason) => {
      throw new Skip(reason);
    },
    observe: (what, value, operation) => {
      ledger.observations.push({
        type: 'observation',
        what,
        value,
        ...(operation === undefined ? {} : { operation: operation.id }),
      });
    },
    countCases: (cases) => {
      ledger.cases += cases;
    },
    cutShort: (why) => {
      ledger.cutShort ??= why;
    },
    get findings() {
      return [...ledger.findings.values()];
    },
  };
  return {
    t,
    meta: (verdict, durationMs, reason) => ({
      ...metaOf(head, ledger, verdict, durationMs, reason),
      ...(session.lost === undefined ? {} : { lost: session.target.redact(session.lost) }),
    }),
  };
}

function note(ledger: Ledger, exchange: Exchange, ask: RequestSpec): void {
  const status = exchange.response === undefined ? '000' : String(exchange.response.status);
  const key = `${exchange.operation}\u0000${exchange.form}\u0000${status}`;
  const known = ledger.statuses.get(key) ?? { operation: exchange.operation, form: exchange.form, status, count: 0 };
  known.count += 1;
  ledger.statuses.set(key, known);
  ledger.slowestMs = Math.max(ledger.slowestMs, exchange.durationMs);
  if (ask.label !== undefined) ledger.labels.set(exchange.id, ask.label);
}

function reportLaw(
  session: Session,
  ledger: Ledger,
  violation: Violation,
  add: (parts: Omit<FindingParts, 'labels' | 'test'>) => void,
): void {
  if (violation.exchanges.some((each) => ledger.tainted.has(each.id))) return;
  if (isNotPromised(session.contract, violation)) return;
  const last = violation.exchanges.at(-1);
  const operation = violation.operation ?? session.contract.operation(last?.operation ?? '');
  if (operation === undefined) throw new Error(`a violation of ${violation.check} names no operation`);
  const { form, ...rest } = violation;
  add({ ...rest, operation, form: form ?? last?.form ?? operation.forms[0]?.name ?? '' });
}

async function holds(
  session: Session,
  t: TestContext,
  evaluate: () => Promise<Violation | undefined>,
): Promise<boolean> {
  for (let look = 1; ; look += 1) {
    const violation = await evaluate();
    if (violation === undefined) return true;
    if (look === LOOKS) {
      t.report(violation);
      return false;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, session.options.settleMs * (look === 1 ? 1 : 0.25));
    });
  }
}

function metaOf(head: TestHead, ledger: Ledger, verdict: TestVerdict, durationMs: number, reason?: string): TestMeta {
  return {
    test: {
      suite: head.suite,
      ...(head.operation === undefined ? {} : { operation: head.operation.id }),
      ...(head.form === undefined ? {} : { form: head.form }),
      checks: head.checks,
      requirements: head.requirements,
      verdict,
      ...(reason === undefined ? {} : { reason }),
      durationMs,
      statuses: [...ledger.statuses.values()],
      cases: ledger.cases,
      ...(ledger.cutShort === undefined ? {} : { cutShort: ledger.cutShort }),
      findings: [...ledger.findings.values()],
      slowestMs: ledger.slowestMs,
    },
    observations: ledger.observations,
  };
}
