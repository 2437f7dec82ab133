import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { downloadRelease } from '../../../cli/stack/programs/download-release';
import { fetchChromium } from '../../../cli/stack/programs/fetch-chromium';
import { fetchTemporal } from '../../../cli/stack/programs/fetch-temporal';
import { locateChromium } from '../../../cli/stack/programs/locate-chromium';
import { locateTemporal } from '../../../cli/stack/programs/locate-temporal';
import type { Probes } from '../../../cli/stack/programs/probes';
import { runProgram, type RunCommand } from '../../../runtime/run-command';
import { collectReports, createFolder, removeFolder } from '../stack-fixture';

/** A machine with these programs on it, the folders of `onPath` on PATH. */
function machine(programs: readonly string[], extra: Partial<Probes> = {}): Probes {
  return {
    env: {},
    homeFolder: '/people/ada',
    isRoot: false,
    isProgram: (path) => programs.includes(path),
    which: (name) => ['/usr/bin'].map((folder) => join(folder, name)).find((path) => programs.includes(path)),
    playwrightChromium: () => undefined,
    ...extra,
  };
}

describe('Temporal is looked for', () => {
  const everywhere = [
    '/usr/bin/temporal',
    '/project/cache/temporal',
    '/people/ada/.cache/surefoot/bin/temporal',
    '/people/ada/go/bin/temporal',
  ];

  test('an address in the environment wins over any program', () => {
    const probes = machine(everywhere, { env: { TEMPORAL_ADDRESS: 'temporal.example:7233' } });
    expect(locateTemporal(probes, '/project')).toMatchObject({
      kind: 'server',
      server: { address: 'temporal.example:7233' },
    });
  });

  test.each(everywhere.map((path, index) => [path, everywhere.slice(index)] as const))(
    '%s is taken when nothing nearer is there',
    (path, programs) => {
      expect(locateTemporal(machine(programs), '/project')).toEqual({ kind: 'program', path });
    },
  );

  test('the folders that the user set for caches and Go are searched', () => {
    const env = { XDG_CACHE_HOME: '/cache', GOPATH: '/go:/go2' };
    const inCache = machine(['/cache/surefoot/bin/temporal'], { env });
    const inGo = machine(['/go2/bin/temporal', '/people/ada/go/bin/temporal'], { env });
    expect(locateTemporal(inCache, '/project')).toEqual({ kind: 'program', path: '/cache/surefoot/bin/temporal' });
    expect(locateTemporal(inGo, '/project')).toEqual({ kind: 'program', path: '/go2/bin/temporal' });
  });

  test('a program in the temporary folder, where anybody may write, is not run', () => {
    const programs = ['/tmp/temporal', '/tmp/temporal-sdk-typescript-1.24.0'];
    expect(locateTemporal(machine(programs), '/project')).toEqual({ kind: 'missing' });
  });
});

describe('locating Chromium', () => {
  test("CHROMIUM_PATH wins, then Playwright's Chromium, then the system's", () => {
    const programs = ['/opt/my-chrome', '/usr/bin/chromium', '/usr/bin/google-chrome'];
    const playwrightChromium = () => '/pw/chrome';
    expect(locateChromium(machine(programs, { env: { CHROMIUM_PATH: '/opt/my-chrome' }, playwrightChromium }))).toBe(
      '/opt/my-chrome',
    );
    expect(locateChromium(machine(programs, { playwrightChromium }))).toBe('/pw/chrome');
    expect(locateChromium(machine(programs))).toBe('/usr/bin/chromium');
    expect(locateChromium(machine(['/snap/bin/chromium']))).toBe('/snap/bin/chromium');
    expect(locateChromium(machine([]))).toBeUndefined();
  });

  test('a CHROMIUM_PATH without a program is refused', () => {
    const probes = machine(['/usr/bin/chromium'], { env: { CHROMIUM_PATH: '/opt/gone' } });
    expect(() => locateChromium(probes)).toThrow('CHROMIUM_PATH names /opt/gone, but there is no program');
  });
});

