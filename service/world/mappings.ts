/** How raw data of one shape becomes a clue. */
export interface Mapping {
  readonly entityType: string;
  readonly source: string;
  /** Member that identifies the record. */
  readonly idField: string;
  /** Vocabulary key by member. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The mappings (annotations) that exist; there is no documented operation that makes one. */
const MAPPINGS: readonly Mapping[] = [
  {
    entityType: '/Employee',
    source: 'HR',
    idField: 'employeeId',
    fields: { name: 'employee.name', email: 'employee.email', title: 'employee.jobTitle' },
  },
  {
    entityType: '/Organization',
    source: 'CRM',
    idField: 'customerId',
    fields: { name: 'organization.name', city: 'organization.addressCity', country: 'organization.addressCountryCode' },
  },
];

/** The mapping whose identifying member the data has. */
export function mappingFor(data: Readonly<Record<string, unknown>>): Mapping | undefined {
  return MAPPINGS.find((mapping) => {
    const id = Object.hasOwn(data, mapping.idField) ? data[mapping.idField] : undefined;
    return typeof id === 'string' || typeof id === 'number';
  });
}
