import { isObject } from '../../json.ts';
import { buildOperation, requiresScheme } from './build.ts';
import { templateKey } from './template-key.ts';
import { candidatesOf } from './candidates.ts';
import { templateNames } from './parameters.ts';
import { securityOf } from './security.ts';
import { ANY_RESPONSE } from './responses.ts';
import type { Form, Operation } from '../../contract.ts';
import type { Formless } from './build.ts';
import type { Candidate } from './candidates.ts';
import type { Reading } from './read.ts';

/** One address of one operation object. */
interface Address {
  readonly form: Form;
  /** The path after the form. */
  readonly rest: string;
  /** Addresses with the same key may be two forms of one operation. */
  readonly key: string;
  readonly candidate: Candidate;
  readonly operation: Formless;
}

/** Splits a path into form and rest. The form is `/api/v1` or `/api` if the path starts with it, else the server's path. */
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

/** The addresses of an operation object, one per server. */
function addressesOf(candidate: Candidate, operation: Formless): readonly Address[] {
  return candidate.servers.map((server) => {
    const full = `${server}${candidate.template}`;
    const { name, prefix, rest } = split(full, server);
    return {
      form: { name, path: full, pointer: candidate.pointer },
      rest,
      key: `${candidate.method} ${prefix} ${templateKey(rest)}`,
      candidate,
      operation,
    };
  });
}

/** The interface of an operation without its texts: equal for two forms of the same one. */
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

/** True if addresses are forms of one operation: of the same object, or with equal interfaces. */
function areForms(addresses: readonly Address[]): boolean {
  if (new Set(addresses.map((address) => address.form.name)).size < addresses.length) return false;
  const [first, ...others] = addresses;
  return (
    first !== undefined &&
    others.every((other) => other.candidate === first.candidate || shape(other.operation) === shape(first.operation))
  );
}

/** A form with the parameter names of the operation. */
export function renamed(form: Form, names: readonly string[]): Form {
  if (templateNames(form.path).join('/') === names.join('/')) return form;
  let index = 0;
  return { ...form, path: form.path.replace(/\{[^{}/]+\}/g, (own) => `{${names[index++] ?? own.slice(1, -1)}}`) };
}

function grouped(addresses: readonly Address[]): readonly (readonly Address[])[] {
  const groups = new Map<string, Address[]>();
  for (const address of addresses) {
    const group = groups.get(address.key);
    if (group === undefined) groups.set(address.key, [address]);
    else group.push(address);
  }
  return [...groups.values()];
}

/** The first of the addresses before one that has the same path, apart from the names of parameters. */
function sameBefore(group: readonly Address[], index: number): Address | undefined {
  const keyOf = (address: Address | undefined): string => templateKey(address?.form.path ?? '');
  return group.slice(0, index).find((each) => keyOf(each) === keyOf(group[index]));
}

function reportDifference(reading: Reading, group: readonly Address[]): void {
  for (const [index, { form, candidate }] of group.entries()) {
    if (index === 0 || sameBefore(group, index) !== undefined) continue;
    const message = `${form.path} and ${group[0]?.form.path} have different descriptions.`;
    const hint = 'They are separate operations, and their responses are not compared.';
    reading.report.note('forms-differ', candidate.pointer, message, hint);
  }
}

/** Operations with the same address allow any response, because any of them may have answered. */
function withAnyResponse(reading: Reading, group: readonly Address[]): readonly Address[] {
  const firsts = group.map((_, index) => sameBefore(group, index));
  return group.map((address, index) => {
    const { candidate, operation } = address;
    const first = firsts[index];
    if (first === undefined && !firsts.includes(address)) return address;
    if (first !== undefined) {
      const message = `${candidate.method} ${candidate.written} has the same address as ${first.candidate.written}.`;
      const hint = 'Give each its own path. Any response is allowed.';
      reading.report.note('same-address', candidate.pointer, message, hint);
    }
    return { ...address, operation: { ...operation, responses: [ANY_RESPONSE] } };
  });
}

/** One operation; its forms in order, the unversioned one first. */
function operationOf(group: readonly Address[], taken: ReadonlySet<string>): Operation | undefined {
  const [first, ...others] = [...group].sort((a, b) => a.form.name.length - b.form.name.length);
  if (first === undefined) return undefined;
  const { operation, form, rest } = first;
  const names = templateNames(form.path);
  const id = [rest, form.path, `${form.path} (${taken.size})`]
    .map((path) => `${operation.method} ${path}`)
    .find((name) => !taken.has(name));
  return {
    id: id ?? `${operation.method} ${rest}`,
    path: rest,
    forms: [form, ...others.map((other) => renamed(other.form, names))],
    ...operation,
  };
}

/** Reports `security: [{}]` with a defined scheme: taken literally, no operation requires the scheme. */
function reportUnusableSecurity({ document, report }: Reading): void {
  const { security, components } = document;
  const schemes = isObject(components) ? components['securitySchemes'] : undefined;
  if (!Array.isArray(security) || requiresScheme(security) || !isObject(schemes) || Object.keys(schemes).length === 0)
    return;
  const message = 'The description defines security schemes but does not require any of them.';
  report.note(
    'security',
    '/security',
    message,
    'The token is sent if one is given. Permissions are read from summaries such as "Auth policies: …".',
  );
}

/** The operations of a description, in its order. */
export function operationsOf(reading: Reading): readonly Operation[] {
  const candidates = candidatesOf(reading);
  reportUnusableSecurity(reading);
  const removable = new Set(
    candidates.filter((item) => item.method === 'DELETE').map((item) => templateKey(item.template)),
  );
  const shared = { removable, security: securityOf(reading) };
  const addresses = candidates.flatMap((candidate) =>
    addressesOf(candidate, buildOperation(reading, candidate, shared)),
  );
  const taken = new Set<string>();
  return grouped(addresses).flatMap((group) => {
    const together = areForms(group);
    if (!together) reportDifference(reading, group);
    const found = (together ? [group] : withAnyResponse(reading, group).map((address) => [address])).flatMap((part) => {
      const operation = operationOf(part, taken);
      if (operation !== undefined) taken.add(operation.id);
      return operation ?? [];
    });
    return found;
  });
}
