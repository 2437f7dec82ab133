import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { ownerFromLsof, ownerFromSs } from '../../local/port-owner';
import { createPortChooser } from '../../local/ports';
import { collectReports } from './stack-fixture';

let taken: Server;
let port: number;

beforeEach(async () => {
  const anyPort = createPortChooser({}, true, collectReports());
  port = await anyPort({ variable: 'ANY', preferred: 0 });
  taken = createServer().listen(port, '127.0.0.1');
  await once(taken, 'listening');
});

afterEach(() => void taken.close());

test('a preferred port that is taken is replaced by a free one near it, with a warning that names the program', async () => {
  const reporter = collectReports();
  const chosen = await createPortChooser({}, false, reporter)({ variable: 'PORT', preferred: port });
  expect(chosen).toBeGreaterThan(port);
  expect(reporter.warnings).toEqual([expect.stringMatching(`^port ${port} is taken by .+, using ${chosen}$`)]);
});

test('a named port that is taken is refused with the program that has it and the variable', async () => {
  const choose = createPortChooser({ PORT: String(port) }, false, collectReports());
  const choice = choose({ variable: 'PORT', preferred: 3000 });
  await expect(choice).rejects.toThrow(
    new RegExp(`Port ${port}, which PORT names, is taken by \\w+ \\(pid ${process.pid}\\)`),
  );
});

test('a named port that is free is used, and 0 takes any', async () => {
  const free = await createPortChooser({ PORT: '0' }, false, collectReports())({ variable: 'PORT', preferred: port });
  expect(free).not.toBe(port);
  const choose = createPortChooser({ PORT: String(free), SHOP_PORT: String(free) }, false, collectReports());
  await expect(choose({ variable: 'PORT', preferred: port })).resolves.toBe(free);
  await expect(choose({ variable: 'PORT', preferred: port })).resolves.toBe(free);
  await expect(choose({ variable: 'SHOP_PORT', preferred: port })).rejects.toThrow('another part of this stack');
});

test('the owner of a port is read from lsof and from ss', () => {
  expect(ownerFromLsof('p123\ncnode\nf20\n')).toBe('node (pid 123)');
  expect(ownerFromSs('LISTEN 0 511 127.0.0.1:3000 0.0.0.0:* users:(("node",pid=123,fd=20))')).toBe('node (pid 123)');
  expect(ownerFromSs('LISTEN 0 511 127.0.0.1:3000 0.0.0.0:*')).toBeUndefined();
});
