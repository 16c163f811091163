import { encodeAll } from './encode.ts';
import { serialiseParameter, undeclared } from './parameter.ts';
import type { Form, Operation, Parameter } from '../contract.ts';
import type { Json } from '../json.ts';

/** The parts of a URL. */
export interface Addressed {
  readonly operation: Pick<Operation, 'parameters'>;
  readonly form: Pick<Form, 'path'>;
  /** Values for the template, not yet encoded. */
  readonly path?: Readonly<Record<string, Json>>;
  /** Values for query parameters; undefined ones are left out. */
  readonly query?: Readonly<Record<string, Json | undefined>>;
  /** Appended as it is, already encoded. */
  readonly rawQuery?: string;
}

function declared(addressed: Addressed, name: string, place: Parameter['in']): Parameter | undefined {
  return addressed.operation.parameters.find((parameter) => parameter.in === place && parameter.name === name);
}

function pathOf(addressed: Addressed): string {
  return addressed.form.path.replace(/\{([^{}/]*)\}/g, (placeholder, name: string) => {
    const value =
      addressed.path !== undefined && Object.hasOwn(addressed.path, name) ? addressed.path[name] : undefined;
    return serialiseParameter(declared(addressed, name, 'path') ?? undeclared(name, 'path'), value ?? placeholder);
  });
}

function queryOf(addressed: Addressed): string {
  const parts = Object.entries(addressed.query ?? {}).map(([name, value]) =>
    value === undefined
      ? ''
      : serialiseParameter(declared(addressed, name, 'query') ?? undeclared(name, 'query'), value),
  );
  return [...parts, addressed.rawQuery?.replace(/^[?&]/, '') ?? ''].filter((part) => part !== '').join('&');
}

/** Path and query after the base URL, as sent. A path parameter without a value remains as encoded braces. */
export function renderUrl(addressed: Addressed): string {
  const path = pathOf(addressed);
  const query = queryOf(addressed);
  const url = query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;
  return url.replace(/[^\x21-\x7e]/gu, encodeAll);
}
