import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { AUTOCANNON_VERSION } from './autocannon-client.ts';

const require = createRequire(import.meta.url);
const client = require.resolve('autocannon/lib/httpClient.js');

describe('the client of autocannon that is overridden', () => {
  it('is of the pinned release', () => {
    expect((require('autocannon/package.json') as { version: string }).version).toBe(AUTOCANNON_VERSION);
    expect((require('../../package.json') as { dependencies: Record<string, string> }).dependencies['autocannon']).toBe(
      AUTOCANNON_VERSION,
    );
  });

  it('has the internals that the overrides were written for', () => {
    const text = readFileSync(client, 'utf8');
    expect(
      createHash('sha256').update(text).digest('hex'),
      'read load/engines/autocannon-client.ts anew before changing this',
    ).toBe('31516446d4c26de938a92f2871ad71241fb1dacbeb5aea2418ac00ba6368a3d5');
  });

  it('parses with the parser that the overrides were written for', () => {
    const { HTTPParser } = createRequire(client)('http-parser-js') as {
      HTTPParser: { prototype: Record<string, unknown> };
    };
    for (const name of ['execute', 'finish', 'reinitialize']) expect(HTTPParser.prototype[name]).toBeTypeOf('function');
  });
});
