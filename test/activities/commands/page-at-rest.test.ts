/** What a page has under way is waited for before it is read, left or judged, and counts from its start. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { a } from '../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';

let stage: BrowserStage;
let site: Server;
let origin: string;
/** What the site was asked, in order. */
const asked: string[] = [];
const PAGE = `<!doctype html><title>Desk</title><label>Year <select id=year><option>2024</option><option>2025</option></select></label>
<p role=status id=total>1,000</p><button id=order>Order</button><button id=give>Give</button><script>
year.onchange = async () => { total.textContent = await (await fetch('/late')).text(); };
order.onclick = async () => { await (await fetch('/late')).text(); setTimeout(() => fetch('/order', { method: 'POST' }), 50); };
give.onclick = () => void fetch('/give', { method: 'POST' });
</script>`;

beforeAll(async () => {
  stage = await openBrowserStage();
  site = createServer((request, response) => {
    const path = request.url ?? '';
    if (path !== '/favicon.ico') asked.push(`${request.method} ${path}`);
    response.setHeader('content-type', path.startsWith('/desk') ? 'text/html' : 'text/plain');
    if (path.startsWith('/desk')) response.end(PAGE);
    else if (path === '/late') setTimeout(() => response.end('7,777'), 2500);
    // A body that nobody reads, and that is too long to be there at once.
    else response.end('Thank you'.repeat(9000));
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await stage.stop();
});

async function onDesk() {
  const session = await stage.newSession();
  await session.open(`${origin}/desk`);
  asked.length = 0;
  return session;
}
const press = (name: string) => a('CLICK_ELEMENT', { selector: `role=button[name="${name}"]` });

test('a value that a choice has asked for is read when it is there, in the same batch', async () => {
  const session = await onDesk();
  await session.did([
    a('SELECT_OPTION', { selector: 'role=combobox', option: '2025' }),
    a('SAVE_VARIABLE', { selector: 'role=status', variableName: 'total' }),
  ]);
  expect(await stage.store.variables.ofSession(session.sessionId)).toMatchObject([{ name: 'total', value: '7,777' }]);
});

test('the snapshot after a choice shows what it has asked for', async () => {
  const session = await onDesk();
  await session.did([a('SELECT_OPTION', { selector: 'role=combobox', option: '2025' })]);
  expect(JSON.stringify((await session.look()).nodes)).toContain('7,777');
});

test('a click ends when the request is answered that its first answer has led to', async () => {
  const session = await onDesk();
  await session.did([press('Order')]);
  expect(asked).toEqual(['GET /late', 'POST /order']);
  const { evidence } = (await session.journal()).at(-1)!;
  expect(evidence).toMatchObject({
    requests: [{ method: 'POST', url: `${origin}/order`, status: 200 }],
    effects: [`asked for ${origin}/late`],
  });
});

test('a page that is still to send something is left only then', async () => {
  const session = await onDesk();
  await session.did([press('Order'), a('OPEN_PAGE', { url: `${origin}/desk?again` })]);
  expect(asked).toEqual(['GET /late', 'POST /order', 'GET /desk?again']);
});

test('a request whose long answer nobody reads is evidence of its click', async () => {
  const session = await onDesk();
  await session.did([press('Give')]);
  const { evidence } = (await session.journal()).at(-1)!;
  expect(evidence).toMatchObject({ requests: [{ method: 'POST', url: `${origin}/give`, status: 200 }] });
});
