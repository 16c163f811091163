import type { Operation, Parameter } from '../../spec/index.ts';
import { withQuery } from '../proxy/call.ts';
import type { Where } from '../proxy/call.ts';
import { at } from '../proxy/handler.ts';
import { asObject } from '../proxy/json.ts';
import type { Call, Make } from '../proxy/message.ts';
import { filtersOf, gradeOf, isList, itemsRef, membersOf, pagingParameters, sortingOf, typesOf } from '../surface.ts';
import type { Surface } from '../surface.ts';
import { byFull } from './operator.ts';
import type { Operator, Variant } from './operator.ts';

const FILTER = 'a filter selects what it says (section 4)';

const ORDER = 'orderBy: field to sort by; orderAsc and sortDirection: direction (sections 4 and 8)';

/** A variant for each of some parameters of the lists. */
function onParameters(
  parameters: (surface: Surface, operation: Operation) => readonly Parameter[],
  make: (where: Where, parameter: Parameter) => Make,
) {
  return (surface: Surface): readonly Variant[] =>
    surface.operations
      .filter(
        (operation) =>
          operation.method === 'GET' && (isList(surface.contract, operation) || filtersOf(operation).length > 0),
      )
      .flatMap((operation) =>
        parameters(surface, operation).map((parameter) => ({
          operation,
          name: parameter.name,
          grade: gradeOf(parameter, surface.contract),
          make: (where: Where) =>
            make(
              byFull(where, ({ search }) => mentions(search, parameter)),
              parameter,
            ),
        })),
      );
}

const mentions = (search: URLSearchParams, { name }: Parameter): boolean =>
  [...search.keys()].some((key) => key === name || key.startsWith(`${name}[`));

const filters = ({ contract }: Surface, operation: Operation): readonly Parameter[] =>
  filtersOf(operation).filter((each) => gradeOf(each, contract) === 'documented');

const defaultOf = ({ schema }: Parameter): unknown => asObject(schema.schema)['default'];

/** True for a `search…` parameter if items have no name: the document does not state what it finds. */
function isUnspecified({ contract }: Surface, operation: Operation, { name }: Parameter): boolean {
  return (
    /^search/i.test(name) && !membersOf(contract, itemsRef(contract, operation)).some((each) => each.name === 'name')
  );
}

/** Documented filters whose matches the document states. */
const specifiedFilters = (surface: Surface, operation: Operation): readonly Parameter[] =>
  filters(surface, operation).filter((each) => !isUnspecified(surface, operation, each));

const ofType =
  (type: string) =>
  (surface: Surface, operation: Operation): readonly Parameter[] =>
    filters(surface, operation).filter(({ schema }) => typesOf(schema.schema).includes(type));

/** The query without a parameter, in any style. */
function without({ search }: Call, { name }: Parameter): { query: string } {
  const kept = [...search].filter(([key]) => key !== name && !key.startsWith(`${name}[`));
  return { query: new URLSearchParams(kept).toString() };
}

function firstValue({ search }: Call, { name }: Parameter): { query: string } {
  const isOwn = (key: string): boolean => key === name || key.startsWith(`${name}[`);
  const first = [...search.keys()].findIndex(isOwn);
  return {
    query: new URLSearchParams([...search].filter(([key], index) => !isOwn(key) || index === first)).toString(),
  };
}

const ignored = (where: Where, parameter: Parameter): Make => at(where).requests((call) => without(call, parameter));

const isDirection = ({ name, schema }: Parameter): boolean =>
  /asc|dir/i.test(name) || typesOf(schema.schema).includes('boolean');

const keys = (_: Surface, operation: Operation): readonly Parameter[] =>
  sortingOf(operation).filter((each) => !isDirection(each));

const directions = (_: Surface, operation: Operation): readonly Parameter[] => sortingOf(operation).filter(isDirection);

const booleanDirections = (surface: Surface, operation: Operation): readonly Parameter[] =>
  directions(surface, operation).filter(({ schema }) => typesOf(schema.schema).includes('boolean'));

const flipped: Readonly<Record<string, string>> = {
  true: 'false',
  false: 'true',
  '0': '1',
  '1': '0',
  Ascending: 'Descending',
  Descending: 'Ascending',
};

function namesOther({ search, route }: Call, own: Parameter): boolean {
  if (route === undefined) return false;
  return filtersOf(route.operation).some((each) => each.name !== own.name && mentions(search, each));
}

/** The largest double below 2^63. */
const LARGEST_DOUBLE = 2 ** 63 - 1024;

function onInt64(change: (value: string) => string) {
  return (surface: Surface): readonly Variant[] =>
    surface.operations.flatMap((operation) =>
      operation.parameters
        .filter(({ in: place, schema }) => place === 'query' && asObject(schema.schema)['format'] === 'int64')
        .map(({ name }) => ({
          operation,
          name,
          make: (where: Where) =>
            at(byFull(where, ({ search }) => /^-?\d+$/.test(search.get(name) ?? ''))).requests((call) =>
              withQuery(call, { [name]: change(call.search.get(name) ?? '0') }),
            ),
        })),
    );
}

