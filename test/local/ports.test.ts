import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { ownerFromLsof, ownerFromSs } from '../../cli/stack/ports/port-owner';
import { createPortChooser, type PortChooser } from '../../cli/stack/ports/ports';
import { collectReports } from './stack-fixture';

let taken: Server;
let port: number;
const choosers: PortChooser[] = [];

function chooser(env: NodeJS.ProcessEnv, reporter = collectReports()): PortChooser {
  const created = createPortChooser(env, false, reporter);
  choosers.push(created);
  return created;
}

beforeEach(async () => {
  const other = createPortChooser({}, true, collectReports());
  port = await other.choose({ variable: 'ANY', preferred: 0 });
  other.release();
  taken = createServer().listen(port, '127.0.0.1');
  await once(taken, 'listening');
});

afterEach(() => {
  taken.close();
  for (const each of choosers.splice(0)) each.release();
});

test('a taken preferred port is replaced by a free one near it, with a warning that names the program', async () => {
  const reporter = collectReports();
  const chosen = await chooser({}, reporter).choose({ variable: 'PORT', preferred: port });
  expect(chosen).toBeGreaterThan(port);
  expect(reporter.warnings).toEqual([expect.stringMatching(`^port ${port} is taken by .+, using ${chosen}$`)]);
});

test('a named port that is taken is refused with the program that has it and the variable', async () => {
  const choice = chooser({ PORT: String(port) }).choose({ variable: 'PORT', preferred: 3000 });
  await expect(choice).rejects.toThrow(
    new RegExp(`Port ${port}, which PORT names, is taken by \\w+ \\(pid ${process.pid}\\)`),
  );
});

test('a named port that is free is used, and 0 takes any', async () => {
  const free = await chooser({ PORT: '0' }).choose({ variable: 'PORT', preferred: port });
  expect(free).not.toBe(port);
  const { choose } = chooser({ PORT: String(free), SHOP_PORT: String(free) });
  await expect(choose({ variable: 'PORT', preferred: port })).resolves.toBe(free);
  await expect(choose({ variable: 'PORT', preferred: port })).resolves.toBe(free);
  await expect(choose({ variable: 'SHOP_PORT', preferred: port })).rejects.toThrow('another part of this stack');
});

test('a program that listens at ::1 alone has the port too, because localhost leads to it', async () => {
  taken.close();
  taken = createServer().listen(port, '::1');
  await once(taken, 'listening');
  expect(await chooser({}).choose({ variable: 'PORT', preferred: port })).toBeGreaterThan(port);
});

test('a chosen port is not chosen for another stack until it is released, though nobody listens there', async () => {
  taken.close();
  const [one, other] = [chooser({}), chooser({})];
  const setting = { variable: 'PORT', preferred: port };
  const [first, second] = await Promise.all([one.choose(setting), other.choose(setting)]);
  expect(new Set([first, second]).size).toBe(2);
  expect([first, second]).toContain(port);
  one.release();
  other.release();
  expect(await chooser({}).choose(setting)).toBe(port);
});

test('a port that another program takes before the child could bind it is replaced', async () => {
  const { choose, forgetTaken } = chooser({});
  const setting = { variable: 'PORT', preferred: port };
  const chosen = await choose(setting);
  expect(await forgetTaken(setting)).toBe(false);
  const thief = createServer().listen(chosen, '127.0.0.1');
  await once(thief, 'listening');
  expect(await choose(setting)).toBe(chosen);
  expect(await forgetTaken(setting)).toBe(true);
  expect(await choose(setting)).toBeGreaterThan(chosen);
  thief.close();
});

test('the owner of a port is read from lsof and from ss', () => {
  expect(ownerFromLsof('p123\ncnode\nf20\n')).toBe('node (pid 123)');
  expect(ownerFromSs('LISTEN 0 511 127.0.0.1:3000 0.0.0.0:* users:(("node",pid=123,fd=20))')).toBe('node (pid 123)');
  expect(ownerFromSs('LISTEN 0 511 127.0.0.1:3000 0.0.0.0:*')).toBeUndefined();
});
