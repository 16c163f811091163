import type { Contract, Operation } from '../contract.ts';
import type { Json, JsonObject } from '../json.ts';
import { isObject, listIn } from '../json.ts';
import { pointerTo } from '../pointer.ts';
import { decodePercent } from '../serialise/encode.ts';
import type { ExchangeViolation } from '../violation.ts';
import type { Check } from './check.ts';
import { isSuccess } from './media.ts';
import { isUuid } from '../uuid.ts';

/** Items checked per list. */
const MAX_ITEMS = 1000;

/** An item read by its id has that id; ids are uuids if the document says so. */
export const ownId: Check = ({ contract, operation, exchange }) => {
  const { request, response } = exchange;
  if (response?.json === undefined || !isSuccess(response.status) || request.method !== operation.method) return [];
  return [...otherItem(contract, operation, request.url, response.json), ...noUuid(contract, operation, response.json)];
};

function otherItem(contract: Contract, operation: Operation, url: string, json: Json): readonly ExchangeViolation[] {
  const requestedId = namesItem(operation) ? decodePercent(new URL(url).pathname.split('/').at(-1) ?? '') : '';
  const { name, id } = idOf(json) ?? {};
  if (!isUuid(requestedId) || !isUuid(id) || id.toLowerCase() === requestedId.toLowerCase()) return [];
  const isStated = contract.requirements.some(({ operations }) => operations?.includes(operation.id));
  return [
    {
      code: 'own-id/other',
      ...(isStated ? {} : { grade: 'inferred' as const }),
      message: `${operation.id} returns a different item from the one in the path`,
      expected: requestedId,
      received: id,
      instancePointer: pointerTo('', name ?? 'id'),
    },
  ];
}

/** True for a GET whose path ends in the id of an item: `/things/{id}` or `/things/{thingId}`. */
function namesItem({ method, path }: Operation): boolean {
  const [, stem = ''] = /\{(\w*?)_?id\}$/i.exec(path) ?? [];
  if (method !== 'GET' || !/\{\w*id\}$/i.test(path)) return false;
  const names = path.split('/').filter((each) => !each.startsWith('{'));
  return (names.at(-1) ?? '').toLowerCase().startsWith(stem.toLowerCase());
}

function noUuid({ requirements }: Contract, operation: Operation, json: Json): readonly ExchangeViolation[] {
  const requirement = requirements.find(
    ({ id, operations }) => id.endsWith('.id-uuid') && operations?.includes(operation.id),
  );
  if (requirement === undefined) return [];
  const wrong = itemsOf(json).find(({ item }) => !isUuid(idOf(item)?.id ?? NIL_UUID));
  const { name, id } = idOf(wrong?.item) ?? {};
  if (wrong === undefined || name === undefined || id === undefined) return [];
  return [
    {
      code: 'own-id/format',
      requirement: requirement.id,
      message: `${operation.id} returns an item whose id is not a uuid`,
      expected: 'a uuid',
      received: id.slice(0, 100),
      instancePointer: pointerTo(wrong.pointer, name),
    },
  ];
}

const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** The items of a list or of a wrapped list, else the body itself. */
function itemsOf(json: Json): readonly { readonly item: Json; readonly pointer: string }[] {
  const list = isObject(json) && idOf(json) !== undefined ? undefined : listIn(json, 1);
  if (list === undefined) return [{ item: json, pointer: '' }];
  const base = pointerTo('', ...list.path);
  return list.items.slice(0, MAX_ITEMS).map((item, at) => ({ item, pointer: pointerTo(base, at) }));
}

function idOf(item: Json | undefined): { readonly name: string; readonly id: string } | undefined {
  const name = isObject(item) ? Object.keys(item).find((each) => each.toLowerCase() === 'id') : undefined;
  const id = name === undefined ? undefined : (item as JsonObject)[name];
  return name === undefined || id === undefined || id === null || typeof id === 'object'
    ? undefined
    : { name, id: String(id) };
}
