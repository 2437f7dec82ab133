// The command as a process of its own: what it prints where, and how it ends, with no service in reach.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lineAsCalled, programName } from '../../cli/terminal/as-called';
import { everyNth } from '../support/long-run';
import { emptyHome, runCli } from './cli-process';

const { home, remove } = emptyHome();
afterAll(remove);
const nothingRuns = { SUREFOOT_HOME: home };

const COMMANDS =
  'start dev ps doctor run watch list show pause resume cancel add-step worker api keeper completion'.split(' ');

test('--help names every command and the exit codes', async () => {
  const { exitCode, stdout } = await runCli(['--help']);
  expect(exitCode).toBe(0);
  for (const name of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
  expect(stdout).toContain('130 interrupted');
});

test.each(everyNth(2, COMMANDS))('%s --help shows examples', async (name) => {
  const { exitCode, stdout, stderr } = await runCli([name, '--help']);
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`Usage: surefoot ${name}`);
  expect(stdout).toContain('Examples:');
  expect(stderr).toBe('');
});

test.each([
  ['an unknown command', ['frobnicate'], /^surefoot: unknown command 'frobnicate'/],
  ['a misspelt command', ['wacth', 'x'], /Did you mean watch\?/],
  ['an unknown option', ['list', '--colour'], /^surefoot: unknown option '--colour'/],
  ['a missing id', ['show'], /^surefoot: missing required argument 'id'/],
  ['a number that is none', ['list', '--limit', 'ten'], /Expected a whole number/],
  ['a status that is none', ['list', '--status', 'done'], /Expected one of INITIALIZING, ACTIVE/],
  ['a variable without a value', ['run', 'Go', '--variable', 'shop'], /Expected name=value, got "shop"/],
  ['a role that is none', ['worker', '--role', 'cook'], /Allowed choices are engine, browser/],
  ['an answer without yes or no', ['resolve-unknown', 'abcd', 'c1'], /required option '--happened <answer>'/],
  [
    'an answer that is neither',
    ['resolve-unknown', 'abcd', 'c1', '--happened', 'maybe'],
    /Allowed choices are yes, no/,
  ],
  ['an approval for what is no scope', ['approve', 'appr_1', '--for', 'ever'], /Allowed choices are call, always/],
  ['arguments that are no JSON', ['approve', 'appr_1', '--args', '{'], /--args expects a JSON object/],
  ['a budget that is none', ['run', 'Go', '--budget', 'calls=3'], /Expected limits such as tokens=20000/],
  ['a chat whose input has the steps', ['run', '--chat', '-'], /standard input has the messages/],
  [
    'an approval mode that is none',
    ['run', 'Go', '--approval-mode', 'never'],
    /Allowed choices are default, yolo, always/,
  ],
  ['a tenant that is none', ['run', 'Go', '--tenant', 'a b'], /tenant: expected 1 to 64 letters/],
  ['no decision on a budget', ['resolve-budget', 'abcd'], /Decide with --raise <limits> or with --end/],
  ['a port out of range', ['api', '--port', '70000'], /Expected a port from 0 to 65535/],
] as const)('%s is a usage error', async (_what, args, message) => {
  const { exitCode, stdout, stderr } = await runCli(args, { env: nothingRuns });
  expect(stderr).toMatch(message);
  expect(exitCode).toBe(2);
  expect(stdout).toBe('');
});

test.each([
  ['PORT', '99999', 'expected a port from 0 to 65535'],
  ['SHOP_PORT', 'eighty', 'expected a port from 0 to 65535'],
  ['SUREFOOT_MAX_SESSIONS', 'many', 'expected a whole number'],
])('`start` refuses %s=%s before anything starts', async (name, value, expected) => {
  const { exitCode, stdout, stderr } = await runCli(['start', '--once'], { env: { ...nothingRuns, [name]: value } });
  expect(stderr).toBe(`surefoot: The environment variable ${name} is not usable: ${expected}.\n`);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
});

test('completes commands, options and their values, a line each, for the script that a shell loads', async () => {
  const complete = async (...words: string[]) => (await runCli(['complete', '--', ...words])).stdout.split('\n');
  expect(await complete('wa')).toContainEqual(expect.stringMatching(/^watch\tfollow a session/));
  expect(await complete('run', '--cha')).toContainEqual(expect.stringMatching(/^--chat\ta conversation/));
  expect(await complete('run', '--approval-mode', 'al')).toEqual(
    expect.arrayContaining([expect.stringMatching(/^always/)]),
  );
  const { exitCode, stdout } = await runCli(['completion', 'bash']);
  expect(exitCode).toBe(0);
  const script = `${stdout}\ncomplete -p surefoot`;
  expect(spawnSync('bash', ['-c', script], { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
    stdout: 'complete -F __surefoot_complete surefoot\n',
  });
});

test('hints name the program as it was called', () => {
  expect(programName(['node', '/opt/bin/surefoot'], {})).toBe('surefoot');
  expect(programName(['node', '/app/node_modules/.bin/surefoot'], { npm_command: 'exec' })).toBe('npx surefoot');
  expect(programName(['node', '/app/bin/surefoot.js'], {})).toBe('npx surefoot');
});

test('commands that answer a session are printed as they were called, wherever they stand in a text', () => {
  const text = 'Pay? Answer with: surefoot approve appr_1, or surefoot reject appr_1 --reason "…"';
  const called = lineAsCalled(text);
  expect(called).toBe('Pay? Answer with: npx surefoot approve appr_1, or npx surefoot reject appr_1 --reason "…"');
  expect(lineAsCalled(called)).toBe(called);
  expect(lineAsCalled('Open surefoot approve.example')).toBe('Open surefoot approve.example');
});

test('no command at all starts the local stack', async () => {
  const noFolder = { SUREFOOT_HOME: join(__filename, 'home') };
  const [alone, start] = await Promise.all([runCli([], { env: noFolder }), runCli(['start'], { env: noFolder })]);
  expect(alone).toEqual(start);
  expect(alone).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('not a directory, mkdir') });
});

