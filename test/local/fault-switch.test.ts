/** The switch that lets tests kill a process at a named point: inert in production, and one shot. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { armFaults, faultsFired } from '../../runtime/fault-point';

const DIST = join(__dirname, '..', '..', 'dist');
let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'surefoot-faults-'));
});
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});

function start(script: string, env: NodeJS.ProcessEnv): Promise<{ code: unknown; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(DIST, script)], { env: { ...process.env, ...env } }, (error, _, stderr) =>
      resolve({ code: error?.code, stderr }),
    );
  });
}

it('every production process refuses to start while a fault is set, in a sentence', async () => {
  const scripts = ['worker/engine-main.js', 'worker/browser-main.js', 'api/main.js', 'worker/keeper/main.js'];
  const env = { SUREFOOT_FAULT: 'kill@after-intent:1', SUREFOOT_FAULTS_ALLOWED: '', SUREFOOT_HOME: home };
  for (const { code, stderr } of await Promise.all(scripts.map((script) => start(script, env)))) {
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^[\w ]+: SUREFOOT_FAULT is set, .*unset it, or set SUREFOOT_FAULTS_ALLOWED=for-tests as well\.\n$/,
    );
  }
});

/** A process that passes the point the given number of times and prints a dot for each. */
function passing(times: number, fault: string, sessionId = 'one'): { signal: NodeJS.Signals | null; passed: number } {
  const code = `const { faultPoint } = require(process.argv[1]);
    for (let n = 0; n < ${times}; n += 1) { faultPoint('after-intent', process.argv[2]); require('fs').writeSync(1, '.'); }`;
  const { signal, stdout } = spawnSync(
    process.execPath,
    ['-e', code, join(DIST, 'runtime', 'fault-point.js'), sessionId],
    {
      env: { ...process.env, SUREFOOT_FAULT: fault, SUREFOOT_HOME: home },
      encoding: 'utf8',
    },
  );
  return { signal, passed: stdout.length };
}

it('a process dies at the nth passing, counted over processes, and the one after it does not', () => {
  expect(passing(1, 'kill@after-intent:3')).toEqual({ signal: null, passed: 1 });
  expect(passing(5, 'kill@after-intent:3')).toEqual({ signal: 'SIGKILL', passed: 1 });
  expect(passing(5, 'kill@after-intent:3')).toEqual({ signal: null, passed: 5 });
});

it('a fault armed for one session counts its passings alone, anew whenever it is armed', () => {
  armFaults(home, 'kill@after-intent:2', 'two');
  expect(passing(5, 'by-file', 'one')).toEqual({ signal: null, passed: 5 });
  expect(passing(5, 'by-file', 'two')).toEqual({ signal: 'SIGKILL', passed: 1 });
  expect(faultsFired(home, 'two').map(({ point }) => point)).toEqual(['after-intent']);
  armFaults(home, 'kill@after-intent:3', 'two');
  expect(faultsFired(home, 'two')).toEqual([]);
  expect(passing(5, 'by-file', 'two')).toEqual({ signal: 'SIGKILL', passed: 2 });
});

it('nothing happens at a point that no fault names, or while none is set', () => {
  expect(passing(5, 'kill@before-append:1')).toEqual({ signal: null, passed: 5 });
  expect(passing(5, '')).toEqual({ signal: null, passed: 5 });
});
