import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../support/eventually';

const PAGE = 'http://127.0.0.1:3000/#sign-in=a-key';
const OFFER = 'Press Enter to open the page in your browser.';
const CLI = join(__dirname, '..', '..', '..', 'dist', 'cli');
const folder = mkdtempSync(join(tmpdir(), 'surefoot-desktop-'));
const browser = join(folder, 'browser');
const opened = join(folder, 'opened');
const program = join(folder, 'program.js');
beforeAll(() => {
  writeFileSync(browser, `#!/bin/sh\necho "$@" > '${opened}'\n`);
  chmodSync(browser, 0o755);
  writeFileSync(
    program,
    `const { offerPage } = require(${JSON.stringify(join(CLI, 'stack', 'offer-page.js'))});
    const { createTerminal } = require(${JSON.stringify(join(CLI, 'terminal', 'terminal.js'))});
    const { signal } = new AbortController();
    offerPage(${JSON.stringify(PAGE)}, { terminal: createTerminal(), signal });
    setTimeout(() => {}, Number(process.env.STAYS_MS));`,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the program before a person, on a desktop whose only browser writes down what it is to open. */
function run(
  env: Record<string, string>,
  command = ['script', '-qec', `"${process.execPath}" "${program}"`, '/dev/null'],
) {
  const places = ['HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_DATA_DIRS', 'XDG_CONFIG_DIRS'];
  const desktop = { ...Object.fromEntries(places.map((name) => [name, folder])), BROWSER: browser, TERM: 'xterm' };
  const child = spawn(command[0]!, command.slice(1), { env: { PATH: process.env['PATH'], ...desktop, ...env } });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = new Promise<string>((resolve) => child.once('close', () => resolve(text)));
  return { child, ended, text: () => text };
}

test('Enter opens the page in the browser of a desktop', async () => {
  const { child, ended, text } = run({ DISPLAY: ':0', STAYS_MS: '120000' });
  await eventually('it is offered', () => text().includes(OFFER));
  child.stdin.write('\n');
  await eventually('it is open', () => existsSync(opened) && readFileSync(opened, 'utf8').endsWith('\n'));
  expect(readFileSync(opened, 'utf8')).toBe(`${PAGE}\n`);
  child.stdin.write('\u0003');
  await ended;
});

test('an offer that nobody takes keeps no command from its end', async () => {
  const { ended } = run({ DISPLAY: ':0', STAYS_MS: '0' });
  expect(await ended).toContain(OFFER);
});

test('nothing is offered without a display, or where no person sits before it', async () => {
  expect(await run({ STAYS_MS: '0' }).ended).toBe('');
  expect(await run({ DISPLAY: ':0', STAYS_MS: '0' }, [process.execPath, program]).ended).toBe('');
});
