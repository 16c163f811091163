export { OPERATIONS, operationOf, resourceFor } from './operations.ts';
export { sharedAgent, freshAgent, freshJob, withMembers, freshPolicy } from './make.ts';
export { RUN_PATIENCE_MS, ranJob, makeRanJob } from './ran-job.ts';
export { valuesOf, resultType, auditTypeOf, currentOrder } from './seen.ts';
export { FILTER_TELLS_NOTHING, filterTells } from './filter-tells.ts';
export { lifecycleSentences, NOT_AS_SENT } from './sentences.ts';
