/**
 * Members of the published models. Types: `uuid`, `text`, `date`, `flag`, `int`, `long`, `number`, `any`, `map`, an enumeration such
 * as `0|1`, or the name of a model; `[]` after it makes a list and `?` allows null.
 */
export type Members = Readonly<Record<string, string>>;

/** Members with their types, written `name:type`. */
const members = (...rows: readonly string[]): Members =>
  Object.fromEntries(rows.flatMap((row) => row.split(' ')).map((word) => word.split(':')));

const CHANGED: Members = { createdAt: 'date', createdBy: 'text?', modifiedAt: 'date?', modifiedBy: 'text?' };

const AGENT: Members = { name: 'text', description: 'text?', instructions: 'text?', metadata: 'map?' };

const JOB: Members = members(
  'name:text description:text? metadata:map? prompt:text? allowedSkills:text[]? enableCronSchedule:flag',
  'cronSchedule:text? endpointId:uuid aiAgentId:uuid enabled:flag dataSources:AiJobDataSourceModel[]?',
);

const RESULT: Members = members(
  'id:uuid runId:uuid chatId:uuid description:text? type:text? createdAt:date approvedEntityDetails:any',
  'model:any status:text? state:text? modifiedAt:date? modifiedBy:uuid?',
);

const page = (item: string): Members =>
  members(`totalCount:int pageSize:int currentPage:int totalPages:int data:${item}[]?`);

/** The name of a generic type, as the framework of the real service writes it. */
export const pageOf = (item: string): string => `PaginatedResponse\`1[[${item}, Service.Models, Version=1.0.0.0]]`;

/** The published models by name. */
export const MODELS: Readonly<Record<string, Members>> = {
  AccessControlPolicyModel: {
    ...CHANGED,
    ...members(
      'name:text? description:text? id:uuid organizationId:uuid condition:FilterRule',
      'rules:AccessControlPolicyRuleModel[]? isActive:flag order:int requiresAttention:flag',
    ),
  },
  AccessControlPolicyRuleModel: {
    ...CHANGED,
    ...members(
      'name:text id:uuid? description:text? organizationId:uuid type:text? order:int isActive:flag',
      'conditions:FilterRule actions:AccessControlPolicyRuleActionModel[]?',
    ),
  },
  AccessControlPolicyRuleActionModel: members('name:text? type:text? supportsPreview:flag properties:RuleProperty[]?'),
  FilterRule: members(
    'objectTypeId:uuid condition:text? field:text? id:uuid operator:uuid type:text? rules:FilterRule[]?',
    'value:any[]?',
  ),
  RuleProperty: members(
    'name:text? type:text? kind:0|1|2|3|4|5|6|7|8 friendlyType:text? friendlyName:text?',
    'defaultValue:text? value:any isStringOnly:flag excludedProperties:text[]? isRequired:flag',
  ),
  AccessControlPolicyOrderingModel: { id: 'uuid', name: 'text?', order: 'int' },
  RuleActionModel: members(
    'name:text? type:text? supportsPreview:flag properties:RuleProperty[]?',
    'supportsProcessingRuleScopes:int[]? supportsRuleUsages:int[]?',
  ),
  AddAiAgentModel: AGENT,
  UpdateAiAgentModel: AGENT,
  AddAiJobModel: JOB,
  UpdateAiJobModel: JOB,
  GenerateAiJobPreviewModel: JOB,
  AiJobDataSourceModel: members(
    'id:uuid name:text? type:text? filterRule:FilterRule sample:flag sampleSize:int?',
    'isReferenceData:flag? dataSetId:uuid? vocabularyKeys:text[]? tail:flag',
  ),
  AiJobViewModel: {
    ...JOB,
    ...CHANGED,
    ...members(
      'name:text? id:uuid endpointName:text? resultsSummary:AiJobResultsSummary jobProgressId:uuid?',
      'providerDefinitionId:uuid? costPerInputToken:number costPerOutputToken:number totalTokenCost:number',
      'costCurrency:text?',
    ),
  },
  AiJobResultsSummary: { items: 'AiJobResultSummaryViewModel[]?' },
  AiJobListItemViewModel: {
    ...CHANGED,
    ...members(
      'id:uuid name:text? description:text? allowedSkills:text[]? enabled:flag aiAgentId:uuid',
      'jobProgressId:uuid? totalTokenCost:number costCurrency:text? metadata:map? enableCronSchedule:flag',
      'cronSchedule:text? pendingItems:int',
    ),
  },
  AiJobResultSummaryViewModel: { type: 'text?', status: 'text?', count: 'int' },
  AiJobPreviewViewModel: { input: 'text?' },
  RunNowResultModel: { jobProgressId: 'uuid' },
  'StreamItem+AiJobRunChat': { item: 'AiJobRunChatViewModel', offset: 'long' },
  AiJobRunListItemViewModel: members(
    'id:uuid startedAt:date completedAt:date? state:text? count:int createdBy:uuid jobDetail:any',
    'dryRun:flag chatsWithNoResults:uuid[]?',
  ),
  AiJobRunChatListItemViewModel: { id: 'uuid', sequenceId: 'int' },
  AiJobRunChatViewModel: members('id:uuid sequenceId:int input:text? output:text? rawRequest:text? rawResponse:text?'),
  AiJobRunResultViewModel: { description: 'text?', state: 'text?', type: 'text?', model: 'any', chatId: 'uuid' },
  AiJobResultListItemViewModel: RESULT,
  AiJobResultViewModel: RESULT,
  SkillModel: { id: 'uuid', name: 'text?', autoApprove: 'flag', supportedPrimaryDataSourceTypes: 'text[]?' },
  AiResultApprovalModel: { results: 'ResultOverride[]', action: '0|1' },
  ResultOverride: { resultId: 'uuid', userOverride: 'Operation[]?' },
  BulkAiResultApprovalRequestModel: { action: '0|1' },
  Operation: { op: 'text', path: 'text', from: 'text?', value: 'any' },
  [pageOf('AiJobResultListItemViewModel')]: page('AiJobResultListItemViewModel'),
  [pageOf('AiJobRunListItemViewModel')]: page('AiJobRunListItemViewModel'),
  [pageOf('AiJobRunChatListItemViewModel')]: page('AiJobRunChatListItemViewModel'),
  [pageOf('AiJobRunResultViewModel')]: page('AiJobRunResultViewModel'),
};

/** Required members by model. */
export const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  AccessControlPolicyRuleModel: ['name'],
  AddAiAgentModel: ['name'],
  UpdateAiAgentModel: ['name'],
  AddAiJobModel: ['name'],
  UpdateAiJobModel: ['name'],
  GenerateAiJobPreviewModel: ['name'],
  AiResultApprovalModel: ['results', 'action'],
  BulkAiResultApprovalRequestModel: ['action'],
};
