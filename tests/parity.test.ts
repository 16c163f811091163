import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SERVICE_ROUTES, startService } from '../service/start.ts';
import type { RunningService } from '../service/start.ts';
import { ROOT } from './architecture/files.ts';

interface PathItem {
  readonly servers?: readonly { readonly url: string }[];
  readonly [key: string]: unknown;
}

const description = parse(readFileSync(join(ROOT, 'spec/openapi.yaml'), 'utf8')) as {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
};

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const described = Object.entries(description.paths).flatMap(([path, item]) =>
  METHODS.filter((method) => method in item).flatMap((method) =>
    (item.servers ?? description.servers).map(
      (server) => `${method.toUpperCase()} ${server.url.replace('{baseUrl}', '')}${path}`,
    ),
  ),
);

describe('the embedded service and the description', () => {
  it('agree on every method and path', () => {
    const served = SERVICE_ROUTES.map(({ method, path }) => `${method} ${path}`);
    expect([...served].sort()).toEqual([...described].sort());
  });
});

describe('the embedded service, asked', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  it.each(described)('routes %s', async (route) => {
    const [method = '', path = ''] = route.split(' ');
    const url = `${service.baseUrl}${path.replaceAll(/\{[^}]*\}/gu, '00000000-0000-4000-8000-000000000000')}`;
    const { status } = await fetch(url, { method });
    expect(status).toBe(path === '/api/v1/status' ? 200 : 401);
  });
});
