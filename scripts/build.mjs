import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build as esbuild } from 'esbuild';

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

/** Modules that are started or loaded by their path; all others are in chunks, which load faster than a thousand small files. */
const entries = [
  'cli/api.ts',
  'cli/main.ts',
  'load/engines/worker.ts',
  'prove/index.ts',
  'prove/worker.ts',
  'reports/formats/allure/setup.ts',
  'spec/index.ts',
  'suites/index.ts',
];

/** Files of tests, which Vite transforms: each only imports its chunk, which is loaded as it is. */
const suites = files.filter((path) => /^suites\/groups\/.*\.suite\.ts$/u.test(path));

const asJs = (path) => path.replace(code, '.js');

/** In place of the path to the folder, until it is known in which file a module is: a name, since texts may be broken across lines. */
const DIST = '__dist__';

/** Modules find files beside them, so each keeps its own URL, whichever chunk it is in. */
const keepUrls = {
  name: 'keep-urls',
  setup(bundler) {
    // oxlint-disable-next-line require-unicode-regexp -- the bundler does not know the flag
    bundler.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const url = `new URL(${DIST} + '/${asJs(relative(root, path))}', import.meta.url).href`;
      return { contents: text.replaceAll('import.meta.url', url), loader: 'ts' };
    });
  },
};

async function bundle() {
  const points = [...entries, ...suites].map((path) => [path.replace(/(?:\.suite)?\.ts$/u, ''), path]);
  const { outputFiles } = await esbuild({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(points),
    outdir: dist,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // An error prints the line in which it is thrown.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    write: false,
    plugins: [keepUrls],
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text.replaceAll(DIST, JSON.stringify(relative(dirname(path), dist))));
  }
  for (const path of suites) {
    const name = basename(path, '.suite.ts');
    writeFileSync(join(dist, asJs(path)), `import './${name}.js';\n`);
  }
}

/** Checks the types, and writes the declarations; resolves to the exit code of the compiler. */
function declare() {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const words = [compiler, '-p', join(root, 'tsconfig.build.json'), '--emitDeclarationOnly'];
  return new Promise((resolve) => {
    spawn(process.execPath, words, { cwd: root, stdio: 'inherit' }).on('exit', resolve);
  });
}

/** A clean clone is built from `npm ci`, which may have been told to leave out what the bundler consists of. */
function refuseMissingBundler() {
  const name = `@esbuild/${process.platform}-${process.arch}`;
  try {
    createRequire(import.meta.url).resolve(`${name}/package.json`);
    return;
  } catch {
    // It is not installed.
  }
  console.error(`error: the build needs the package ${name}, which --omit=optional leaves out`);
  console.error('hint: run npm ci without it; the installed package of Assay works with --omit=optional');
  process.exit(1);
}

async function build() {
  refuseMissingBundler();
  rmSync(dist, { recursive: true, force: true });
  const [status] = await Promise.all([declare(), bundle()]);
  for (const path of files) if (!code.test(path)) cpSync(join(root, path), join(dist, path));
  removeOtherDeclarations();
  chmodSync(main, 0o755);
  if (status !== 0) {
    rmSync(main);
    process.exit(status ?? 1);
  }
  // Commands read it in place of the built-in description.
  const { loadContract } = await import(pathToFileURL(join(dist, 'spec', 'index.js')).href);
  writeFileSync(join(dist, 'spec', 'openapi.contract.json'), JSON.stringify(await loadContract()));
}

if (!process.argv.includes('--if-needed') || !isBuilt()) await build();
