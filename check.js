// `npm run check`: format, lint (with the import directions), types and dead code, side by side; all of them are told.
const { spawn } = require('node:child_process');

const checks = {
  format: ['prettier', '--check', '--log-level', 'warn', '.'],
  lint: ['oxlint', '--deny-warnings'],
  types: ['tsc', '--noEmit'],
  'dead code': ['knip', '--no-progress'],
};

function run([command, ...args]) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
    child.on('error', (error) => resolve({ ok: false, output: error.message }));
    child.on('close', (code) => resolve({ ok: code === 0, output }));
  });
}

void Promise.all(
  Object.entries(checks).map(async ([name, command]) => {
    const { ok, output } = await run(command);
    console.log(`${ok ? '✓' : '✗'} ${name}`);
    return { ok, text: ok ? '' : `\n--- ${name} (${command.join(' ')})\n${output}` };
  }),
).then((results) => {
  for (const { text } of results) if (text !== '') console.log(text);
  process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
});
