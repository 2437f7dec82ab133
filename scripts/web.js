// Builds the page of web/ into dist/web, which the API serves at `/`, and its view of a session into dist/web-frozen, which
// reports are made of. It needs no network. Nothing is done where nothing that they are made of has changed.
const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');

const root = path.dirname(__dirname);
const site = path.join(root, 'dist', 'web');
const stamp = path.join(site, 'built-from.json');
const frozen = path.join(root, 'dist', 'web-frozen');

/** Every source of the page with the time of its last change; what web/ imports lies in client/, contracts/ and examples/. */
function sourcesNow() {
  const files = ['web', 'client', 'contracts', 'examples'].flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name)),
  );
  const all = [...files, __filename, path.join(root, 'package-lock.json')].sort();
  return JSON.stringify(all.map((file) => [path.relative(root, file), fs.statSync(file).mtimeMs]));
}

/** zod has its messages in fifty languages, which are no part of a namespace that is used whole. */
const englishOnly = {
  name: 'english-only',
  enforce: 'pre',
  resolveId: (id, importer) =>
    id.endsWith('locales/index.js') && /zod/.test(importer ?? '') ? '\0locales' : undefined,
  load: (id) => (id === '\0locales' ? 'export {};' : undefined),
};

async function main() {
  const sources = sourcesNow();
  if (fs.existsSync(frozen) && fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === sources) return;
  if (!fs.existsSync(path.join(root, 'node_modules', 'react', 'package.json'))) {
    // Everything else works without the page: `/` leads to /docs.
    console.error('surefoot: the page of web/ is not built, because its packages are not installed. Run `npm ci`.');
    return;
  }
  // A test run sets another one, and React would be the slower build that developers use.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  // Built beside it and then put in its place, so that nobody reads or packs half a page.
  const fresh = `${site}-${process.pid}`;
  await build({
    root: path.join(root, 'web'),
    configFile: false,
    logLevel: 'warn',
    plugins: [englishOnly],
    build: {
      outDir: fresh,
      emptyOutDir: true,
      assetsDir: 'page',
      modulePreload: { polyfill: false },
      target: 'es2022',
      // test/web has the limit that counts.
      chunkSizeWarningLimit: 1000,
      // Of TanStack Query, for servers that render.
      rolldownOptions: { onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning) },
    },
  });
  // Rendered by this process, so with all that it needs in one file.
  await build({
    root: path.join(root, 'web'),
    configFile: false,
    logLevel: 'warn',
    plugins: [englishOnly],
    ssr: { noExternal: true },
    build: {
      ssr: 'frozen-session.tsx',
      outDir: `${frozen}-${process.pid}`,
      emptyOutDir: true,
      minify: true,
      target: 'node20',
      rolldownOptions: {
        output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
        onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
      },
    },
  });
  const assets = path.join(fresh, 'page');
  for (const name of fs.readdirSync(assets).filter((each) => /\.(js|css)$/.test(each))) {
    const content = fs.readFileSync(path.join(assets, name));
    fs.writeFileSync(path.join(assets, `${name}.br`), zlib.brotliCompressSync(content));
    fs.writeFileSync(path.join(assets, `${name}.gz`), zlib.gzipSync(content, { level: 9 }));
  }
  fs.writeFileSync(path.join(fresh, path.basename(stamp)), sources);
  fs.rmSync(frozen, { recursive: true, force: true });
  fs.renameSync(`${frozen}-${process.pid}`, frozen);
  fs.rmSync(site, { recursive: true, force: true });
  fs.renameSync(fresh, site);
  console.log('surefoot: built the page of web/ to dist/web and dist/web-frozen');
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
