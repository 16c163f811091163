export { OPERATIONS, operationOf, resourceFor } from './operations.ts';
export { sharedAgent, freshAgent, freshJob, withMembers, freshPolicy } from './make.ts';
export { RUN_PATIENCE_MS, ranJob, makeRanJob } from './runs.ts';
export { valuesOf, resultType, auditTypeOf, currentOrder } from './observed.ts';
export { FILTER_TELLS_NOTHING, filterTells } from './filter-active.ts';
export { lifecycleSentences, NOT_AS_SENT } from './lifecycle-requirements.ts';
