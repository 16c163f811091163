import type { Contract, Operation } from '../spec/index.ts';
import { builtinKnowledge } from './builtin/knowledge.ts';
import { inferredKnowledge } from './inferred/knowledge.ts';
import type { Fixtures } from './fixtures.ts';
import type { ApiKnowledge } from './knowledge.ts';

/**
 * Knowledge of the data management platform by another description, such as the one that a deployment serves: what api.md says of
 * the operations that it shows, and what the description says of the others.
 */
export function mixedKnowledge(contract: Contract, fixtures: Fixtures = {}): ApiKnowledge {
  const known = builtinKnowledge(contract, fixtures);
  const inferred = inferredKnowledge(contract);
  const of = ({ inDocument }: Operation): ApiKnowledge => (inDocument === true ? known : inferred);
  return {
    ...known,
    name: 'mixed',
    guarantees: (what, operation) => operation !== undefined && of(operation).guarantees(what, operation),
    lifecycleRequirements: (resource) => of(resource.create).lifecycleRequirements(resource),
    sampleBody: (operation, name, references) => of(operation).sampleBody(operation, name, references),
    references: (t, operation, path) => of(operation).references(t, operation, path),
    placeholders: (t, operation) => of(operation).placeholders?.(t, operation),
    bodyGenerator: (operation, references) => of(operation).bodyGenerator(operation, references),
    pathValue: (t, operation, place) => of(operation).pathValue(t, operation, place),
    query: (t, operation) => of(operation).query(t, operation),
    cookies: (operation) => of(operation).cookies(operation),
    prepare: (t, operation, path) => of(operation).prepare(t, operation, path),
    listFixture: (t, operation) => of(operation).listFixture(t, operation),
  };
}
