import { groupBy } from '../group-by.ts';
import { isObject, without } from '../json.ts';
import { addressOf, interfaceDifferences } from '../diff/interface.ts';
import { operationsOf, renamed } from './operations/operations.ts';
import { templateNames } from './operations/parameters.ts';
import { reporterTo } from './report.ts';
import type { Form, MediaContent, Operation, Parameter, RequestBody, ResponseSpec } from '../contract.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Reporter } from './report.ts';

/** Prefix for the names of the API document's components in another description. */
const PREFIX = 'api.md-';

/** A description with fewer operations of the API document is one of another API. */
const MIN_OPERATIONS = 8;

/** A description together with the operations of the API document that it has. */
export interface MergedDescription {
  /** The description with the components of the API document added. */
  readonly document: JsonObject;
  readonly operations: readonly Operation[];
}

/**
 * Finds the operations of the API document in another description of the same platform, by method and path template. They get the
 * ids, parameter names, statuses and extensions of the API document, and keep the schemas of the description. Undefined if the
 * description is one of another API.
 */
export function mergeApiDocument(
  document: JsonObject,
  operations: readonly Operation[],
  known: JsonObject,
  report: Reporter,
): MergedDescription | undefined {
  const merged = { ...document, components: mergedComponents(document, known) };
  const api = withPrefix(without(known, 'components'));
  const knownOperations = operationsOf({ document: { ...merged, ...api }, report: reporterTo(() => undefined) });
  const groups = groupBy(operations.filter(isOfApi), addressOf);
  const found = knownOperations.filter((operation) => groups.has(addressOf(operation)));
  if (found.length < MIN_OPERATIONS) return undefined;
  const byFirst = new Map(found.map((operation) => [groups.get(addressOf(operation))?.[0], operation]));
  reportDifferences(found, groups, report);
  const taken = new Set(found.flatMap((operation) => groups.get(addressOf(operation)) ?? []));
  return {
    document: merged,
    operations: operations.flatMap((own) => {
      const operation = byFirst.get(own);
      if (operation !== undefined) return [mergeOperation(operation, groups.get(addressOf(operation)) ?? [own])];
      return taken.has(own) ? [] : [own];
    }),
  };
}

/** Reports contradictions between the description and the API document. */
function reportDifferences(
  known: readonly Operation[],
  groups: ReadonlyMap<string, readonly Operation[]>,
  report: Reporter,
): void {
  for (const operation of known)
    for (const { place, expected, received } of interfaceDifferences(
      operation,
      groups.get(addressOf(operation)) ?? [],
    )) {
      const message = `${operation.id}, ${place}: ${received}; api.md states ${expected}.`;
      report.warning(
        'document-differs',
        groups.get(addressOf(operation))?.[0]?.forms[0]?.pointer ?? '',
        message,
        'The value from api.md is used.',
      );
    }
}

function isOfApi({ forms }: Operation): boolean {
  return forms.every(({ name }) => /(^|\/)api(\/v\d+)?$/i.test(name));
}

/** The same value with its references to components renamed. */
function withPrefix<T extends Json>(value: T): T {
  const text = JSON.stringify(value).replaceAll(
    /"\$ref":"#\/components\/(\w+)\//g,
    `"$ref":"#/components/$1/${PREFIX}`,
  );
  return JSON.parse(text) as T;
}

function mergedComponents(document: JsonObject, known: JsonObject): JsonObject {
  const own = isObject(document['components']) ? document['components'] : {};
  const added = Object.entries(isObject(known['components']) ? known['components'] : {}).map(([kind, members]) => {
    const prefixed = Object.entries(isObject(members) ? members : {}).map(([name, member]) => [
      `${PREFIX}${name}`,
      withPrefix(member),
    ]);
    const present = isObject(own[kind]) ? own[kind] : {};
    return [kind, { ...present, ...(Object.fromEntries(prefixed) as JsonObject) }];
  });
  return { ...own, ...(Object.fromEntries(added) as JsonObject) };
}

