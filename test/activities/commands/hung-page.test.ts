/** Pages that do not answer in the time of their command: they cost that time, and the page before is there again. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { a } from '../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import { eventually } from '../../support/eventually';

let stage: BrowserStage;
/** What was begun and not ended, by its path. */
const open = new Map<string, ServerResponse>();
const server = createServer((request, response) => {
  const path = request.url ?? '/';
  response.setHeader('content-type', 'text/html');
  if (path === '/') return response.end('<title>Here</title><h1>It answers</h1>');
  open.set(path, response);
  response.on('close', () => open.delete(path));
  // The second never ends, the first never begins.
  if (path === '/half') response.write('<title>Half</title><h1>Half</h1><script src="/never.js"></script>');
});

beforeAll(async () => {
  stage = await openBrowserStage();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await stage.stop();
});

test.each(['/never', '/half'])('[S1.R16] %s is given up when the time of its command is over', async (path) => {
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const session = await stage.newSession();
  await session.open(site);
  const { outcomes } = await session.run([a('OPEN_PAGE', { url: `${site}${path}` })], { timeoutMs: 1000 });
  expect(outcomes).toMatchObject([{ status: 'failed', code: 'EX004' }]);
  // The browser has let go of it, so nothing after it waits.
  await eventually('the request is given up', () => !open.has(path));
  const { nodes } = await session.look();
  expect(JSON.stringify(nodes)).toContain(path === '/never' ? 'It answers' : 'Half');
  await session.did([a('OPEN_PAGE', { url: site })]);
});