test('a run without steps says how to pass them', async () => {
  const { exitCode, stderr } = await runCli(['run'], { env: nothingRuns });
  expect(stderr).toMatch(/^surefoot: There are no steps in standard input\. Give them as arguments/);
  expect(exitCode).toBe(2);
});

test.each([
  ['an empty step', { steps: [''] }, 'steps[0]: '],
  ['no step', { steps: [] }, 'steps: a session needs at least one step'],
  ['a step too long', { steps: ['x'.repeat(1001)] }, 'steps[0]: '],
  ['too many steps', { steps: Array.from({ length: 10_001 }, () => 'Go') }, 'steps: '],
  ['an unknown field', { steps: ['Go'], stpes: 1 }, 'stpes: unknown field'],
  [
    'a person to ask in a browser that nobody can hold to the answer',
    { steps: ['Go'], config: { browserType: 'firefox', agent: { approvalMode: 'always' } } },
    'config.agent.approvalMode: ',
  ],
  [
    'a broken timeout hierarchy',
    { steps: ['Go'], config: { timeouts: { stepTimeoutMs: 1, requestTimeoutMs: 2 } } },
    'config.timeouts: stepTimeoutMs (1)',
  ],
])('%s is refused with its path before any service is asked', async (_what, request, path) => {
  const { exitCode, stdout, stderr } = await runCli(['run', '-'], { env: nothingRuns, input: JSON.stringify(request) });
  expect(stderr).toContain(path);
  expect(exitCode).toBe(2);
  expect(stdout).toBe('');
});

const NEEDING_SERVICES = [
  ['run', 'Go'],
  ['run', '--task', 'Find a tent'],
  ['list'],
  ['show', 'abcd'],
  ['watch', 'abcd'],
  ['pause', 'abcd'],
  ['add-step', 'abcd', 'Go'],
  ['resolve-unknown', 'abcd', 'c1', '--happened', 'yes'],
  ['approvals'],
  ['approve', 'appr_1'],
  ['reject', 'appr_1'],
  ['close', 'abcd'],
  ['cancel-turn', 'abcd'],
  ['cancel-call', 'abcd', 'call_1'],
  ['resolve-budget', 'abcd', '--raise', 'tokens=9'],
  ['worker'],
];

test.each(NEEDING_SERVICES)('%s without a stack says in one sentence how to start one', async (...args) => {
  const { exitCode, stdout, stderr } = await runCli(args, { env: nothingRuns });
  expect(stderr).toMatch(/^surefoot: [^\n]*`npx surefoot dev`[^\n]*\n$/);
  expect(exitCode).toBe(2);
  expect(stdout).toBe('');
});

test.each([['list'], ['run', 'Go']])('%s with services that do not listen names them, at once', async (...args) => {
  // Port 1 of this machine: nobody listens there.
  const env = {
    ...nothingRuns,
    DATABASE_URL: 'postgres://someone:hidden@127.0.0.1:1/x',
    TEMPORAL_ADDRESS: '127.0.0.1:1',
  };
  const { exitCode, stderr } = await runCli(args, { env });
  expect(stderr).toMatch(/^surefoot: PostgreSQL can't be reached at 127\.0\.0\.1:1 [^\n]*`npx surefoot dev`[^\n]*\n$/);
  expect(stderr).not.toContain('hidden');
  expect(exitCode).toBe(2);
});

test('ps says that nothing runs here', async () => {
  const { exitCode, stdout, stderr } = await runCli(['ps'], { env: nothingRuns });
  expect(stderr).toContain('Nothing runs in');
  expect(stderr).toContain('`npx surefoot dev`');
  expect([exitCode, stdout]).toEqual([2, '']);
  const json = await runCli(['ps', '--json'], { env: nothingRuns });
  expect([json.exitCode, JSON.parse(json.stdout)]).toEqual([2, []]);
});

test('doctor says what is missing and ends with 2', async () => {
  const { exitCode, stdout } = await runCli(['doctor'], { env: nothingRuns });
  expect(stdout).toMatch(/^✓ Node\.js/m);
  expect(stdout).toMatch(/^✗ Services .*`npx surefoot dev`/m);
  expect(exitCode).toBe(2);
});

test('SUREFOOT_DEBUG shows where an error comes from', async () => {
  const { stderr } = await runCli(['list'], { env: { ...nothingRuns, SUREFOOT_DEBUG: '1' } });
  expect(stderr).toMatch(/\n\s+at /);
});

test('a reader that closes the pipe early causes no crash', () => {
  const program = join(__dirname, '..', '..', 'bin', 'surefoot.js');
  const { stderr } = spawnSync('sh', ['-c', `"${process.execPath}" "${program}" run --help | true`], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
});

describe('the program file on its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'surefoot-bin-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('without the compiled program it says what to run', () => {
    mkdirSync(join(folder, 'bin'));
    const copy = join(folder, 'bin', 'surefoot.js');
    copyFileSync(join(__dirname, '..', '..', 'bin', 'surefoot.js'), copy);
    writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}');
    const { status, stderr } = spawnSync(process.execPath, [copy, 'ps'], { encoding: 'utf8' });
    expect(stderr).toBe('surefoot: the compiled program is missing; run `npm run build` first.\n');
    expect(status).toBe(2);
  });
});
