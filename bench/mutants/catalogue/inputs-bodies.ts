import type { Mutant } from '../types.ts';
import { asList, asObject } from '../kit.ts';
import {
  AGENTS,
  depth,
  JOBS,
  mangles,
  mapStrings,
  metadata,
  name,
  POLICY,
  rules,
  SET,
  sources,
  str,
  strings,
  trips,
  WRITES,
} from './inputs-kit.ts';

const STRINGS: readonly Mutant[] = [
  trips('policy-name-over-255-500', WRITES, (body) => name(body).length > 255),
  trips('policy-name-apostrophe-500', WRITES, (body) => name(body).includes("'")),
  trips('policy-name-percent-500', WRITES, (body) => name(body).includes('%')),
  trips('policy-description-astral-500', WRITES, (body) => /[\u{10000}-\u{10ffff}]/u.test(str(body['description']))),
  trips('policy-description-markup-500', WRITES, (body) => /<\/?\w+/.test(str(body['description']))),
  trips('policy-description-nul-500', WRITES, (body) => str(body['description']).includes('\0')),
  trips('policy-description-empty-500', WRITES, (body) => body['description'] === ''),
  trips('policy-description-over-4000-500', WRITES, (body) => str(body['description']).length > 4000),
  trips('agent-name-one-character-500', AGENTS, (body) => /^.$/su.test(name(body))),
  trips('agent-name-quote-500', AGENTS, (body) => name(body).includes('"')),
  trips('agent-instructions-newline-500', AGENTS, (body) => /[\r\n]/.test(str(body['instructions']))),
  trips('agent-instructions-backslash-500', AGENTS, (body) => str(body['instructions']).includes('\\')),
  trips('agent-name-bidi-500', AGENTS, (body) => /[\u0590-\u08ff\u202a-\u202e\u2066-\u2069]/.test(name(body))),
  trips('agent-name-combining-500', AGENTS, (body) => /\p{M}/u.test(name(body))),
  trips('agent-name-only-digits-500', AGENTS, (body) => /^\d+$/.test(name(body))),
  trips('job-name-trailing-space-500', JOBS.slice(0, 2), (body) => /\s$/.test(name(body))),
  trips('job-prompt-braces-500', JOBS.slice(0, 2), (body) => /\{\{|\$\{/.test(str(body['prompt']))),
  trips('job-any-lone-surrogate-500', JOBS.slice(0, 2), (body) =>
    strings(body).some((text) => /\p{Surrogate}/u.test(text)),
  ),
  mangles('policy-name-trimmed', WRITES, (body) => mapStrings(body, ['name'], (text) => text.trim()), [
    `GET ${POLICY}/{id}`,
  ]),
  mangles(
    'policy-description-cut-at-100',
    WRITES,
    (body) => mapStrings(body, ['description'], (text) => text.slice(0, 100)),
    [`GET ${POLICY}/{id}`],
  ),
  mangles(
    'policy-description-escaped',
    WRITES,
    (body) => mapStrings(body, ['description'], (text) => text.replaceAll('<', '&lt;')),
    [`GET ${POLICY}/{id}`],
  ),
  mangles(
    'policy-name-non-ascii-lost',
    WRITES,
    (body) => mapStrings(body, ['name'], (text) => text.replaceAll(/[^\0-\u00ff]/g, '?')),
    [`GET ${POLICY}/{id}`],
  ),
  mangles(
    'agent-instructions-newlines-normalised',
    AGENTS,
    (body) => mapStrings(body, ['instructions'], (text) => text.replaceAll('\r\n', '\n')),
    ['GET /aiagent/{id}'],
  ),
  mangles(
    'agent-description-null-word',
    AGENTS,
    (body) => (body['description'] === null ? { ...body, description: 'null' } : body),
    ['GET /aiagent/{id}'],
  ),
  mangles(
    'job-name-normalised',
    JOBS.slice(0, 2),
    (body) => mapStrings(body, ['name'], (text) => text.normalize('NFC')),
    ['GET /aijob/{id}'],
  ),
  mangles(
    'job-prompt-empty-becomes-null',
    JOBS.slice(0, 2),
    (body) => (body['prompt'] === '' ? { ...body, prompt: null } : body),
    ['GET /aijob/{id}'],
  ),
];

const SHAPES: readonly Mutant[] = [
  trips('policy-over-5-rules-500', WRITES, (body) => rules(body).length > 5),
  trips('policy-rule-without-actions-500', WRITES, (body) =>
    rules(body).some((rule) => Array.isArray(rule['actions']) && rule['actions'].length === 0),
  ),
  trips('policy-two-rules-one-name-500', WRITES, (body) => new Set(rules(body).map(name)).size < rules(body).length),
  trips('policy-condition-depth-3-500', WRITES, (body) => depth(body['condition']) >= 3),
  trips('policy-condition-absent-500', WRITES, (body) => !('condition' in body)),
  trips('policy-negative-order-500', WRITES, (body) => typeof body['order'] === 'number' && body['order'] < 0),
  trips('policy-active-with-rules-500', WRITES, (body) => body['isActive'] === true && rules(body).length > 0),
  trips(
    'policy-filter-value-empty-500',
    WRITES,
    (body) =>
      Array.isArray(asObject(body['condition'])['value']) && asList(asObject(body['condition'])['value']).length === 0,
  ),
  trips('agent-metadata-over-8-500', AGENTS, (body) => metadata(body).length > 8),
  trips(
    'agent-metadata-empty-500',
    AGENTS,
    (body) => 'metadata' in body && body['metadata'] !== null && metadata(body).length === 0,
  ),
  trips('agent-metadata-empty-value-500', AGENTS, (body) => metadata(body).some(([, value]) => value === '')),
  trips(
    'agent-metadata-proto-500',
    AGENTS,
    (_, call) => call.body.includes('__proto__') || call.body.includes('constructor'),
  ),
  trips(
    'agent-metadata-without-description-500',
    AGENTS,
    (body) => metadata(body).length > 0 && !('description' in body),
  ),
  trips(
    'job-schedule-without-flag-500',
    JOBS.slice(0, 2),
    (body) => body['enableCronSchedule'] === false && str(body['cronSchedule']) !== '',
  ),
  trips(
    'job-skill-twice-500',
    JOBS.slice(0, 2),
    (body) => new Set(asList(body['allowedSkills'])).size < asList(body['allowedSkills']).length,
  ),
  trips(
    'job-no-skills-enabled-500',
    JOBS.slice(0, 2),
    (body) => body['enabled'] === true && Array.isArray(body['allowedSkills']) && body['allowedSkills'].length === 0,
  ),
  trips('job-sample-size-1000-500', JOBS.slice(0, 2), (body) =>
    sources(body).some((source) => source['sampleSize'] === 1000),
  ),
  trips('job-sample-size-0-500', JOBS.slice(0, 2), (body) =>
    sources(body).some((source) => source['sampleSize'] === 0),
  ),
  trips('job-two-sources-500', JOBS.slice(0, 2), (body) => sources(body).length === 2),
  trips('job-many-vocabulary-keys-500', JOBS.slice(0, 2), (body) =>
    sources(body).some((source) => asList(source['vocabularyKeys']).length > 3),
  ),
  trips('job-patch-over-3-operations-500', ['PATCH /aijob/{id}'], (_, call) => asList(call.json).length > 3),
  trips('job-patch-object-value-500', ['PATCH /aijob/{id}'], (_, call) =>
    asList(call.json).some((op) => Object.keys(asObject(asObject(op)['value'])).length > 0),
  ),
  trips(
    'job-patch-root-path-500',
    ['PATCH /aijob/{id}'],
    (_, call) => asList(call.json).some((op) => asObject(op)['path'] === ''),
    false,
  ),
  trips('order-empty-500', [SET], (_, call) => Array.isArray(call.json) && call.json.length === 0, false),
  trips(
    'order-repeated-id-500',
    [SET],
    (_, call) => {
      const ids = asList(call.json).map((entry) => asObject(entry)['id']);
      return new Set(ids).size < ids.length;
    },
    false,
  ),
  trips('order-one-entry-500', [SET], (_, call) => asList(call.json).length === 1, false),
  trips('policy-no-name-500', WRITES, (body) => !('name' in body), false),
  trips('policy-name-number-500', WRITES, (body) => typeof body['name'] === 'number', false),
  trips(
    'policy-rules-object-500',
    WRITES,
    (body) => 'rules' in body && body['rules'] !== null && !Array.isArray(body['rules']),
    false,
  ),
  trips(
    'agent-unknown-member-500',
    AGENTS,
    (body) => Object.keys(body).some((key) => !['name', 'description', 'instructions', 'metadata'].includes(key)),
    false,
  ),
  trips(
    'job-agent-id-no-uuid-500',
    JOBS.slice(0, 2),
    (body) => 'aiAgentId' in body && !/^[0-9a-f-]{36}$/i.test(str(body['aiAgentId'])),
    false,
  ),
  mangles(
    'agent-metadata-sixth-entry-lost',
    AGENTS,
    (body) =>
      'metadata' in body && metadata(body).length > 5
        ? { ...body, metadata: Object.fromEntries(metadata(body).slice(0, 5)) }
        : body,
    ['GET /aiagent/{id}'],
  ),
  mangles(
    'agent-metadata-keys-lower-case',
    AGENTS,
    (body) =>
      metadata(body).length > 0
        ? { ...body, metadata: Object.fromEntries(metadata(body).map(([key, value]) => [key.toLowerCase(), value])) }
        : body,
    ['GET /aiagent/{id}'],
  ),
  mangles(
    'job-skills-sorted',
    JOBS.slice(0, 2),
    (body) =>
      Array.isArray(body['allowedSkills'])
        ? { ...body, allowedSkills: [...asList(body['allowedSkills'])].map(String).sort((a, b) => a.localeCompare(b)) }
        : body,
    ['GET /aijob/{id}'],
  ),
  mangles(
    'policy-rules-reversed',
    WRITES,
    (body) => (rules(body).length > 1 ? { ...body, rules: rules(body).toReversed() } : body),
    [`GET ${POLICY}/{id}`],
  ),
  mangles(
    'policy-nested-rules-lost',
    WRITES,
    (body) =>
      depth(body['condition']) > 2 ? { ...body, condition: { ...asObject(body['condition']), rules: [] } } : body,
    [`GET ${POLICY}/{id}`],
  ),
];

export const INPUTS_BODIES: readonly Mutant[] = [...STRINGS, ...SHAPES];
