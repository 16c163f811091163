import { randomUUID } from 'node:crypto';
import { OPERATION_IDS } from './routes.ts';
import { jobBody, policyBody } from './tour.ts';
import type { Fixtures, Probe } from './tour.ts';

const NOWHERE = '3f2a1b0c-9d8e-4f7a-8b6c-5d4e3f2a1b0c';

/** A clue that the document's example form allows. */
export function clueBody(
  properties: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>> = {},
  id = 'A-1',
  extra: Readonly<Record<string, unknown>> = {},
): unknown {
  const origin = `/Person#crm:${id}`;
  const entityData = {
    'attribute-origin': origin,
    'attribute-appVersion': '1.0.0.0',
    'attribute-source': 'tour',
    entityType: '/Person',
    codes: [origin],
    properties: { 'attribute-type': '/Metadata/KeyValue', ...properties },
    ...changes,
  };
  const data = {
    'attribute-origin': origin,
    'attribute-appVersion': '1.0.0.0',
    'attribute-inputSource': 'tour',
    entityData,
  };
  return {
    clue: {
      'attribute-organization': randomUUID(),
      'attribute-origin': origin,
      'attribute-appVersion': '1.0.0.0',
      clueDetails: { data },
      ...extra,
    },
  };
}

/** Paths of an operation, in each of its forms, with the fixtures' ids or with others. */
export function targets(
  id: string,
  fixtures: Fixtures,
  ids: 'known' | 'unknown' | 'malformed' = 'known',
): readonly string[] {
  const path = id.slice(id.indexOf(' ') + 1);
  const own = path.startsWith('/aiagent')
    ? fixtures.agent
    : path.startsWith('/aijob')
      ? fixtures.job
      : (fixtures.policies[0] ?? NOWHERE);
  const known: Record<string, string> = {
    id: own,
    jobId: fixtures.job,
    runId: fixtures.run,
    chatId: fixtures.chat,
    type: fixtures.type,
    resultId: fixtures.result,
    objectId: own,
    objectTypeId: NOWHERE,
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === 'type' || ids === 'known' ? (known[name] ?? NOWHERE) : ids === 'unknown' ? NOWHERE : 'no-uuid',
  );
  if (id === 'POST /admin/entity/ProcessClue') return [`/api${filled}`];
  if (id === 'GET /search/suggest') return [`/api/v2${filled}?q=a`, `/api/v3${filled}?q=a`];
  if (['GET /status', 'GET /vocabs/keys', 'POST /clue'].includes(id))
    return [`/api/v1${filled}${id === 'POST /clue' ? '?save=true' : ''}`];
  return [`/api${filled}`, `/api/v1${filled}`];
}

/** A body that the operation takes. */
export function bodyOf(id: string, fixtures: Fixtures): unknown {
  if (id === 'POST /clue') return clueBody({ 'person.name': 'x' });
  if (id.endsWith('ProcessClue')) return { name: 'x', nested: { a: 1 } };
  if (id === 'PATCH /aijob/{id}') return [{ op: 'replace', path: '/prompt', value: 'patched' }];
  if (id.endsWith('setprocessingorder'))
    return fixtures.policies.slice(0, 2).map((policy, order) => ({ id: policy, name: 'x', order }));
  if (id.endsWith('bulk-result-approval-request')) return { action: 1 };
  if (id.endsWith('approvals')) return { action: 0, results: [{ resultId: fixtures.result, userOverride: [] }] };
  if (/^(?:POST|PUT) .*policies(?:\/\{id\})?$/.test(id)) return policyBody();
  if (/^(?:POST|PUT) \/aiagent/.test(id))
    return { name: 'tour', instructions: 'i', description: 'd', metadata: { team: 'a' } };
  if (/^(?:POST|PUT) \/aijob(?:\/\{id\})?(?:\/preview|\/dry-run)?$/.test(id)) return jobBody(fixtures.agent);
  return undefined;
}

const methodOf = (id: string): string => id.slice(0, id.indexOf(' '));

/** The operation as one calls it, in each form. */
export function calls(
  id: string,
  fixtures: Fixtures,
  more: Partial<Probe> = {},
  ids: 'known' | 'unknown' | 'malformed' = 'known',
): Probe[] {
  return targets(id, fixtures, ids).map((target) => ({
    method: methodOf(id),
    target,
    body: bodyOf(id, fixtures),
    ...more,
  }));
}

const withText = (id: string, text: string, fixtures: Fixtures): Probe[] =>
  targets(id, fixtures).map((target) => ({ method: methodOf(id), target, text }));

const bearer = (token: string | undefined): Partial<Probe> => ({ authorization: `Bearer ${token ?? ''}` });

/** What an examiner of one operation asks: identities, ids, media types, broken bodies. */
export function examine(id: string, fixtures: Fixtures, tokens: Readonly<Record<string, string>>): readonly Probe[] {
  const identities: Partial<Probe>[] = [
    { authorization: null },
    bearer('nobody'),
    bearer(tokens['expired']),
    bearer(tokens['limited']),
    bearer(''),
    bearer(`${tokens['full'] ?? ''}x`),
    bearer('a b'),
    { authorization: `Basic ${tokens['full'] ?? ''}` },
    { authorization: tokens['full'] ?? '' },
  ];
  const takes = bodyOf(id, fixtures) !== undefined;
  return [
    ...calls(id, fixtures),
    ...calls(id, fixtures),
    ...identities.flatMap((identity) => calls(id, fixtures, identity)),
    ...identities.slice(0, 3).flatMap((identity) => calls(id, fixtures, identity, 'unknown')),
    ...(takes
      ? targets(id, fixtures).map((target): Probe => ({
          method: methodOf(id),
          target,
          text: '{"a":',
          authorization: null,
        }))
      : []),
    ...['text/json', 'text/plain', '*/*'].flatMap((accept) => calls(id, fixtures, { accept })),
    ...(id.includes('{') ? [...calls(id, fixtures, {}, 'unknown'), ...calls(id, fixtures, {}, 'malformed')] : []),
    ...(takes
      ? ['text/json', 'application/json-patch+json', 'application/vnd.tour+json', 'text/csv'].flatMap((type) =>
          calls(id, fixtures, { type }),
        )
      : []),
    ...(takes ? ['{"name":', '', '{}', '[]', '[{"id":'].flatMap((text) => withText(id, text, fixtures)) : []),
    ...calls(id, fixtures),
    ...calls(id, fixtures),
    ...calls(id, fixtures),
  ];
}

/** Every operation once, in each form. */
export function everything(fixtures: Fixtures): readonly Probe[] {
  return OPERATION_IDS.filter((id) => !id.startsWith('DELETE')).flatMap((id) => calls(id, fixtures));
}
