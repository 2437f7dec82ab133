// Compiles the TypeScript sources to dist/ with swc (only what changed), copies what is not code, and bundles the
// workflows and the page. Types are checked by `npm run check`, not here: a build takes under a second when little has changed.
const fs = require('node:fs');
const path = require('node:path');
const { execFileSync, spawnSync } = require('node:child_process');
const swc = require('@swc/core');
const { floors } = require('./floors.cjs');

const root = path.dirname(__dirname);
// Applies scripts/patches to the installed packages, also where npm runs no install scripts.
const patches = ['--patch-dir', 'scripts/patches', '--error-on-fail', '--error-on-warn'];
execFileSync(process.execPath, [require.resolve('patch-package/index.js'), ...patches], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
});
const out = path.join(root, 'dist');
const compiled = Object.keys(floors).filter((floor) => !floors[floor].isBundled);
const folders = [...compiled, 'examples', 'bench', 'scripts/docs', 'scripts/conformance'];

function filesOf(folder) {
  const full = path.join(root, folder);
  if (!fs.existsSync(full)) return [];
  return fs
    .readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

const sources = folders.flatMap(filesOf);
const wanted = new Set();
let written = 0;
for (const source of sources) {
  const isCode = source.endsWith('.ts');
  const target = path.join(out, isCode ? source.replace(/\.ts$/, '.js') : source);
  wanted.add(target);
  const stat = fs.statSync(path.join(root, source));
  if (fs.existsSync(target) && fs.statSync(target).mtimeMs >= stat.mtimeMs) continue;
  fs.mkdirSync(path.dirname(target), { recursive: true });
  if (isCode)
    fs.writeFileSync(
      target,
      swc.transformFileSync(path.join(root, source), {
        cwd: root,
        configFile: path.join(__dirname, 'swc.json'),
        filename: path.join(root, source),
        sourceMaps: false,
      }).code,
    );
  else fs.copyFileSync(path.join(root, source), target);
  written += 1;
}

// A compiled file without its source is removed, so that nothing loads a renamed file by accident.
for (const folder of folders) {
  const full = path.join(out, folder);
  if (!fs.existsSync(full)) continue;
  for (const entry of fs.readdirSync(full, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    // pack.js writes its files beside the compiled ones.
    const compiled = file.replace(/\.(d\.ts|d\.mts|mjs|mjs\.map)$/, '.js');
    if (entry.isFile() && !wanted.has(file) && !wanted.has(compiled)) fs.rmSync(file);
  }
}

if (written > 0) console.log(`surefoot: compiled ${written} of ${sources.length} files to dist/`);
const bundler = path.join(out, 'worker', 'bundle-workflows.js');
const bundled = spawnSync(process.execPath, [bundler], { stdio: 'inherit' });
const page = spawnSync(process.execPath, [path.join(__dirname, 'web.js')], { stdio: 'inherit' });
process.exitCode = (bundled.status ?? 1) || (page.status ?? 1);
