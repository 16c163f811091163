import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Adds to package-lock.json the optional packages of other platforms that npm left out because the registry it asked does not have
 * them; without them `npm ci` refuses the lock. Run it after each change of the lock: node scripts/complete-lock.mjs
 */
const OS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32', 'netbsd', 'openbsd', 'sunos', 'aix'];
const CPU = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el', 'wasm32'];

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));

function platformOf(name) {
  const words = name.split('/').at(-1).split('-');
  const os = OS.filter((word) => words.includes(word));
  const cpu = CPU.filter((word) => words.includes(word));
  const libc = words.some((word) => word.startsWith('musl'))
    ? ['musl']
    : words.some((word) => word.startsWith('gnu'))
      ? ['glibc']
      : [];
  return { ...(cpu.length > 0 && { cpu }), ...(libc.length > 0 && { libc }), ...(os.length > 0 && { os }) };
}

let added = 0;
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const isThere = lock.packages[`${path}/node_modules/${name}`] ?? lock.packages[`node_modules/${name}`];
    if (isThere || !/^\d/u.test(version)) continue;
    lock.packages[`node_modules/${name}`] = {
      version,
      ...(entry.dev && { dev: true }),
      optional: true,
      ...platformOf(name),
    };
    added += 1;
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${added} added\n`);
