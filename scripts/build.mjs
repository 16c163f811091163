import { spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const main = join(dist, 'cli', 'main.js');
const folders = [
  'spec',
  'generators',
  'client',
  'domain',
  'suites',
  'load',
  'fleet',
  'prove',
  'reports',
  'service',
  'cli',
];
const code = /(?<!\.d)\.ts$/u;
const ours = /\.test\.|^testing$|^fixtures$/u;

function* filesOf(folder) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (ours.test(entry.name)) continue;
    if (entry.isDirectory()) yield* filesOf(path);
    else yield path;
  }
}

const files = folders.flatMap((folder) => [...filesOf(folder)]);
const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Declarations that the types of the package's own module need, from its declaration on. */
function neededDeclarations(path, needed = new Set()) {
  if (needed.has(path) || !existsSync(path)) return needed;
  needed.add(path);
  const imports = readFileSync(path, 'utf8').matchAll(/(?:from|import\() ?["'](\.[^"']+)\.[jt]s["']/gu);
  for (const [, file] of imports) neededDeclarations(join(dirname(path), `${file}.d.ts`), needed);
  return needed;
}

function removeOtherDeclarations() {
  const needed = neededDeclarations(join(dist, 'cli', 'api.d.ts'));
  for (const name of readdirSync(dist, { recursive: true })) {
    const path = join(dist, name);
    if (name.endsWith('.d.ts') && !needed.has(path)) rmSync(path);
  }
}

/** npx prepares the clone anew whenever it links it; what is built already stays. */
function isBuilt() {
  const inputs = [...files, 'package.json', 'tsconfig.json', 'tsconfig.build.json', join('scripts', 'build.mjs')];
  return changedAt(main) > Math.max(...inputs.map((path) => changedAt(join(root, path))));
}

/** Runs the compiler; resolves to its exit code. */
function compile(stdio, ...flags) {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const words = [compiler, '-p', join(root, 'tsconfig.build.json'), ...flags];
  return new Promise((resolve) => {
    spawn(process.execPath, words, { cwd: root, stdio }).on('exit', resolve);
  });
}

async function build() {
  rmSync(dist, { recursive: true, force: true });
  // Comments are needed in the declarations only.
  const statuses = await Promise.all([
    compile('inherit', '--declaration', 'false', '--removeComments'),
    compile('ignore', '--emitDeclarationOnly'),
  ]);
  for (const path of files) if (!code.test(path)) cpSync(join(root, path), join(dist, path));
  removeOtherDeclarations();
  chmodSync(main, 0o755);
  const failed = statuses.find((status) => status !== 0);
  if (failed !== undefined) {
    rmSync(main);
    process.exit(failed ?? 1);
  }
  // Commands read it in place of the built-in description.
  const { loadContract } = await import(pathToFileURL(join(dist, 'spec', 'index.js')).href);
  writeFileSync(join(dist, 'spec', 'openapi.contract.json'), JSON.stringify(await loadContract()));
}

if (!process.argv.includes('--if-needed') || !isBuilt()) await build();
