import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findSandbox } from '../../../worker/keeper/chrome/sandbox';
import { startTicksOf } from '../../../runtime/process-identity';
import { launchedPrograms } from '../../support/launched-programs';
import { aRoot, CHROMIUM, cleanUp, keeperOver, until } from '../fixture';

let usersRoot: string;
beforeAll(() => (usersRoot = mkdtempSync(join(tmpdir(), 'surefoot-users-'))));
afterAll(() => rmSync(usersRoot, { recursive: true, force: true }));
afterEach(cleanUp);

/** A field of /proc/<pid>/status. */
function statusOf(pid: number, field: string): string[] {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`${field}:`));
  return line!.split(/\s+/).slice(1);
}

describe.each(launchedPrograms())('%s', (_, program) => {
  test('runs as the user of Chromes where there is one, and gets no secret of its keeper', async () => {
    process.env['SUREFOOT_API_TOKEN'] = 'not for a browser';
    const sandbox = await findSandbox({
      chromiumPath: CHROMIUM,
      home: aRoot(),
      usersRoot,
      hostId: 'local',
      wanted: 'prefer',
    });
    const browsers = await keeperOver(aRoot(), { sandbox, program });
    const { pid } = await browsers.open({ sessionId: 's', epoch: 1, headless: true, browserType: 'firefox' });
    delete process.env['SUREFOOT_API_TOKEN'];
    const uid = sandbox.kind === 'on' && sandbox.user !== undefined ? sandbox.user.uid : process.getuid!();
    expect(statusOf(pid, 'Uid')).toEqual(Array(4).fill(String(uid)));
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('not for a browser');
    await browsers.close('s');
    expect(startTicksOf(pid)).toBeUndefined();
    expect(readdirSync(usersRoot, { recursive: true }).filter((path) => String(path).endsWith('/s'))).toEqual([]);
  });

  test('says why it could not be launched, and leaves nothing', async () => {
    const root = aRoot();
    const browsers = await keeperOver(root, { program: { ...program, executablePath: '/bin/false' } });
    const opened = browsers.open({ sessionId: 's', epoch: 1, headless: true, browserType: 'firefox' });
    await expect(opened).rejects.toMatchObject({ status: 503, message: expect.stringContaining('/bin/false') });
    expect(readdirSync(root)).not.toContain('s');
  });

  test('a browser that was not ready in time may be tried again, and leaves nothing', async () => {
    const root = aRoot();
    const script = join(root, 'waits');
    writeFileSync(script, '#!/bin/sh\nexec sleep 3600\n', { mode: 0o755 });
    const browsers = await keeperOver(root, { program: { ...program, executablePath: script } });
    const opened = browsers.open({ sessionId: 's', epoch: 1, headless: true, browserType: 'firefox' });
    await expect(opened).rejects.toMatchObject({ status: 408, message: expect.stringContaining('Timeout 20000ms') });
    expect(readdirSync(root)).not.toContain('s');
  });

  test('ends with the process that serves it, and leaves nothing', async () => {
    const root = aRoot();
    const browsers = await keeperOver(root, { program });
    const { pid } = await browsers.open({ sessionId: 's', epoch: 1, headless: true, browserType: 'firefox' });
    process.kill(Number(statusOf(pid, 'PPid')[0]), 'SIGKILL');
    await until('it has ended', () => startTicksOf(pid) === undefined && browsers.list().length === 0);
    await until('its folder is gone', () => !readdirSync(root).includes('s'));
    await expect(browsers.openRelay({ sessionId: 's', epoch: 2 })).rejects.toMatchObject({ status: 404 });
  });
});
