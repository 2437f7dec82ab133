/** What a page says against a step that all commands of have succeeded: the whole step with `rules` in a real Chrome. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DEFAULT_OUTCOME_POLICY } from '../../../contracts/sessions/outcome-policy';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import { a, type StagedSession } from '../../support/browser-session';
import { endOfStep } from '../../support/step-by-rules';

let stage: BrowserStage;
let session: StagedSession;
let site: Server;
let origin: string;
const SEND = `const send = async (path, method = 'POST') => (await fetch(path, { method })).text();`;
const FORM = `<!doctype html><title>Form</title><h1>Form</h1><div role=alert id=said></div><p role=status id=state>0 items</p>
<div id=row><label>Name <input></label></div>
<button id=keep>Keep</button><script>${SEND} const say = (text) => (said.textContent = text);`;
/** A page by its path, and what Keep does there. */
const KEEP: Record<string, string> = {
  '/refused': `say(await send('/422'))`,
  '/refused-late': `await send('/200'); setTimeout(async () => say(await send('/422')), 50)`,
  '/silent': `await send('/500')`,
  '/gone': `await send('/cut')`,
  '/alert': `say('The name is already taken')`,
  '/field': `keep.insertAdjacentHTML('afterend', '<label>Name <input aria-invalid=true></label>')`,
  '/asks': `if (confirm('Erase all?')) await send('/200'); else state.textContent = 'kept'`,
  '/saved': `await send('/200'); say('Your changes were saved')`,
  '/updated': `await send('/200'); state.textContent = '1 item'`,
  '/polled': `await send('/200'); state.textContent = '1 item'; send('/404', 'GET')`,
  '/red': `keep.insertAdjacentHTML('afterend', '<p style="color:#c62828">Your card was declined</p>')`,
  '/beside': `document.querySelector('#row').insertAdjacentHTML('beforeend', '<span>That name is taken</span>')`,
  '/toast': `document.body.insertAdjacentHTML('beforeend', '<div style="position:fixed;top:9px;right:9px">Could not be saved, try again</div>')`,
  '/question': `keep.insertAdjacentHTML('afterend', '<p>What happens when a card was declined: nothing.</p>')`,
  '/more': `document.querySelector('#row').insertAdjacentHTML('beforeend', '<label>Email (required) <input></label>')`,
  '/reject': `document.querySelector('#row').insertAdjacentHTML('beforeend', '<div role=dialog style="color:#c62828"><p>Reject the leave of Ann?</p></div>')`,
  '/form': `const form = Object.assign(document.createElement('form'), { method: 'post', action: '/refused-form' });
    document.body.append(form); form.submit()`,
  '/beacon': `navigator.sendBeacon('/500'); state.textContent = '1 item'`,
  '/counted': `navigator.sendBeacon('http://localhost:' + location.port + '/500'); state.textContent = '1 item'`,
};

beforeAll(async () => {
  site = createServer((request, response) => {
    const path = request.url ?? '';
    const status = Number(path.slice(1));
    response.setHeader('content-type', status > 0 ? 'text/plain' : 'text/html');
    if (path === '/cut') response.destroy();
    else if (path === '/refused-form')
      response.end(
        '<!doctype html><title>Pay</title><label>Card <input></label><p style="color:red">The card has expired</p>',
      );
    else if (path === '/account' || path === '/') response.writeHead(302, { location: '/login?next=account' }).end();
    else if (path.startsWith('/login'))
      response.end(
        '<!doctype html><title>Sign in</title><label>Member number <input></label><label>Secret word <input type=password></label><button>Enter</button>',
      );
    else if (status > 0) response.writeHead(status).end(status === 422 ? 'Name must not be empty' : 'ok');
    else if (KEEP[path] === undefined)
      response.writeHead(404).end('<!doctype html><title>Oops</title><h1>No such page</h1>');
    else response.end(`${FORM} keep.onclick = async () => { ${KEEP[path]} };</script>`);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  stage = await openBrowserStage();
  session = await stage.newSession();
});
afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await stage.stop();
});

