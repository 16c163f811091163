import { isObject } from '../../json.ts';
import type { Json, JsonObject } from '../../json.ts';

function bare({ servers: _servers, ...rest }: JsonObject): JsonObject {
  return rest;
}

/** A path item and its operations, without their servers. */
function barePath(item: Json): Json {
  if (!isObject(item)) return item;
  return Object.fromEntries(
    Object.entries(bare(item)).map(([key, value]) => [key, isObject(value) ? bare(value) : value]),
  );
}

/** The same description for a deployment that has its paths right under the base URL, whatever the servers put before them. */
export function withoutServers({ basePath: _basePath, paths, ...rest }: JsonObject): JsonObject {
  if (!isObject(paths)) return bare(rest);
  return {
    ...bare(rest),
    paths: Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, barePath(item)])),
  };
}