describe('installing a missing program', () => {
  let folder: string;
  beforeEach(() => void (folder = createFolder()));
  afterEach(() => removeFolder(folder));

  /** A machine on which commands that match put a program in place, and all others fail. */
  function fetching(programs: string[], works: RegExp, installed: string) {
    const commands: string[] = [];
    const run: RunCommand = (command, args) => {
      const line = [command, ...args].join(' ');
      commands.push(line);
      if (!works.test(line)) return Promise.resolve({ isOk: false, output: 'no network\nhost unreachable' });
      programs.push(installed);
      return Promise.resolve({ isOk: true, output: '' });
    };
    return { commands, run };
  }

  test('Temporal is built with Go when the download fails, and both are reported', async () => {
    const programs = ['/usr/bin/go'];
    const built = `${folder}/surefoot/bin/temporal`;
    const { commands, run } = fetching(programs, /go install/, built);
    const reporter = collectReports();
    const probes = machine(programs, { env: { XDG_CACHE_HOME: folder } });
    await expect(fetchTemporal({ probes, reporter, run }, '/project')).resolves.toBe(built);
    expect(commands.at(-1)).toBe('/usr/bin/go install github.com/temporalio/cli/cmd/temporal@v1.5.1');
    expect(reporter.warnings).toEqual([expect.stringMatching(/^downloading Temporal.*host unreachable/)]);
  });

  test('a download is installed only with the hash that is pinned', async () => {
    mkdirSync(join(folder, 'made'));
    writeFileSync(join(folder, 'made', 'temporal'), '#!/bin/sh\necho from the release\n', { mode: 0o755 });
    execFileSync('tar', ['-czf', 'archive.tar.gz', '-C', 'made', 'temporal'], { cwd: folder });
    const archive = readFileSync(join(folder, 'archive.tar.gz'));
    const sha256 = createHash('sha256').update(archive).digest('hex');
    const server = createServer((_request, response) => response.end(archive)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const release = { url: `http://127.0.0.1:${port}/archive.tar.gz`, sha256, program: 'temporal' };
    const context = { probes: machine([]), reporter: collectReports(), run: runProgram };
    const bin = join(folder, 'bin');
    try {
      const other = await downloadRelease({ ...release, sha256: 'f'.repeat(64) }, bin, context);
      expect(other).toEqual({
        isOk: false,
        output: expect.stringContaining(`expected a file with the SHA-256 ${'f'.repeat(64)}, got one with ${sha256}`),
      });
      expect(readdirSync(bin)).toEqual([]);

      expect(await downloadRelease(release, bin, context)).toMatchObject({ isOk: true });
      expect(readdirSync(bin)).toEqual(['temporal']);
      expect(execFileSync(join(bin, 'temporal'), { encoding: 'utf8' })).toBe('from the release\n');
    } finally {
      server.close();
    }
  });

  test('without a method to install Temporal the error names three ways to continue', async () => {
    const { run } = fetching([], /nothing works/, '');
    const probes = machine([], {
      env: { XDG_CACHE_HOME: folder },
    });
    const fetched = fetchTemporal({ probes, reporter: collectReports(), run }, '/project');
    await expect(fetched).rejects.toThrow(/install the Temporal command line.*set TEMPORAL_ADDRESS.*or install Go/);
  });

  test('Chromium comes from apt-get only for root on a system that has it', async () => {
    const asRoot = ['/usr/bin/apt-get'];
    const root = fetching(asRoot, /apt-get install/, '/usr/bin/chromium');
    const context = { reporter: collectReports(), run: root.run };
    await expect(fetchChromium({ ...context, probes: machine(asRoot, { isRoot: true }) })).resolves.toBe(
      '/usr/bin/chromium',
    );
    expect(root.commands[0]).toMatch(/cli\.js install --no-shell chromium$/);

    const asPerson = fetching([], /apt-get/, '');
    const refused = fetchChromium({ ...context, run: asPerson.run, probes: machine(['/usr/bin/apt-get']) });
    await expect(refused).rejects.toThrow(/set CHROMIUM_PATH/);
    expect(asPerson.commands).toHaveLength(1);
  });
});
