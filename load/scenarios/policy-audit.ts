import { settled } from '../../domain/context.ts';
import { walk } from '../../domain/read-list.ts';
import { AssayError, checkOf, EXIT, fingerprint, isObject } from '../../spec/index.ts';
import type { Finding, FindingCode } from '../../spec/index.ts';
import { removeAll } from './remove-all.ts';
import { LIST, REMOVE } from './policies.ts';
import type { Acknowledged, AuditResult, ScenarioContext } from './scenario.ts';

const PAGE_SIZE = 100;

interface Listed {
  readonly id: string;
  readonly name: string;
}

/** The policies whose name contains the tag and, after a hyphen, more. */
async function listPolicies({ api, operation }: ScenarioContext, tag: string): Promise<Listed[]> {
  const query = { searchName: tag, orderBy: 'name' };
  const seen = await walk(api, operation(LIST), { query, expect: 'success' }, PAGE_SIZE);
  if (seen === undefined || seen.items.length === seen.pages.length * PAGE_SIZE)
    throw new AssayError('The list of policies cannot be read completely.', {
      hint: 'Run "assay verify --only paging", or create fewer policies (--rate, --duration).',
      exitCode: EXIT.failed,
    });
  return seen.items.flatMap((item) =>
    isObject(item) && typeof item['id'] === 'string' && typeof item['name'] === 'string'
      ? [{ id: item['id'], name: item['name'] }].filter(({ name }) => name.includes(`${tag}-`))
      : [],
  );
}

function compare(listed: readonly Listed[], acknowledged: Acknowledged, tag: string): AuditResult {
  const present = new Map<string, number>();
  for (const { name } of listed) {
    const id = name.slice(name.indexOf(`${tag}-`) + tag.length + 1).slice(0, acknowledged.idWidth);
    present.set(id, (present.get(id) ?? 0) + 1);
  }
  const missing: string[] = [];
  const duplicated: string[] = [];
  for (const { id, acknowledged: isAcknowledged } of acknowledged.ids()) {
    const copies = present.get(id) ?? 0;
    if (isAcknowledged && copies === 0) missing.push(id);
    if (copies > 1) duplicated.push(id);
  }
  return {
    acknowledged: acknowledged.count,
    present: present.size,
    missing: missing.length,
    duplicated: duplicated.length,
    examples: [...missing, ...duplicated].slice(0, 5),
  };
}

function lossFinding({ contract, operation }: ScenarioContext, result: AuditResult): Finding {
  const requirement = 'policies.list-has-created';
  const code: FindingCode = result.missing > 0 ? 'created-reads-back/not-listed' : 'created-reads-back/created-twice';
  return {
    code,
    check: checkOf(code),
    requirement,
    grade: contract.requirements.find(({ id }) => id === requirement)?.grade ?? 'documented',
    operation: LIST,
    form: operation(LIST).forms.at(-1)?.name ?? '',
    severity: 'violation',
    fingerprint: fingerprint({ code, requirement, operation: LIST }),
    message: `after the load, ${result.missing} acknowledged policies are missing and ${result.duplicated} exist more than once`,
    expected: `${result.acknowledged} policies, each once`,
    received: `${result.present} different policies; for example ${result.examples.join(', ')}`,
    source: 'api.md section 4 Access control policies',
    curl: '',
    steps: [],
  };
}

/** Compares the acknowledged names with the listed ones, repeatedly until a change must be visible. */
export async function auditPolicies(
  context: ScenarioContext,
  acknowledged: Acknowledged,
  tag: string,
): Promise<AuditResult> {
  let result = compare(await listPolicies(context, tag), acknowledged, tag);
  if (result.missing > 0)
    await settled(context, async () => {
      result = compare(await listPolicies(context, tag), acknowledged, tag);
      return result.missing === 0 || context.signal?.aborted === true;
    });
  return result.missing + result.duplicated > 0 ? { ...result, findings: [lossFinding(context, result)] } : result;
}

/** Removes all policies whose name contains the tag. Returns how many there were, and how many of them could not be removed. */
export async function removeTagged(context: ScenarioContext, tag: string): Promise<{ found: number; stayed: number }> {
  const remove = context.operation(REMOVE);
  const found = await listPolicies(context, tag);
  const removed = await removeAll(found, ({ id }) => context.api.sendQuietly(remove, { path: { id } }));
  return { found: found.length, stayed: found.length - removed };
}
