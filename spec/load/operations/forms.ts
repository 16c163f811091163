import { blanked } from './effect.ts';
import { templateNames } from './parameters.ts';
import type { Form } from '../../contract.ts';
import type { Formless } from './build.ts';
import type { Candidate } from './candidates.ts';

/** One address of one operation object. */
export interface Address {
  readonly form: Form;
  /** Template after the form. */
  readonly rest: string;
  /** Addresses with the same key may be two forms of one operation. */
  readonly key: string;
  readonly candidate: Candidate;
  readonly operation: Formless;
}

/** Splits a full path into form and rest: `/api/v1` or `/api` where it begins so, else what the server puts before the template. */
function split(
  full: string,
  server: string,
): { readonly name: string; readonly prefix: string; readonly rest: string } {
  const fromServer = /^(.*\/api)(\/v1)?$/.exec(server)?.[1];
  const prefix = fromServer ?? (full.startsWith('/api/') ? '/api' : undefined);
  if (prefix === undefined) return { name: server, prefix: server, rest: full.slice(server.length) };
  const after = full.slice(prefix.length);
  return after.startsWith('/v1/')
    ? { name: `${prefix}/v1`, prefix, rest: after.slice('/v1'.length) }
    : { name: prefix, prefix, rest: after };
}

/** The addresses of an operation object: one for each of its servers. */
export function addressesOf(candidate: Candidate, operation: Formless): readonly Address[] {
  return candidate.servers.map((server) => {
    const full = `${server}${candidate.template}`;
    const { name, prefix, rest } = split(full, server);
    return {
      form: { name, path: full, pointer: candidate.pointer },
      rest,
      key: `${candidate.method} ${prefix} ${blanked(rest)}`,
      candidate,
      operation,
    };
  });
}

/** What a caller sees of an operation, without its words: equal for two forms of the same one. */
function shape(operation: Formless): string {
  const parameters = operation.parameters.map((item) => [
    item.in,
    item.in === 'path' ? '' : item.name.toLowerCase(),
    item.required,
    item.style,
    item.schema.schema,
  ]);
  const success = operation.responses.filter((item) => item.status.startsWith('2') || item.status === 'default');
  const responses = success.map((item) => [
    item.status,
    item.content.map((media) => [media.type, media.schema?.schema ?? null]),
  ]);
  return JSON.stringify([
    parameters,
    operation.body?.content.map((media) => [media.type, media.schema?.schema ?? null]) ?? null,
    responses,
  ]);
}

/** True where addresses are forms of one operation: the same object, or twins that are described alike. */
export function areForms(addresses: readonly Address[]): boolean {
  if (new Set(addresses.map((address) => address.form.name)).size < addresses.length) return false;
  const [first, ...others] = addresses;
  return (
    first !== undefined &&
    others.every((other) => other.candidate === first.candidate || shape(other.operation) === shape(first.operation))
  );
}

/** A form whose template names its parameters as the operation does. */
export function renamed(form: Form, names: readonly string[]): Form {
  if (templateNames(form.path).join('/') === names.join('/')) return form;
  let index = 0;
  return { ...form, path: form.path.replace(/\{[^{}/]+\}/g, (own) => `{${names[index++] ?? own.slice(1, -1)}}`) };
}
