/** Maps raw data of one shape to a clue. */
export interface Mapping {
  readonly entityType: string;
  readonly source: string;
  /** Field with the id of the record. */
  readonly idField: string;
  /** Vocabulary key by field. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The existing mappings (annotations); no documented operation creates one. */
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

/** The mapping with an id field that the data has. */
export function mappingFor(data: Readonly<Record<string, unknown>>): Mapping | undefined {
  return MAPPINGS.find((mapping) => {
    const id = Object.hasOwn(data, mapping.idField) ? data[mapping.idField] : undefined;
    return typeof id === 'string' || typeof id === 'number';
  });
}
