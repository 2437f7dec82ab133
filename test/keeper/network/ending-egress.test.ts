/** The egress process of a host ends when its keeper and all Chromes are gone, which may be while the next keeper finds it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startTicksOf } from '../../../runtime/process-identity';
import { readEgressFile, writeEgressFile } from '../../../worker/keeper/egress/egress-file';
import { aRoot, aSite, attach, cleanUp, keeperOver, later } from '../fixture';

afterEach(cleanUp);

/** Listens, and ends with the first request as an egress process does that found nobody left. */
const ENDING = `
  const server = require('node:http').createServer(() => process.exit(0));
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

test('a keeper that asks an egress process as that ends starts another, and its Chromes reach the network', async () => {
  const root = aRoot();
  const ending = spawn(process.execPath, ['-e', ENDING], { stdio: ['ignore', 'pipe', 'inherit'] });
  later(() => ending.kill('SIGKILL'));
  const [port] = (await once(ending.stdout, 'data')) as [Buffer];
  const identity = { pid: ending.pid!, startTicks: startTicksOf(ending.pid!)! };
  writeEgressFile(root, { ...identity, port: Number(port), token: 'of before', startedAt: new Date().toISOString() });
  const site = await aSite();
  const keeper = await keeperOver(root);
  const { page } = await attach(await keeper.open({ sessionId: 's', epoch: 1, headless: true }));
  await page.goto(site.url);
  expect(await page.title()).toBe('Form');
  expect(readEgressFile(root)?.pid).not.toBe(identity.pid);
  expect(ending.exitCode).toBe(0);
});
