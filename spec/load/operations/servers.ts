import { isObject, scalarText } from '../../json.ts';
import { textOf } from './read.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { Reading } from './read.ts';

function filled(server: JsonObject, url: string): string {
  const variables = isObject(server['variables']) ? server['variables'] : {};
  return url.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const variable = variables[name];
    return isObject(variable) ? scalarText(variable['default']) : '';
  });
}

/** Path of a server's URL, without a slash at its end. */
function pathOf(server: Json): string | undefined {
  const url = isObject(server) ? textOf(server, 'url') : undefined;
  if (url === undefined || !isObject(server)) return undefined;
  try {
    const { pathname } = new URL(filled(server, url), 'http://description.invalid/');
    return decodeURI(pathname).replace(/\/+$/, '');
  } catch {
    return undefined;
  }
}

/** Paths that the servers of an operation put before its template: both where one is the other's `/v1`, else the first. */
export function serverPaths(reading: Reading, ...levels: readonly JsonObject[]): readonly string[] {
  const servers = levels.map((level) => level['servers']).find((list) => Array.isArray(list) && list.length > 0) ?? [];
  const list: readonly Json[] = Array.isArray(servers) ? servers : [];
  const paths = [...new Set(list.flatMap((server) => pathOf(server) ?? []))];
  if (paths.length < list.length && paths.length === 0) {
    reading.report({
      code: 'server',
      severity: 'warning',
      pointer: '/servers',
      message: 'No server has a URL that can be read.',
      mend: 'Paths count from --base-url.',
    });
  }
  const unversioned = paths.find((path) => paths.includes(`${path}/v1`));
  return unversioned === undefined ? [paths[0] ?? ''] : [unversioned, `${unversioned}/v1`];
}
