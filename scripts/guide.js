// `npm run guide`: builds the site of docs/ into dist/guide, which the API serves at /guide. It takes some seconds, so it is
// no part of build.js, and nothing is done where nothing has changed. A link to a page or heading that is not there fails it.
const fs = require('node:fs');
const path = require('node:path');
const { spawnSync } = require('node:child_process');

const root = path.dirname(__dirname);
const site = path.join(root, 'dist', 'guide');
const stamp = path.join(site, 'built-from.json');

/** Every source of the site with the time of its last change. */
function sourcesNow() {
  const docs = path.join(root, 'docs');
  const files = fs
    .readdirSync(docs, { recursive: true, withFileTypes: true })
    .filter(({ name, parentPath }) => /\.(md|mts|css)$/.test(name) && !parentPath.includes('.temp'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
  return JSON.stringify(files.map((file) => [path.relative(root, file), fs.statSync(file).mtimeMs]));
}

const sources = sourcesNow();
if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === sources) process.exit(0);

// Built beside it and then put in its place, so that nobody reads or packs half a site.
const fresh = `${site}-${process.pid}`;
const vitepress = path.join(path.dirname(require.resolve('vitepress/package.json')), 'bin', 'vitepress.js');
const built = spawnSync(process.execPath, [vitepress, 'build', path.join(root, 'docs')], {
  stdio: ['ignore', 'pipe', 'pipe'],
  encoding: 'utf8',
  env: { ...process.env, SUREFOOT_GUIDE_FOLDER: fresh },
});
if (built.status !== 0) {
  process.stderr.write(built.stdout + built.stderr);
  fs.rmSync(fresh, { recursive: true, force: true });
  process.exit(built.status ?? 1);
}
fs.writeFileSync(path.join(fresh, path.basename(stamp)), sources);
fs.rmSync(site, { recursive: true, force: true });
fs.renameSync(fresh, site);
console.log('surefoot: built the guide from docs/ to dist/guide');
