import { isExactNumber } from '../json/exact.ts';
import { badRequest } from '../http/refusal.ts';
import type { FieldErrors } from '../http/refusal.ts';

/** Checks a value, adds errors by path, and returns the value to store. */
export type Shape = (value: unknown, path: string, errors: FieldErrors) => unknown;

export type Fields = Readonly<Record<string, unknown>>;

/** Maximum of errors in one response. */
const MAX_ERRORS = 20;

/** True for a JSON object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Validates a value; the caller names the type of the shape. Throws Refusal 400 with one message per invalid field. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function fit<T>(shape: Shape, value: unknown): T {
  const errors: FieldErrors = {};
  const read = shape(value, '$', errors);
  if (Object.keys(errors).length > 0) throw badRequest('The body is not valid.', errors);
  return read as T;
}

function addError(errors: FieldErrors, path: string, message: string): void {
  if (Object.keys(errors).length < MAX_ERRORS) errors[path] = [message];
}

function simple(test: (value: unknown) => boolean, message: string): Shape {
  return (value, path, errors) => {
    if (!test(value)) addError(errors, path, message);
    return value;
  };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/** True for a JSON string, false for an exact number. */
export function isString(value: unknown): value is string {
  return typeof value === 'string' && !isExactNumber(value);
}

const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d([.,]\d+)?(Z|[+-]\d\d:?\d\d)?$/i;

function isMoment(text: string): boolean {
  return MOMENT.test(text) && !Number.isNaN(Date.parse(text.slice(0, 10)));
}

export const anything: Shape = (value) => value;
export const text = simple(isString, 'Must be a string.');
export const filledText = simple((value) => isString(value) && value.length > 0, 'Must be a non-empty string.');
export const flag = simple((value) => typeof value === 'boolean', 'Must be a boolean.');
export const uuid = simple(isUuid, 'Must be a uuid.');
export const moment = simple((value) => isString(value) && isMoment(value), 'Must be a date and time.');

export function matching(pattern: RegExp, message: string): Shape {
  return simple((value) => isString(value) && pattern.test(value), message);
}

export function int32(least = -(2 ** 31), most = 2 ** 31 - 1): Shape {
  const fits = (value: unknown) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
  return simple(fits, `Must be an integer from ${least} to ${most}.`);
}

/** Null is valid too. */
export function nullable(shape: Shape): Shape {
  return (value, path, errors) => (value === null ? null : shape(value, path, errors));
}

/** Null is valid too, and an empty string is read as null, as the framework of the real service does. */
export function blank(shape: Shape): Shape {
  return (value, path, errors) => (value === '' || value === null ? null : shape(value, path, errors));
}

export function list(item: Shape): Shape {
  return (value, path, errors) => {
    if (Array.isArray(value)) return value.map((entry, index) => item(entry, `${path}[${index}]`, errors));
    return addError(errors, path, 'Must be an array.');
  };
}

/** An object whose values have one shape, except for some known members. */
export function dictionary(item: Shape, known: Readonly<Record<string, Shape>> = {}): Shape {
  return (value, path, errors) => {
    if (!isFields(value)) return addError(errors, path, 'Must be an object.');
    for (const [key, entry] of Object.entries(value))
      (Object.hasOwn(known, key) ? known[key] : item)?.(entry, `${path}.${key}`, errors);
    return value;
  };
}

/** An object with known members; unknown members are kept. */
export function record(members: Readonly<Record<string, Shape>>, required: readonly string[] = []): Shape {
  const shapes = Object.entries(members);
  return (value, path, errors) => {
    if (!isFields(value)) return addError(errors, path, 'Must be an object.');
    for (const name of required) {
      if (!Object.hasOwn(value, name)) addError(errors, `${path}.${name}`, 'Is required.');
    }
    const present = shapes.filter(([name]) => Object.hasOwn(value, name));
    const read = present.map(([name, shape]) => [name, shape(value[name], `${path}.${name}`, errors)] as const);
    return { ...value, ...Object.fromEntries(read) };
  };
}

/** For recursive shapes. */
export function lazy(shape: () => Shape): Shape {
  return (value, path, errors) => shape()(value, path, errors);
}