export const FILTER_OPERATORS = {
  'order-key-ignored': {
    title: 'The field to sort by is ignored.',
    breaks: ORDER,
    checks: ['ordering'],
    perForm: true,
    variants: onParameters(keys, ignored),
  },
  'order-per-page': {
    title: 'Later pages are not sorted.',
    breaks: ORDER,
    checks: ['ordering', 'paging-partition'],
    variants: onParameters(keys, (where, parameter) =>
      ignored(
        { ...where, when: (call) => where.when?.(call) === true && /page[^=&]*=[1-9]/i.test(call.query) },
        parameter,
      ),
    ),
  },
  'direction-ignored': {
    title: 'The sort direction is ignored.',
    breaks: ORDER,
    checks: ['ordering'],
    perForm: true,
    variants: onParameters(directions, ignored),
  },
  'direction-inverted': {
    title: 'The sort direction is inverted.',
    breaks: ORDER,
    checks: ['ordering'],
    // The document does not state the meaning of the values of other directions.
    variants: onParameters(booleanDirections, (where, { name }) =>
      at(where).requests((call) =>
        withQuery(call, { [name]: flipped[call.search.get(name) ?? ''] ?? call.search.get(name) ?? undefined }),
      ),
    ),
  },
  'filter-ignored': {
    title: 'A filter is ignored.',
    breaks: FILTER,
    checks: ['filters', 'query-styles'],
    perForm: true,
    variants: onParameters(filters, ignored),
  },
  'filter-inverted': {
    title: 'A boolean filter selects the opposite.',
    breaks: FILTER,
    checks: ['filters', 'activation'],
    perForm: true,
    variants: onParameters(ofType('boolean'), (where, { name }) =>
      at(where).requests((call) => withQuery(call, { [name]: flipped[call.search.get(name) ?? ''] })),
    ),
  },
  'filter-false-ignored': {
    title: 'A boolean filter selects everything if it is false.',
    breaks: FILTER,
    checks: ['filters', 'activation'],
    // If false is the default, selecting everything is correct.
    variants: onParameters(
      (surface, operation) => ofType('boolean')(surface, operation).filter((each) => defaultOf(each) !== false),
      (where, parameter) =>
        at(where).requests((call) =>
          call.search.get(parameter.name) === 'false' ? without(call, parameter) : undefined,
        ),
    ),
  },
  'filter-selects-nothing': {
    title: 'A filter selects nothing.',
    breaks: FILTER,
    checks: ['filters', 'query-styles', 'audit-log'],
    variants: onParameters(specifiedFilters, (where) => at(where).relists(() => [])),
  },
  'filter-loses-one': {
    title: 'A filter loses its last match.',
    breaks: FILTER,
    checks: ['filters', 'query-styles', 'created-reads-back', 'paging-partition'],
    // Which entries of the audit log belong to an object is not documented.
    variants: onParameters(
      (surface, operation) =>
        specifiedFilters(surface, operation).filter(({ schema }) => !typesOf(schema.schema).includes('array')),
      (where) => at(where).relists((list) => list.slice(0, -1)),
    ),
  },
  'filter-beside-ignored': {
    title: 'A filter is ignored if another filter is given.',
    breaks: FILTER,
    checks: ['filters'],
    variants: (surface) =>
      onParameters(specifiedFilters, (where, parameter) =>
        ignored({ ...where, when: (call) => where.when?.(call) === true && namesOther(call, parameter) }, parameter),
      )(surface).filter(({ operation }) => specifiedFilters(surface, operation).length > 1),
  },
  'filter-on-first-page-only': {
    title: 'A filter is forgotten on later pages.',
    breaks: FILTER,
    checks: ['filters', 'paging-partition'],
    variants: (surface) =>
      onParameters(filters, (where, parameter) =>
        ignored(
          { ...where, when: (call) => where.when?.(call) === true && /(?:^|&)page[^=]*=[1-9]/i.test(call.query) },
          parameter,
        ),
      )(surface).filter(({ operation }) => pagingParameters(operation) !== undefined),
  },
  'filter-first-value-only': {
    title: 'Only the first of several values of a parameter is used.',
    breaks: 'deepObject style; array in the query (section 4)',
    checks: ['query-styles', 'filters'],
    variants: (surface) =>
      ['array', 'object'].flatMap((type) =>
        onParameters(ofType(type), (where, parameter) => at(where).requests((call) => firstValue(call, parameter)))(
          surface,
        ),
      ),
  },
  'offset-rounded': {
    title: 'A 64-bit offset is rounded to a double.',
    breaks: 'offset int64 (section 4)',
    checks: ['int64-offset'],
    variants: onInt64((value) => `${BigInt(Math.min(Number(value), LARGEST_DOUBLE))}`),
  },
  'offset-int32': {
    title: 'An offset past 32 bits is refused.',
    breaks: 'offset int64 (section 4)',
    checks: ['int64-offset', 'valid-request-served'],
    variants: onInt64((value) => (BigInt(value) > 0x7fffffffn ? 'too-big' : value)),
  },
} as const satisfies Record<string, Operator>;