function mergeOperation(known: Operation, own: readonly Operation[]): Operation {
  const [first = known] = own;
  const body = mergeBody(known.body, first.body);
  const { authUndeclared: _authUndeclared, security: _security, ...rest } = known;
  return {
    ...rest,
    summary: first.summary,
    permission: known.permission === 'unstated' ? first.permission : known.permission,
    ...(known.permission === 'unstated' && first.authUndeclared === true ? { authUndeclared: true } : {}),
    ...(first.security === undefined ? {} : { security: first.security }),
    forms: mergeForms(known, own),
    parameters: mergeParameters(known, first),
    responses: mergeResponses(known.responses, first.responses),
    ...(body === undefined ? {} : { body }),
    inDocument: true,
  };
}

/** Each form of the API document, as the description spells its path. */
function mergeForms(known: Operation, own: readonly Operation[]): readonly Form[] {
  const written = own.flatMap(({ forms }) => forms);
  const [some] = written;
  const names = templateNames(known.path);
  return known.forms.map((form) => {
    const same = written.find(({ name }) => name.toLowerCase().endsWith(form.name));
    if (same !== undefined) return renamed({ ...same, name: form.name }, names);
    const at = some?.name.toLowerCase().lastIndexOf('/api') ?? -1;
    return { ...form, path: `${some?.name.slice(0, Math.max(0, at)) ?? ''}${form.path}`, pointer: some?.pointer ?? '' };
  });
}

const isPublished = ({ schema: { schema } }: Parameter): boolean =>
  isObject(schema) && schema['x-grade'] === 'published';

/** Documented parameters are those of the API document, published ones and further ones those of the description. */
function mergeParameters(known: Operation, own: Operation): readonly Parameter[] {
  const places = templateNames(known.path);
  const written = templateNames(own.path);
  const nameOf = ({ in: place, name }: Parameter): string =>
    place === 'path' ? (places[written.indexOf(name)] ?? name) : name;
  const others = own.parameters.map((each) => ({ ...each, name: nameOf(each) }));
  const isSame = (one: Parameter, two: Parameter): boolean =>
    one.in === two.in && one.name.toLowerCase() === two.name.toLowerCase();
  const documented = known.parameters.flatMap((parameter) => {
    const other = others.find((each) => isSame(each, parameter));
    if (other === undefined) return isPublished(parameter) ? [] : [parameter];
    return isPublished(parameter) ? [{ ...other, name: parameter.name }] : [parameter];
  });
  return [...documented, ...others.filter((each) => !known.parameters.some((parameter) => isSame(parameter, each)))];
}

/** All media types of both, with the schemas of the description. */
function mergeContent(known: readonly MediaContent[], own: readonly MediaContent[]): readonly MediaContent[] {
  const [first] = own.filter(({ schema }) => schema !== undefined);
  if (first?.schema === undefined) return known.length > 0 ? known : own;
  const { schema } = first;
  const types = [...new Set([...known, ...own].map(({ type }) => type))];
  return types.map((type) => {
    const same = own.find((each) => each.type === type);
    const examples = same?.examples ?? known.find((each) => each.type === type)?.examples ?? [];
    return { type, schema: same?.schema ?? schema, examples };
  });
}

function mergeBody(known: RequestBody | undefined, own: RequestBody | undefined): RequestBody | undefined {
  if (known === undefined || own === undefined) return known ?? own;
  return { required: known.required || own.required, content: mergeContent(known.content, own.content) };
}

function mergeResponses(known: readonly ResponseSpec[], own: readonly ResponseSpec[]): readonly ResponseSpec[] {
  const merged = known.map((response) => {
    // Descriptions of the platform declare 200 even for creations.
    const same = own.find(({ status }) => status === response.status) ?? createdAs(response, own);
    return same === undefined
      ? response
      : { ...response, headers: same.headers, content: mergeContent(response.content, same.content) };
  });
  const isKnown = (status: string): boolean => known.some((each) => each.status === status);
  return [...merged, ...own.filter(({ status }) => status !== 'default' && !isKnown(status))];
}

function createdAs({ status }: ResponseSpec, own: readonly ResponseSpec[]): ResponseSpec | undefined {
  return status === '201' ? own.find((each) => each.status === '200') : undefined;
}
