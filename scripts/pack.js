// Adds to dist/ what only the npm package needs (`npm pack` runs it): the declarations of what its entries export, and
// `surefoot` itself as an ES module, which browsers and edge runtimes load.
const fs = require('node:fs');
const path = require('node:path');
const esbuild = require('esbuild');
const ts = require('typescript');
const { exports: entries } = require('../package.json');

const root = path.dirname(__dirname);
const out = path.join(root, 'dist');

const compiled = Object.values(entries).flatMap((entry) =>
  typeof entry === 'string' ? [] : [entry.default ?? entry.require.default],
);
writeDeclarations(compiled.map((file) => path.join(root, file.replace('./dist/', '').replace(/\.js$/, '.ts'))));

esbuild.buildSync({
  entryPoints: [path.join(root, 'client', 'index.ts')],
  outfile: path.join(out, 'client', 'index.mjs'),
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'neutral',
  target: 'es2023',
  sourcemap: true,
});
fs.writeFileSync(path.join(out, 'client', 'index.d.mts'), "export * from './index.js';\n");

/** Writes the declarations of these sources, and of each source that a declaration names: not of what they only use. */
function writeDeclarations(sources) {
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), (file) => fs.readFileSync(file, 'utf8'));
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: sources }, ts.sys, root);
  const program = ts.createProgram(sources, {
    ...options,
    noEmit: false,
    declaration: true,
    outDir: out,
    rootDir: root,
  });
  const host = { ...ts.sys, getCurrentDirectory: () => root };
  const waiting = [...sources];
  const seen = new Set(waiting);
  const problems = [];
  while (waiting.length > 0) {
    const source = program.getSourceFile(waiting.pop());
    const write = (file, text) => {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, text);
      for (const { fileName } of ts.preProcessFile(text).importedFiles) {
        if (!fileName.startsWith('.')) continue;
        const named = ts.resolveModuleName(fileName, source.fileName, options, ts.sys).resolvedModule?.resolvedFileName;
        if (named === undefined)
          throw new Error(`${source.fileName}: its declaration names ${fileName}, which is no file.`);
        if (!seen.has(named)) waiting.push(named);
        seen.add(named);
      }
    };
    problems.push(...program.emit(source, write, undefined, true).diagnostics);
  }
  if (problems.length > 0) {
    process.stderr.write(
      ts.formatDiagnostics(problems, { ...host, getCanonicalFileName: (name) => name, getNewLine: () => '\n' }),
    );
    process.exit(1);
  }
  console.log(`surefoot: wrote ${seen.size} declarations`);
}
