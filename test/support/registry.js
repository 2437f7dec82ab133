// A registry of npm packages with the ones that are named: `node registry.js FOLDER… TARBALL`, each a package or its
// tarball. It names no dependencies, so that npm installs each alone. Prints its address.
const { execFileSync } = require('node:child_process');
const { createServer } = require('node:http');
const { readFileSync, statSync } = require('node:fs');

const packages = new Map(
  process.argv.slice(2).map((place) => {
    const isFolder = statSync(place).isDirectory();
    const manifest = isFolder
      ? readFileSync(`${place}/package.json`)
      : execFileSync('tar', ['xzOf', place, 'package/package.json']);
    const { name, version, bin, bundleDependencies } = JSON.parse(manifest.toString());
    const read = () =>
      isFolder
        ? execFileSync('tar', ['czf', '-', '-C', place, '--transform', 's,^\\.,package,', '.'], { maxBuffer: 2 ** 28 })
        : readFileSync(place);
    return [name, { facts: { name, version, bin, bundleDependencies }, read }];
  }),
);

const server = createServer(({ url, headers }, answer) => {
  const [, name, file] = /^\/((?:@[^/]+\/)?[^/]+)(\/-\/.+)?$/.exec(decodeURIComponent(url)) ?? [];
  const found = packages.get(name);
  if (found === undefined) return answer.writeHead(404).end('{}');
  if (file !== undefined) return answer.end(found.read());
  const { version } = found.facts;
  const dist = { tarball: `http://${headers.host}/${name}/-/${name.split('/').at(-1)}-${version}.tgz` };
  answer.setHeader('content-type', 'application/json');
  answer.end(
    JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: { ...found.facts, dist } } }),
  );
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
