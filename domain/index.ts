import type { Contract, Operation } from '../spec/index.ts';
import { builtinKnowledge } from './builtin/knowledge.ts';
import { withBodies } from './fixtures.ts';
import type { Fixtures } from './fixtures.ts';
import { inferredKnowledge } from './inferred/knowledge.ts';
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

/**
 * Knowledge of the data management platform where another description is used, such as the one that a deployment serves: built-in
 * knowledge of the operations that api.md shows, inferred knowledge of the others.
 */
function mixedKnowledge(contract: Contract, fixtures: Fixtures): ApiKnowledge {
  const known = builtinKnowledge(contract, fixtures);
  const inferred = inferredKnowledge(contract);
  const knowledgeOf = ({ inDocument }: Operation): ApiKnowledge => (inDocument === true ? known : inferred);
  return {
    ...known,
    guarantees: (what, operation) => operation !== undefined && knowledgeOf(operation).guarantees(what, operation),
    lifecycleRequirements: (resource) => knowledgeOf(resource.create).lifecycleRequirements(resource),
    sampleBody: (operation, name, references) => knowledgeOf(operation).sampleBody(operation, name, references),
    references: (t, operation, path) => knowledgeOf(operation).references(t, operation, path),
    placeholders: (t, operation) => knowledgeOf(operation).placeholders?.(t, operation),
    bodyGenerator: (operation, references) => knowledgeOf(operation).bodyGenerator(operation, references),
    pathValue: (t, operation, place) => knowledgeOf(operation).pathValue(t, operation, place),
    query: (t, operation) => knowledgeOf(operation).query(t, operation),
    prepare: (t, operation, path) => knowledgeOf(operation).prepare(t, operation, path),
    listFixture: (t, operation) => knowledgeOf(operation).listFixture(t, operation),
    endsSession: (operation) => knowledgeOf(operation).endsSession?.(operation) === true,
  };
}
