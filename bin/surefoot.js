#!/usr/bin/env node
'use strict';
// Plain JavaScript for old versions of Node: runs the project's own Node when this one is too old.
const { spawn } = require('node:child_process');
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const OLDEST = [22, 12];
const root = join(__dirname, '..');
const entry = join(root, 'dist', 'cli', 'main.js');

function isRecent(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

function ownNode() {
  const modules = join(root, 'node_modules');
  const places = [join(modules, 'node', 'bin', 'node'), join(modules, '.bin', 'node')];
  // Where the package is installed into another project, its modules are beside it.
  places.push(join(root, '..', 'node', 'bin', 'node'), join(root, '..', '.bin', 'node'));
  return places.find((place) => existsSync(place));
}

function refuse(sentence) {
  process.stderr.write(`surefoot: ${sentence}\n`);
  process.exitCode = 2;
}

/** Runs the same command with another Node and exits with its code or signal. */
function handOver(node) {
  const child = spawn(node, [__filename, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, SUREFOOT_HANDED_OVER: '1' },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => refuse(`${node} can't be started: ${error.message}.`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** Hides the warning of Node 22.12 about `require` of ES modules. */
function hideExperimentalWarnings() {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    const [kind] = rest;
    if (kind !== 'ExperimentalWarning' && kind?.type !== 'ExperimentalWarning')
      emitWarning.call(process, warning, ...rest);
  };
}

if (!isRecent(process.versions.node)) {
  const node = process.env.SUREFOOT_HANDED_OVER === undefined ? ownNode() : undefined;
  if (node !== undefined) handOver(node);
  else {
    // A clone installs a Node of its own; the npm package does not.
    const remedy = existsSync(join(root, 'package-lock.json'))
      ? "and the project's own is not installed; run `npm ci`, or install a newer Node.js"
      : 'so install a newer Node.js, or have one fetched: `npx -p node@24 -p surefoot surefoot`';
    refuse(`Node.js ${OLDEST.join('.')} or newer is needed, this is ${process.versions.node}, ${remedy}.`);
  }
} else if (!existsSync(entry)) {
  refuse('the compiled program is missing; run `npm run build` first.');
} else {
  hideExperimentalWarnings();
  require(entry);
}
