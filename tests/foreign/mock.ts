import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { serve } from '../../client/testing/fixtures.ts';
import { arbitraryFor, isUnsatisfiable } from '../../generators/index.ts';
import { isObject, parsedJson, scalarText } from '../../spec/index.ts';
import type { Contract, Json, Operation, SchemaRef } from '../../spec/index.ts';
import { createRouter } from '../../prove/proxy/router.ts';
import type { Route } from '../../prove/proxy/message.ts';

/**
 * How a mock behaves within its description: `static` gives an operation the same valid body always, `random` another valid
 * one each time, `strict` refuses what the description does not allow, as validating mocks do, `stateful` keeps items, and
 * `deployed` does both and lists the items, also where no content is described.
 */
export type Behaviour = 'static' | 'random' | 'strict' | 'stateful' | 'deployed';

/** What one operation does wrong: `token` refuses every token, `absent` is not there. */
export interface Defect {
  readonly name: 'token' | 'absent';
  readonly operation: string;
}

export interface MockOptions {
  readonly behaviour: Behaviour;
  readonly defect?: Defect;
  /** Left out: anybody is served. */
  readonly token?: string;
  /** How long an answer takes. */
  readonly delayMs?: number;
}

export interface Mock {
  readonly baseUrl: string;
  /** Requests by operation and method, for example `GET /things -> 12`. */
  readonly requests: ReadonlyMap<string, number>;
  /** Requests to operations without an Authorization header. */
  withoutToken(): number;
  readonly close: () => Promise<void>;
}

interface World {
  readonly contract: Contract;
  readonly options: MockOptions;
  readonly made: Map<string, unknown>;
  readonly items: Map<string, Map<string, Json>>;
  drawn: number;
}

/** A server that answers every described operation as it is described. */
export async function startMock(contract: Contract, options: MockOptions): Promise<Mock> {
  const router = createRouter(contract);
  const methods = new Set(contract.operations.map(({ method }) => method));
  const world: World = { contract, options, made: new Map(), items: new Map(), drawn: 0 };
  const requests = new Map<string, number>();
  let withoutToken = 0;
  const server = await serve((request, response) => {
    void buffer(request).then(async (body) => {
      if (options.delayMs !== undefined) await delay(options.delayMs);
      const path = decoded(request.url?.split('?', 1)[0] ?? '/');
      const found = router(request.method ?? 'GET', path);
      const allowed =
        found === undefined ? [...methods].filter((each) => router(each, path)) : [found.operation.method];
      const key = found?.id ?? 'other';
      requests.set(key, (requests.get(key) ?? 0) + 1);
      if (allowed.length > 0 && request.headers.authorization === undefined) withoutToken += 1;
      if (found !== undefined) answer(world, found, request, { body, response });
      else if (allowed.length === 0) response.writeHead(404).end();
      else response.writeHead(405, { allow: allowed.join(', ') }).end();
    });
  });
  return { baseUrl: server.url, requests, withoutToken: () => withoutToken, close: server.close };
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

interface Asked {
  readonly body: Buffer;
  readonly response: ServerResponse;
  /** The media type that the answer should have, where it is offered. */
  readonly accept?: string | undefined;
}

function answer(world: World, route: Route, request: IncomingMessage, { body, response }: Asked): void {
  const { operation } = route;
  const { token, behaviour } = world.options;
  if (token !== undefined && operation.permission !== 'none' && request.headers.authorization !== `Bearer ${token}`) {
    response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    return;
  }
  const sent = parsedJson(body);
  const isStrict = behaviour === 'strict' || behaviour === 'deployed';
  const refusal = isStrict ? refusalOf(world, operation, request, sent) : undefined;
  if (refusal !== undefined) {
    response
      .writeHead(refusal, { 'content-type': 'application/problem+json' })
      .end(JSON.stringify({ title: 'refused', status: refusal }));
    return;
  }
  const isKept = behaviour === 'stateful' || behaviour === 'deployed';
  const kept = isKept ? keep(world, route, sent) : undefined;
  if (kept === GONE) response.writeHead(404).end();
  else if (behaviour === 'deployed') {
    const shown = kept ?? listed(world, operation, request) ?? { count: 0 };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(shown));
  } else respond(world, operation, { response, accept: request.headers.accept }, kept);
}

function refusalOf(
  world: World,
  operation: Operation,
  request: IncomingMessage,
  sent: Json | undefined,
): number | undefined {
  const { accept = '*/*' } = request.headers;
  const offered = operation.responses.flatMap((each) => each.content.map(({ type }) => type));
  if (offered.length > 0 && accept !== '*/*' && !offered.includes(accept)) return 406;
  const schema = operation.body?.content.find((each) => each.type === 'application/json')?.schema;
  if (schema === undefined) return undefined;
  if (sent === undefined)
    return operation.body?.required === true || (request.headers['content-length'] ?? '0') !== '0' ? 422 : undefined;
  return world.contract.validate(schema, sent).length === 0 ? undefined : 422;
}

/** Stands for an item that is not there. */
const GONE: Json = {};