test.each([
  ['a request was refused', '/refused', ['422', 'Name must not be empty']],
  ['the second of its requests was refused, after a while', '/refused-late', ['Name must not be empty']],
  ['a request failed at the server', '/silent', ['POST', '500']],
  ['the connection broke before an answer', '/gone', ['POST', '/cut']],
  ['an alert says that it was not done', '/alert', ['The name is already taken']],
  ['a field is marked as invalid', '/field', ['invalid', 'Name']],
  ['a text in red says that it was not done', '/red', ['Your card was declined']],
  ['a text beside a field says that it was not done', '/beside', ['That name is taken']],
  ['a small layer says that it was not done', '/toast', ['Could not be saved']],
  ['the form is answered with a text in red', '/form', ['The card has expired']],
  ['a question had no answer', '/asks', ['Erase all?', 'accept the dialog']],
])('a click after which %s does not complete its step, and the error quotes it', async (_, path, quoted) => {
  await session.open(origin + path);
  const end = await endOfStep(session, 'click Keep');
  expect(end.action).toBe('ABORT');
  for (const text of quoted) expect(end.message).toContain(text);
});

test.each([
  ['a message of success', '/saved'],
  ['a status that is brought up to date', '/updated'],
  ['a request for news that is answered with 404', '/polled'],
  ['a counter of another site that fails', '/counted'],
  ['a beacon that fails', '/beacon'],
  ['a text that speaks of failures', '/question'],
  ['a field that has to be filled in', '/more'],
  ['a question about a deed', '/reject'],
])('%s is no problem', async (_, path) => {
  await session.open(origin + path);
  expect(await endOfStep(session, 'click Keep')).toMatchObject({ action: 'PROCEED' });
});

test.each([
  ['/refused', 'Expect "Name must not be empty"'],
  ['/alert', 'Check that the page shows "already taken"'],
  ['/asks', 'Expect "kept"'],
])('on %s it is no problem where the next step expects it', async (path, next) => {
  await session.open(origin + path);
  expect(await endOfStep(session, 'click Keep', { laterSteps: [next] })).toMatchObject({ action: 'PROCEED' });
});

test('on a page where another text is expected next, the problem stays one', async () => {
  await session.open(`${origin}/refused`);
  expect(await endOfStep(session, 'click Keep', { laterSteps: ['Expect "Form"'] })).toMatchObject({ action: 'ABORT' });
});

test('the policy of the session says which problems fail a step', async () => {
  await session.open(`${origin}/silent`);
  for (const httpErrors of ['ignore', 'warn'] as const)
    expect(
      await endOfStep(session, 'click Keep', { outcomes: { ...DEFAULT_OUTCOME_POLICY, httpErrors } }),
    ).toMatchObject({
      action: 'PROCEED',
    });
});

test.each([
  ['that is not there', '/nowhere', ['404', 'No such page']],
  ['that needs a sign-in first', '/account', ['sign in']],
])('a page %s is not open', async (_, path, quoted) => {
  const end = await endOfStep(session, `open ${origin}${path}`);
  expect(end.action).toBe('ABORT');
  for (const text of quoted) expect(end.message).toContain(text);
});

test('a page that needs a sign-in is open where later steps use its fields, and a site without a path is', async () => {
  for (const [step, action] of [
    ['Type "4711" into the Member number field', 'PROCEED'],
    ['Give them the member number and the secret word', 'PROCEED'],
    ['Type "ada" into Username', 'ABORT'],
    ['Log in to nothing', 'ABORT'],
  ])
    expect(await endOfStep(session, `open ${origin}/account`, { laterSteps: [step!] })).toMatchObject({ action });
  expect(await endOfStep(session, `open ${origin}/`)).toMatchObject({ action: 'PROCEED' });
});

test('without a model to judge them, the commands themselves report what the page says against them', async () => {
  await session.open(`${origin}/refused`);
  const keep = a('CLICK_ELEMENT', { selector: 'role=button[name="Keep"]' });
  const { problem } = await session.run([keep], { turn: 7, judgesPage: true });
  expect(problem).toContain('Name must not be empty');
});

test('a popup that does not say that it is a dialog is confirmed by the deed that the step names', async () => {
  const path = stage.page(
    '/popup',
    `<p id=state>Open</p><table><tr><td>Luis</td><td><button onclick="ask()">Reject</button></td></tr></table><div id=popup></div><script>
      const shut = () => popup.textContent = '';
      const reject = () => { state.textContent = 'Rejected: ' + reason.value; shut(); };
      const ask = () => popup.innerHTML = '<b>Reject hours of Luis</b><p>Reason</p><textarea id=reason></textarea>' +
        '<p><button onclick="reject()">Reject</button> <button onclick="shut()">Cancel</button></p>';
    </script>`,
  );
  await session.open(path);
  const end = await endOfStep(session, `Reject Luis and give 'Friday is missing' as the reason`);
  expect(end).toMatchObject({ action: 'PROCEED' });
  expect(await session.page().locator('#state').textContent()).toBe('Rejected: Friday is missing');
});
