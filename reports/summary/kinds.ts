import type { CheckName } from '../../spec/index.ts';

/** What a finding endangers, the gravest first. */
export const KINDS = ['security', 'data-loss', 'server-error', 'contract', 'form'] as const;

export type FindingKind = (typeof KINDS)[number];

const BY_CHECK: Readonly<Record<Exclude<FindingKind, 'contract'>, readonly CheckName[]>> = {
  security: ['authentication', 'authorisation', 'tenant-isolation', 'job-ownership'],
  'data-loss': [
    'created-reads-back',
    'updated-reads-back',
    'deleted-is-gone',
    'refused-changes-nothing',
    'json-patch',
    'activation',
    'processing-order',
    'job-runs',
    'dry-run',
    'approvals',
    'audit-log',
    'model-conformance',
    'overlap',
    'form-shared-state',
    'own-id',
  ],
  'server-error': ['no-server-error', 'answered'],
  form: ['form-equivalence'],
};

const KIND_OF: ReadonlyMap<string, FindingKind> = new Map(
  (['security', 'data-loss', 'server-error', 'form'] as const).flatMap((kind) =>
    BY_CHECK[kind].map((check) => [check, kind] as const),
  ),
);

/** The kind of a finding, by its check; checks of other versions count as the contract. */
export function kindOf({ check }: { readonly check: string }): FindingKind {
  return KIND_OF.get(check) ?? 'contract';
}

/** The place of a finding's kind in {@link KINDS}. */
export function gravity(finding: { readonly check: string }): number {
  return KINDS.indexOf(kindOf(finding));
}

export const KIND_NAMES: Readonly<Record<FindingKind, string>> = {
  security: 'security',
  'data-loss': 'stored data',
  'server-error': 'server error',
  contract: 'contract',
  form: 'form',
};
