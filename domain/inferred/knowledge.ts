import { endsSession } from '../../spec/ends-session.ts';
import type { Contract } from '../../spec/index.ts';
import type { ApiKnowledge } from '../knowledge.ts';
import { innerResourcesOf } from '../inner-items.ts';
import { nestedResourcesOf, resourcesOf } from '../resources.ts';
import { ownParents, referencesOf } from './references.ts';
import { mayServeOther } from './other-bodies.ts';
import { plainBody } from './plain-request.ts';

/** Members that services usually set themselves. */
const SET_BY_SERVICE = new Set([
  'id',
  ...['created', 'modified', 'updated'].flatMap((when) => [`${when}at`, `${when}by`, `${when}_at`, `${when}_by`]),
]);

const VOLATILE = /summary|progress|count|total|order/i;

/**
 * Knowledge inferred from a description alone. A description says what responses look like, not that a deployment, or a
 * mock of it, stores what it is given: nothing is guaranteed.
 */
export function inferredKnowledge(contract: Contract): ApiKnowledge {
  return {
    guarantees: () => false,
    resources: resourcesOf(contract),
    nested: nestedResourcesOf(contract),
    inner: innerResourcesOf(contract),
    parents: ownParents,
    lifecycleRequirements: () => ({ create: [], update: [], remove: [] }),
    members: { setByService: SET_BY_SERVICE, alwaysReturned: new Set(), maps: new Set(), volatile: VOLATILE },
    sampleBody: (operation, name, references) => plainBody(contract, operation, name, references),
    mayServeOther: (operation, exchange) => mayServeOther(contract, operation, exchange),
    references: referencesOf,
    bodyGenerator: () => undefined,
    pathValue: () => undefined,
    query: () => Promise.resolve({}),
    prepare: () => Promise.resolve(),
    listFixture: () => undefined,
    endsSession,
  };
}
