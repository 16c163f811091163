import { setTimeout as sleep } from 'node:timers/promises';
import { AssayError, checkOf, EXIT, fingerprint, isObject } from '../../spec/index.ts';
import type { Finding, FindingCode } from '../../spec/index.ts';
import { itemsOf } from './items.ts';
import { formOf, inTurn } from './making.ts';
import { LIST, REMOVE } from './policies.ts';
import type { Acknowledged, AuditResult, ScenarioContext } from './scenario.ts';

const TAKE = 100;
const SETTLE_STEP_MS = 200;

interface Listed {
  readonly id: string;
  readonly name: string;
}

/** Every policy whose name holds a text, page by page. */
export async function listPolicies(context: ScenarioContext, searchName: string): Promise<Listed[]> {
  const operation = context.operation(LIST);
  const found: Listed[] = [];
  for (let page = 0; ; page += 1) {
    const query = { page, take: TAKE, searchName, orderBy: 'name' };
    const { response } = await context.expectSuccess({ operation, form: formOf(operation), query });
    const items = itemsOf(response?.json);
    for (const item of items) {
      if (isObject(item) && typeof item['id'] === 'string' && typeof item['name'] === 'string')
        found.push({ id: item['id'], name: item['name'] });
    }
    if (items.length < TAKE) return found.filter(({ name }) => name.includes(searchName));
    if (page > 100_000)
      throw new AssayError('The policy list does not end.', {
        hint: 'Run "assay verify --only paging".',
        exitCode: EXIT.failed,
      });
  }
}

function compare(listed: readonly Listed[], acknowledged: Acknowledged, tag: string): AuditResult {
  const present = new Map<string, number>();
  for (const { name } of listed) {
    const id = name.slice(name.indexOf(tag)).slice(0, acknowledged.idWidth);
    present.set(id, (present.get(id) ?? 0) + 1);
  }
  const missing: string[] = [];
  const duplicated: string[] = [];
  for (const { id, acknowledged: said } of acknowledged.ids()) {
    const copies = present.get(id) ?? 0;
    if (said && copies === 0) missing.push(id);
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

function lossFinding(context: ScenarioContext, result: AuditResult): Finding {
  const requirement = 'policies.list-has-created';
  const grade = context.contract.requirements.find(({ id }) => id === requirement)?.grade ?? 'documented';
  const code: FindingCode = result.missing > 0 ? 'created-reads-back/not-listed' : 'created-reads-back/created-twice';
  return {
    code,
    check: checkOf(code),
    requirement,
    grade,
    operation: LIST,
    form: formOf(context.operation(LIST)).name,
    severity: 'violation',
    fingerprint: fingerprint({ code, requirement, operation: LIST }),
    message: `After the load ${result.missing} acknowledged policies are missing and ${result.duplicated} are there more than once.`,
    expected: `${result.acknowledged} policies, each once`,
    received: `${result.present} different ones; for example ${result.examples.join(', ')}`,
    source: 'api.md section 4 Access control policies',
    curl: '',
    steps: [],
  };
}

/** Compares the acknowledged names with the listed ones; what is missing gets time to appear. */
export async function auditPolicies(
  context: ScenarioContext,
  acknowledged: Acknowledged,
  tag: string,
): Promise<AuditResult> {
  const until = Date.now() + context.settleMs;
  let result = compare(await listPolicies(context, tag), acknowledged, tag);
  while (result.missing > 0 && Date.now() < until && !context.signal?.aborted) {
    await sleep(SETTLE_STEP_MS);
    result = compare(await listPolicies(context, tag), acknowledged, tag);
  }
  return result.missing + result.duplicated > 0 ? { ...result, findings: [lossFinding(context, result)] } : result;
}

/** Removes all policies whose name holds the tag; false where some stayed. */
export async function removeTagged(context: ScenarioContext, tag: string): Promise<boolean> {
  const operation = context.operation(REMOVE);
  let stayed = 0;
  await inTurn(await listPolicies(context, tag), async ({ id }) => {
    const { response } = await context.send({ operation, form: formOf(operation), path: { id } });
    if (!response || (response.status >= 300 && response.status !== 404)) stayed += 1;
  });
  return stayed === 0;
}
