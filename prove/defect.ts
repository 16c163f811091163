import { FAULTS } from '../service/start.ts';
import type { FaultName } from '../service/start.ts';
import type { CheckName, Contract } from '../spec/index.ts';
import { HAND_WRITTEN } from './defects/index.ts';
import { OPERATORS } from './operators/index.ts';
import { opOf } from './operators/operator.ts';
import type { Operator, Variant } from './operators/operator.ts';
import type { Make } from './proxy/message.ts';
import { surfaceOf } from './surface.ts';

/** A defect that the suites must catch. */
export interface Defect {
  /** `operator[:variant] METHOD /path[ in form]`, or the name of a hand-written defect or of a fault of the service. */
  readonly name: string;
  /** What it does, in a sentence; empty where only the name says it. */
  readonly title: string;
  /** The statement of the API document that it contradicts. */
  readonly breaks: string;
  /** Operator, `hand-written` or `service`. */
  readonly origin: string;
  /** Operations that a correct finding can name; empty: any. */
  readonly operations: readonly string[];
  /** Checks that are expected to catch it; empty: not stated. */
  readonly checks: readonly CheckName[];
  /** Pattern of the tests that run first; default: those of the expected checks on its operations. */
  readonly first?: string;
  /** True if it violates published requirements only: a warning then counts as caught. */
  readonly warns: boolean;
  /** How the proxy in front of the service makes it. */
  readonly make?: Make;
  /** The fault of the service, for a defect that is not made by the proxy. */
  readonly fault?: FaultName;
}

function defectOf(origin: string, operator: Operator, variant: Variant, form?: string): Defect {
  const { operation, name, seenIn, grade, checks, make } = variant;
  return {
    name: `${origin}${name === undefined ? '' : `:${name}`} ${operation.id}${form === undefined ? '' : ` in ${form}`}`,
    title: operator.title,
    breaks: operator.breaks,
    origin,
    operations: (seenIn ?? [operation.id]).filter((id) => id !== ''),
    checks: [
      ...new Set([...(checks ?? operator.checks), ...(form === undefined ? [] : (['form-equivalence'] as const))]),
    ],
    warns: grade === 'published',
    make: make({ op: opOf(operation), ...(form === undefined ? {} : { form }) }),
  };
}

/** Applies every operator to every operation that it fits, in all forms; operators with `perForm` also in one form only. */
export function mutantsOf(contract: Contract): readonly Defect[] {
  const surface = surfaceOf(contract);
  return Object.entries(OPERATORS as Readonly<Record<string, Operator>>).flatMap(([name, operator]) =>
    operator.variants(surface).flatMap((variant, index) => {
      const { forms } = variant.operation;
      const single = operator.perForm === true && forms.length > 1 ? forms[index % forms.length]?.name : undefined;
      const everywhere = defectOf(name, operator, variant);
      return single === undefined ? [everywhere] : [everywhere, defectOf(name, operator, variant, single)];
    }),
  );
}

function serviceFaults(): readonly Defect[] {
  return Object.entries(FAULTS).map(([name, { title, breaks, area, operations }]) => ({
    name,
    title: `${title}.`,
    breaks,
    origin: 'service',
    operations,
    checks: [],
    warns: area === 'published',
    fault: name as FaultName,
  }));
}

/** Every defect that applies to a contract, by name. */
export function defectsOf(contract: Contract): ReadonlyMap<string, Defect> {
  return new Map(allDefects(contract).map((defect) => [defect.name, defect]));
}

/** Every defect that applies to a contract: of the operators, written by hand, and of the service. */
export function allDefects(contract: Contract): readonly Defect[] {
  const fits = ({ operations }: Defect): boolean => operations.every((id) => contract.operation(id) !== undefined);
  return [...mutantsOf(contract), ...HAND_WRITTEN.filter(fits), ...serviceFaults().filter(fits)];
}
