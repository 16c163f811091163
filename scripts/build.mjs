import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const folders = ['spec', 'generators', 'client', 'suites', 'load', 'reports', 'service', 'cli'];
const source = /(?<!\.d)\.ts$/u;
const ours = /\.test\.|^testing$|^fixtures$/u;

function copyData(folder) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (ours.test(entry.name)) continue;
    if (entry.isDirectory()) copyData(path);
    else if (!source.test(entry.name)) cpSync(join(root, path), join(dist, path));
  }
}

function linkCommand() {
  const bin = join(root, 'node_modules', '.bin');
  if (!existsSync(bin)) return;
  try {
    rmSync(join(bin, 'assay'), { force: true });
    symlinkSync(relative(bin, join(dist, 'cli', 'main.js')), join(bin, 'assay'));
  } catch (error) {
    process.stderr.write(`npx assay will be slower here: ${error.message}\n`);
  }
}

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
execFileSync(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', join(root, 'tsconfig.build.json')], { cwd: root, stdio: 'inherit' });
for (const folder of folders) copyData(folder);
chmodSync(join(dist, 'cli', 'main.js'), 0o755);
linkCommand();
