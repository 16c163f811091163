import { isObject } from '../json.ts';
import type { Operation, Parameter } from '../contract.ts';

/** Something that one description states about an operation and another does not. */
export interface InterfaceDifference {
  /** Names the place, for example `form /api/v1` or `query parameter take`. */
  readonly place: string;
  readonly expected: string;
  readonly received: string;
}

/** Method and path of an operation, without parameter names and in lower case. */
export function addressOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path.replaceAll(/\{[^{}/]*\}/g, '{}').toLowerCase()}`;
}

/** Forms, query parameters and defaults that the first description states and the others, for the same address, do not. */
export function interfaceDifferences(known: Operation, own: readonly Operation[]): readonly InterfaceDifference[] {
  if (own.length === 0) return [{ place: 'operation', expected: known.id, received: 'not described' }];
  const names = own.flatMap(({ forms }) => forms.map(({ name }) => name.toLowerCase()));
  const forms = known.forms.flatMap(({ name, path }) =>
    names.some((each) => each.endsWith(name.toLowerCase()))
      ? []
      : [{ place: `form ${name}`, expected: path, received: 'not described' }],
  );
  return [
    ...forms,
    ...known.parameters.flatMap((parameter) => own.flatMap((each) => parameterDifference(parameter, each))),
  ];
}

function parameterDifference(parameter: Parameter, own: Operation): readonly InterfaceDifference[] {
  const { schema } = parameter.schema;
  if (parameter.in !== 'query' || (isObject(schema) && schema['x-grade'] === 'published')) return [];
  const place = `query parameter ${parameter.name}`;
  const same = own.parameters.find((each) => each.in === 'query' && isNamed(each, parameter.name));
  if (same === undefined) return [{ place, expected: parameter.name, received: 'not described' }];
  const [expected, received] = [defaultOf(parameter), defaultOf(same)];
  if (expected === undefined || received === undefined || expected === received) return [];
  return [{ place, expected: `default ${expected}`, received: `default ${received}` }];
}

function isNamed({ name }: Parameter, wanted: string): boolean {
  return name.toLowerCase() === wanted.toLowerCase();
}

function defaultOf({ schema: { schema } }: Parameter): string | undefined {
  const value = isObject(schema) ? schema['default'] : undefined;
  return value === undefined ? undefined : JSON.stringify(value);
}
