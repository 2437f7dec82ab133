// `npm run lock`: recreates package-lock.json and adds the platform packages that the configured registry does not have
// (a mirror may keep those of one platform only). `npm ci` refuses a lock without them on every platform; with an entry
// each platform fetches its own and skips the others. The lock has no `engines`: npm compares them with the Node that it
// runs on itself, and a clone runs on the one that it installs (`node` in package.json).
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { execFileSync } = require('node:child_process');

const root = __dirname;
// In another folder: beside node_modules, npm omits packages that are not installed.
const place = fs.mkdtempSync(path.join(os.tmpdir(), 'surefoot-lock-'));
fs.copyFileSync(path.join(root, 'package.json'), path.join(place, 'package.json'));
const flags = ['--package-lock-only', '--ignore-scripts', '--omit-lockfile-registry-resolved'];
// `npm run` puts the clone's Node first in PATH, so this npm runs on it and refuses a package that does not accept it.
execFileSync('npm', ['install', '--engine-strict', ...flags], { cwd: place, stdio: 'inherit' });

const lock = JSON.parse(fs.readFileSync(path.join(place, 'package-lock.json'), 'utf8'));
fs.rmSync(place, { recursive: true });

const SYSTEMS = [
  'darwin',
  'linux',
  'win32',
  'freebsd',
  'openbsd',
  'netbsd',
  'android',
  'aix',
  'sunos',
  'openharmony',
  'windows',
];
const PROCESSORS = [
  'arm64',
  'x64',
  'ia32',
  'arm',
  'ppc64',
  's390x',
  'riscv64',
  'loong64',
  'wasm32',
  'mips64el',
  'aarch64',
];
const NAMES = { windows: 'win32', aarch64: 'arm64' };

/** Derives `os` and `cpu` from the name of a platform package; undefined for other packages. */
function platformOf(name) {
  const words = name.split(/[-/@]/);
  const system = SYSTEMS.find((each) => words.includes(each));
  const processor = PROCESSORS.find((each) => words.includes(each));
  if (system === undefined && processor === undefined) return undefined;
  return {
    ...(system === undefined ? {} : { os: [NAMES[system] ?? system] }),
    ...(processor === undefined ? {} : { cpu: [NAMES[processor] ?? processor] }),
  };
}

let added = 0;
for (const [owner, entry] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    const places = [`${owner}/node_modules/${name}`, `node_modules/${name}`];
    if (places.some((each) => lock.packages[each] !== undefined)) continue;
    const platform = platformOf(name);
    if (platform === undefined) continue;
    lock.packages[`node_modules/${name}`] = {
      version: range.replace(/^[\^~]/, ''),
      ...platform,
      ...(entry.dev === true ? { dev: true } : {}),
      optional: true,
    };
    added += 1;
  }
}
for (const entry of Object.values(lock.packages)) delete entry.engines;
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
fs.writeFileSync(path.join(root, 'package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`);
console.log(
  `package-lock.json: ${Object.keys(lock.packages).length} packages, ${added} of them for platforms the registry does not hold`,
);
