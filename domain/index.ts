import type { Contract } from '../spec/index.ts';
import { builtinKnowledge } from './builtin/knowledge.ts';
import { withBodies } from './fixtures.ts';
import type { Fixtures } from './fixtures.ts';
import { inferredKnowledge } from './inferred/knowledge.ts';
import { mixedKnowledge } from './mixed.ts';
import type { ApiKnowledge } from './knowledge.ts';

export type { Fixtures } from './fixtures.ts';
export type { ApiContext, RequestSpec } from './context.ts';
export type { ApiKnowledge, Guarantee, MemberRules } from './knowledge.ts';
export { inferredKnowledge } from './inferred/knowledge.ts';

/**
 * Creates the knowledge of an API from its contract. A module with the knowledge of another API exports one as
 * `knowledge`.
 */
export type CreateKnowledge = (contract: Contract) => ApiKnowledge;

export function knowledgeFor(contract: Contract, fixtures: Fixtures = {}): ApiKnowledge {
  return withBodies(chosenFor(contract, fixtures), fixtures);
}

function chosenFor(contract: Contract, fixtures: Fixtures): ApiKnowledge {
  if (contract.builtIn) return builtinKnowledge(contract, fixtures);
  return contract.operations.some(({ inDocument }) => inDocument === true)
    ? mixedKnowledge(contract, fixtures)
    : inferredKnowledge(contract);
}
