import { isExactNumber } from '../json/exact.ts';
import { badRequest } from '../http/refusal.ts';
import type { FieldErrors } from '../http/refusal.ts';

/** Tells what is wrong with a value, by the path where it is wrong. */
export type Shape = (value: unknown, path: string, errors: FieldErrors) => void;

export type Fields = Readonly<Record<string, unknown>>;

/** True for a JSON object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Judges a value; the caller names the type that the shape stands for.
 *
 * @returns the value that fits.
 * @throws Refusal 400 with one message a wrong field.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function fit<T>(shape: Shape, value: unknown): T {
  const errors: FieldErrors = {};
  shape(value, '$', errors);
  if (Object.keys(errors).length > 0) throw badRequest('The body does not fit.', errors);
  return value as T;
}

function wrong(errors: FieldErrors, path: string, message: string): void {
  if (Object.keys(errors).length < 20) errors[path] = [message];
}

function simple(test: (value: unknown) => boolean, message: string): Shape {
  return (value, path, errors) => {
    if (!test(value)) wrong(errors, path, message);
  };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/** True for a string that a client sent as one. */
export function isString(value: unknown): value is string {
  return typeof value === 'string' && !isExactNumber(value);
}

export const anything: Shape = () => {};
export const text = simple(isString, 'Must be a string.');
export const filledText = simple((value) => isString(value) && value.length > 0, 'Must be a string that is not empty.');
export const flag = simple((value) => typeof value === 'boolean', 'Must be a boolean.');
export const uuid = simple(isUuid, 'Must be a uuid.');
export const moment = simple((value) => isString(value) && /^\d{4}-\d\d-\d\d/.test(value), 'Must be a date and time.');

export function int32(least = -(2 ** 31), most = 2 ** 31 - 1): Shape {
  const fits = (value: unknown) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
  return simple(fits, `Must be an integer from ${least} to ${most}.`);
}

/** The framework of the real service reads an empty string as no value, where none is allowed. */
export function blank(shape: Shape): Shape {
  return (value, path, errors) => {
    if (value !== '' && value !== null) shape(value, path, errors);
  };
}

/** Null passes too. */
export function nullable(shape: Shape): Shape {
  return (value, path, errors) => {
    if (value !== null) shape(value, path, errors);
  };
}

export function list(item: Shape): Shape {
  return (value, path, errors) => {
    if (!Array.isArray(value)) return wrong(errors, path, 'Must be an array.');
    value.forEach((entry, index) => item(entry, `${path}[${index}]`, errors));
  };
}

/** An object whose values all have one shape. */
export function dictionary(item: Shape): Shape {
  return (value, path, errors) => {
    if (!isFields(value)) return wrong(errors, path, 'Must be an object.');
    for (const [key, entry] of Object.entries(value)) item(entry, `${path}.${key}`, errors);
  };
}

/** An object with known members; members that are not known are ignored. */
export function record(members: Readonly<Record<string, Shape>>, required: readonly string[] = []): Shape {
  const shapes = Object.entries(members);
  return (value, path, errors) => {
    if (!isFields(value)) return wrong(errors, path, 'Must be an object.');
    for (const name of required) {
      if (!Object.hasOwn(value, name)) wrong(errors, `${path}.${name}`, 'Is required.');
    }
    for (const [name, shape] of shapes) {
      if (Object.hasOwn(value, name)) shape(value[name], `${path}.${name}`, errors);
    }
  };
}

/** For shapes that hold themselves. */
export function lazy(shape: () => Shape): Shape {
  return (value, path, errors) => shape()(value, path, errors);
}
