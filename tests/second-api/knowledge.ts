import { inferredKnowledge } from '../../domain/index.ts';
import type { ApiKnowledge, Guarantee } from '../../domain/index.ts';
import type { Contract } from '../../spec/index.ts';

const GUARANTEES: readonly Guarantee[] = ['valid-requests-succeed', 'storage', 'effects'];

/** What is known of the notes API beyond its description: notes are stored, and can be deleted. */
export function knowledge(contract: Contract): ApiKnowledge {
  return {
    ...inferredKnowledge(contract),
    guarantees: (what) => GUARANTEES.includes(what),
    sampleBody: (operation, name) => (operation.body === undefined ? undefined : { text: `A note of ${name}` }),
  };
}