/** A page of a collection's items; undefined for other operations. */
function listed(world: World, operation: Operation, request: IncomingMessage): Json | undefined {
  if (operation.method !== 'GET' || world.contract.operation(`POST ${operation.path}`) === undefined) return undefined;
  const query = new URL(request.url ?? '/', 'http://mock').searchParams;
  const whole = (name: string, otherwise: number): number =>
    /^\d{1,3}$/.test(query.get(name) ?? '') ? Number(query.get(name)) : otherwise;
  const page = whole('page', 0);
  const take = whole('take', 20);
  const items = [...itemsOf(world, operation.path).values()];
  const data = items.slice(page * take, (page + 1) * take);
  return { data, totalCount: items.length, pageSize: take, currentPage: page };
}

/** Items of a collection: made by POST, read, replaced and removed under their id, or under a path below it. */
function keep(world: World, { operation, params }: Route, sent: Json | undefined): Json | undefined {
  const values = Object.values(params);
  const isDeployed = world.options.behaviour === 'deployed';
  const parent = (isDeployed ? /^(.*?)\/\{[^{}/]+\}/ : /^(.*)\/\{[^{}/]+\}$/).exec(operation.path)?.[1];
  const id = values.at(-1)?.toLowerCase() ?? '';
  if (parent === undefined || values.length !== 1) {
    if (operation.method !== 'POST' || values.length > 0 || !isObject(sent)) return undefined;
    const fresh = randomUUID();
    itemsOf(world, operation.path).set(fresh, { ...sent, id: fresh });
    return isText(world, operation) ? fresh : { ...sent, id: fresh };
  }
  if (world.contract.operation(`POST ${parent}`) === undefined) return undefined;
  const items = itemsOf(world, parent);
  if (!items.has(id)) return GONE;
  if (operation.method === 'PUT' && isObject(sent)) items.set(id, { ...sent, id });
  if (operation.method === 'DELETE') items.delete(id);
  return items.get(id);
}

function itemsOf(world: World, path: string): Map<string, Json> {
  const items = world.items.get(path) ?? new Map<string, Json>();
  world.items.set(path, items);
  return items;
}

function isText(world: World, operation: Operation): boolean {
  const schema = operation.responses[0]?.content[0]?.schema;
  const { schema: resolved } = schema === undefined ? { schema: true } : world.contract.resolve(schema);
  return typeof resolved === 'object' && resolved['type'] === 'string';
}

function respond(
  world: World,
  operation: Operation,
  { response, accept }: Pick<Asked, 'response' | 'accept'>,
  kept: Json | undefined,
): void {
  const defect = world.options.defect?.operation === operation.id ? world.options.defect.name : undefined;
  if (defect !== undefined) {
    response.writeHead(defect === 'token' ? 401 : 404).end();
    return;
  }
  const spec = operation.responses.find((each) => each.status.startsWith('2')) ?? operation.responses[0];
  const status = spec === undefined || !/^\d+$/.test(spec.status) ? 200 : Number(spec.status);
  const media = spec?.content.find(({ type }) => type === accept) ?? spec?.content[0];
  if (media === undefined || status === 204) {
    response.writeHead(status).end();
    return;
  }
  const type = concrete(media.type);
  const fits =
    kept !== undefined &&
    (media.schema === undefined || world.contract.validate(media.schema, kept, 'response').length === 0);
  const value = fits ? kept : valueFor(world, operation, media.schema);
  response
    .writeHead(status, { 'content-type': type })
    .end(/json/.test(type) || typeof value === 'object' ? JSON.stringify(value) : scalarText(value));
}

/** A media type that a range covers. */
function concrete(range: string): string {
  if (/^(?:\*|application)\/\*/.test(range)) return 'application/json';
  return range.replace('*', 'x-some');
}

/** A body that fits; the same for an operation unless the mock is random. */
function valueFor(world: World, operation: Operation, schema: SchemaRef | undefined): Json {
  if (schema === undefined) return null;
  const known = world.made.get(operation.id) ?? arbitraryFor(world.contract, schema);
  world.made.set(operation.id, known);
  const arbitrary = known as ReturnType<typeof arbitraryFor>;
  if (isUnsatisfiable(arbitrary)) return null;
  world.drawn += 1;
  return asResponse(world, schema, arbitrary.at(world.options.behaviour === 'random' ? world.drawn : 3, 5));
}

/** Generated bodies are those of requests: responses have the required read-only members, and no write-only ones. */
function asResponse({ contract }: World, ref: SchemaRef, value: Json): Json {
  const { schema } = contract.resolve(ref);
  if (!isObject(schema) || !isObject(value) || !isObject(schema['properties'])) return value;
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const texts = Object.entries(schema['properties']).filter(
    ([name, member]) => required.includes(name) && isObject(member) && member['readOnly'] === true,
  );
  const secret = Object.entries(schema['properties']).flatMap(([name, member]) =>
    isObject(member) && member['writeOnly'] === true ? [name] : [],
  );
  const shown = Object.entries(value).filter(([name]) => !secret.includes(name));
  return Object.fromEntries([...shown, ...texts.map(([name]) => [name, 'read only'] as const)]);
}
