import { isObject } from '../../spec/index.ts';
import type { Operation, Parameter } from '../../spec/index.ts';
import { formOf, methodOf } from '../request-spec.ts';
import type { Middleware, RequestSpec } from '../request-spec.ts';

/** The parameter that sets how many items a page has. */
export function sizeParameterOf({ parameters }: Operation): Parameter | undefined {
  return parameters.find(
    ({ name, in: place }) => place === 'query' && /^(take|page_?size|limit|size|per_?page|top)$/i.test(name),
  );
}

/** Page sizes to ask for after a refusal; the last is the smallest of the usual defaults. */
const SMALLER = [50, 20, 10] as const;
const REFUSED: readonly (number | undefined)[] = [400, 422];

/** Asks for smaller pages where large ones are refused: the maximum is not documented. `isExact` leaves a request as it is. */
export function withPageSize(): Middleware {
  const most = new Map<string, number>();
  return (next) => async (spec) => {
    const { operation, query, isExact } = spec;
    const name = sizeParameterOf(operation)?.name;
    const size = name === undefined ? undefined : query?.[name];
    if (name === undefined || typeof size !== 'number' || isExact === true || methodOf(spec) !== 'GET')
      return next(spec);
    const key = `${operation.id} ${formOf(spec).name}`;
    const withSize = (count: number): RequestSpec => ({ ...spec, query: { ...query, [name]: count } });
    const known = most.get(key);
    if (known !== undefined) return next(withSize(Math.min(known, size)));
    const refused = await next(spec);
    if (!REFUSED.includes(refused.response?.status)) return refused;
    for (const smaller of SMALLER.filter((each) => each < size && each >= defaultOf(operation))) {
      const exchange = await next(withSize(smaller));
      if (exchange.response?.status !== 200) continue;
      most.set(key, smaller);
      return exchange;
    }
    return refused;
  };
}

/** The documented default is accepted, so that a smaller size needs not be tried. */
function defaultOf(operation: Operation): number {
  const schema = sizeParameterOf(operation)?.schema.schema;
  const given = isObject(schema) ? schema['default'] : undefined;
  return typeof given === 'number' ? given : 0;
}
