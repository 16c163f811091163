import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { freePort, onPath } from '../fleet/local-broker.ts';
import { ROOT } from './architecture/files.ts';
import { emptyDirectory, runAssay, serve, startAssay } from './command/run-assay.ts';

interface Manifest {
  readonly kind: string;
  readonly metadata?: { readonly name: string };
}

const DEPLOY = join(ROOT, 'deploy');

function manifests(): readonly { readonly file: string; readonly manifest: Manifest }[] {
  const folder = join(DEPLOY, 'kubernetes');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));
  return files.flatMap((name) => {
    const file = join(folder, name);
    return parseAllDocuments(readFileSync(file, 'utf8')).map((each) => ({ file, manifest: each.toJS() as Manifest }));
  });
}

/** Values of a member with this name, at any depth. */
function valuesOf(node: unknown, name: string): readonly unknown[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => [...(key === name ? [value] : []), ...valuesOf(value, name)]);
}

it('manifests refer to what there is', () => {
  const all = manifests().map(({ manifest }) => manifest);
  const generated = [...valuesOf(all, 'configMapGenerator'), ...valuesOf(all, 'secretGenerator')].flat() as {
    name: string;
  }[];
  const names = new Set(generated.map(({ name }) => name));
  const references = ['configMapRef', 'secretRef', 'configMap'].flatMap(
    (each) => valuesOf(all, each) as { name: string }[],
  );
  for (const { name } of references) expect(names, name).toContain(name);
  for (const name of valuesOf(all, 'secretName')) expect(names, String(name)).toContain(name);
  const images = new Set(valuesOf(all, 'image'));
  expect(images).toEqual(new Set(['assay', 'valkey/valkey:8.1-alpine']));
});

/** Brings the schemas with it; a checker that downloads them would fail without a network. */
const checker = onPath('kubernetes-validate');
it.skipIf(checker === undefined)('manifests pass strict validation', () => {
  const isManifest = ({ kind }: Manifest): boolean => kind !== 'Kustomization' && kind !== 'Component';
  const files = new Set(
    manifests()
      .filter(({ manifest }) => isManifest(manifest))
      .map(({ file }) => file),
  );
  execFileSync(checker ?? '', ['--strict', '-k', '1.33', ...files], { stdio: 'pipe' });
});

it('what runs elsewhere uses options that there are', async () => {
  const compose = parse(readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8'), { merge: true }) as {
    services: Record<string, { image?: string; command: string[] }>;
  };
  const commands = [
    ...Object.values(compose.services)
      .filter(({ image }) => image === 'assay')
      .map(({ command }) => command),
    ...(manifests().flatMap(({ manifest }) => valuesOf(manifest, 'args')) as string[][]),
    ['agent', '--leave-after', 'never'],
  ];
  expect(commands).toHaveLength(7);
  for (const [command = '', ...words] of commands) {
    const { stdout } = await runAssay([command, '--help']);
    for (const option of words.filter((word) => word.startsWith('--'))) expect(stdout, command).toContain(`${option} `);
  }
});

const [server, openssl] = [onPath('valkey-server') ?? onPath('redis-server'), onPath('openssl')];
if (server === undefined || openssl === undefined)
  console.log('skipped: a fleet over TLS needs valkey-server or redis-server, and openssl');

it.skipIf(server === undefined || openssl === undefined)(
  'a fleet works over TLS, with the secrets, the users and the settings of the broker as they are deployed',
  { tags: ['nightly'] },
  async () => {
    const folder = emptyDirectory();
    execFileSync('sh', [join(DEPLOY, 'secrets.sh'), join(folder, 'tls'), 'localhost']);
    mkdirSync(join(folder, 'data'));
    const port = await freePort();
    const settings = readFileSync(join(DEPLOY, 'kubernetes/components/valkey/valkey.conf'), 'utf8')
      .replaceAll(/\/etc\/valkey\/(?:tls|users)/gu, join(folder, 'tls'))
      .replace('/data', join(folder, 'data'))
      .replace('6379', String(port));
    writeFileSync(join(folder, 'broker.conf'), `${settings}bind 127.0.0.1\n`);
    const broker = spawn(server ?? '', [join(folder, 'broker.conf')], { stdio: ['ignore', 'pipe', 'inherit'] });
    const service = await serve();
    try {
      for await (const text of broker.stdout as AsyncIterable<Buffer>) if (text.includes('Ready to accept')) break;
      const secrets = readFileSync(join(folder, 'tls/fleet.env'), 'utf8').trim().split('\n');
      const common = {
        ...Object.fromEntries(secrets.map((line) => line.split('=') as [string, string])),
        ...service.env,
        ASSAY_BASE_URL: service.baseUrl,
        ASSAY_ALLOW: 'all',
        NODE_EXTRA_CA_CERTS: join(folder, 'tls/ca.crt'),
      };
      const as = (user: string) => ({ env: { ...common, ASSAY_FLEET: `rediss://${user}@localhost:${port}` } });
      const agents = [startAssay(['agent'], as('agent')), startAssay(['agent'], as('agent'))];
      const load = ['load', 'clue-ingestion', '--agents', '2', '--rate', '100', '--duration', '3s', '--warmup', '1s'];
      // A busy machine may be slow, and its generator late: a tenth of the limit is what it may lag.
      load.push('--threshold', 'errors==0', '--threshold', 'p99<5s');
      const { code, stdout, stderr } = await runAssay(load, as('controller'));
      // A busy machine limits what a generator may conclude.
      expect([0, 6], stdout).toContain(code);
      expect(stderr).toBe('');
      expect(stdout).toMatch(/2 agents: \d+ planned = \d+ answered/u);
      for (const { ended } of agents) expect((await ended).code).toBe(0);
    } finally {
      broker.kill('SIGKILL');
      await service.stop();
    }
  },
);
