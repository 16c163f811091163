/** Healthy choices where api.md shows neither the fields of a model nor the states of a resource. */
import { answers, bodies, idOf, is, json, who } from './layers.ts';
import { isItem } from './model.ts';
import type { Personality } from './personalities.ts';
import type { Call } from './service.ts';
import { TOKENS } from './service.ts';

const LOCKED = [
  'PUT /aijob/{}',
  'PATCH /aijob/{}',
  'DELETE /aijob/{}',
  'POST /aijob/{}/execution-queue',
  'POST /aijob/{}/dry-run',
];
const hasOddKeys = (call: Call): boolean => {
  const body = json(call);
  const metadata = isItem(body) ? body['metadata'] : undefined;
  return isItem(metadata) && Object.keys(metadata).some((key) => !/^[\w.-]+$/.test(key));
};

export const CHOICES: Record<string, Personality> = {
  'jobs-are-locked-while-they-run': {
    options: { runMs: 500 },
    layers: [
      (call, next, service) => {
        const isRunning = service.runs.some(({ jobId, state }) => jobId === idOf(call) && state === 'Running');
        return who(call) === TOKENS.full && is(call, ...LOCKED) && isRunning ? { status: 409 } : next(call);
      },
    ],
  },
  'agents-in-wrappers': {
    layers: [
      answers((answer, call) => {
        if (answer.status !== 200 || !is(call, 'GET /aiagent', 'GET /aiagent/{}')) return answer;
        return { ...answer, body: { links: {}, [Array.isArray(answer.body) ? 'agents' : 'agent']: answer.body } };
      }),
    ],
  },
  'creators-are-shown-by-name': {
    layers: [bodies((item) => (item['createdBy'] === 'full' ? { ...item, createdBy: 'Full User' } : item))],
  },
  'metadata-keys-are-plain': {
    layers: [(call, next) => (who(call) === TOKENS.full && hasOddKeys(call) ? { status: 400 } : next(call))],
  },
};
