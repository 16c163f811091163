import type { Contract } from '../spec/index.ts';
import { builtinKnowledge } from './builtin/knowledge.ts';
import { inferredKnowledge } from './inferred/knowledge.ts';
import { mixedKnowledge } from './mixed.ts';
import type { ApiKnowledge } from './knowledge.ts';

export type { ApiContext, RequestSpec } from './context.ts';
export type { ApiKnowledge, Guarantee, MemberRules } from './knowledge.ts';
export { inferredKnowledge } from './inferred/knowledge.ts';

/**
 * Creates the knowledge of an API from its contract. A module with the knowledge of another API exports one as
 * `knowledge`.
 */
export type CreateKnowledge = (contract: Contract) => ApiKnowledge;

/** The knowledge that fits a contract. */
export function knowledgeFor(contract: Contract): ApiKnowledge {
  if (contract.builtIn) return builtinKnowledge(contract);
  return contract.operations.some(({ inDocument }) => inDocument === true)
    ? mixedKnowledge(contract)
    : inferredKnowledge(contract);
}
