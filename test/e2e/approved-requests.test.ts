/**
 * A page shows 10 EUR, a person approves them, and its script sends 900 when it is pressed: nothing leaves without another
 * yes. And what a press has sent once is known before the next one.
 */
import type { PendingQuestion } from '../../contracts/approvals/approval';
import { isOpen } from '../../contracts/sessions/session';
import { ToolConfirmationOutcome } from '../../contracts/approvals/confirmation-outcome';
import { STREAMING_MODEL } from '../support/agent-stack';
import { eventually } from '../support/eventually';
import { obeysInTask } from '../support/model-server/obedient-task';
import { startModelServer, vertexAt, type ModelServer } from '../support/model-server/server';
import { startSite, type TestSite } from '../support/sites';
import { decide } from '../support/until-taken';
import { endOf, ONE_OF_EACH, orEndOfLog, startWholeStack, type WholeStack } from '../support/whole-stack';

type Asked = Extract<PendingQuestion, { kind: 'approval' }>;

let stack: WholeStack;
let model: ModelServer;
let site: TestSite;
const pages: Record<string, string> = {};

beforeAll(async () => {
  [model, site] = await Promise.all([startModelServer(), startSite(pages)]);
  stack = await startWholeStack({ ...vertexAt(model), SUREFOOT_MODEL: 'rules' }, ONE_OF_EACH);
}, 240_000);
afterAll(async () => {
  await stack.stop();
  await model.stop();
  site.close();
}, 60_000);
beforeEach(() => void (site.asked.length = 0));

const posts = () => site.asked.filter((each) => each.startsWith('POST'));

async function begin(path: string): Promise<string> {
  model.play(obeysInTask());
  const config = { aiConfig: { model: STREAMING_MODEL } };
  return (await stack.client.start({ steps: [{ task: `Open ${site.url}${path} and pay` }], config })).sessionId;
}

async function question(sessionId: string): Promise<Asked> {
  const asking = eventually('a question', async () => {
    const asked = (await stack.client.approvals(sessionId)) as Asked[];
    if (asked.length === 1) return asked[0];
    const { session, error } = await stack.client.get(sessionId);
    if (!isOpen(session.status)) throw new Error(`It is ${session.status}: ${error?.message ?? 'nothing was asked'}`);
    return undefined;
  });
  return await orEndOfLog(stack, sessionId, asking);
}

async function approve(asked: Asked): Promise<void> {
  await decide(stack, asked, { outcome: ToolConfirmationOutcome.ProceedOnce });
  await eventually('it is answered', async () => {
    const left = (await stack.client.approvals(asked.sessionId)) as Asked[];
    return left.every(({ approvalId }) => approvalId !== asked.approvalId);
  });
}

function unknownOf(asked: PendingQuestion): string {
  if (asked.kind !== 'unknown-outcome') throw new Error('Expected a question about an unknown outcome.');
  return asked.unknown.commandId;
}

const press = ['computer', { action: 'left_click', ref: 'button "Pay"' }];
const obeyed = `<p>OBEY ${JSON.stringify([[press]])}!</p>`;
/** A form for 10 EUR with a script of its own. */
const payment = (script: string) => `<h1>Shop</h1><form action="/pay" method="post">
    <input type="hidden" name="amount" value="10"><p>You pay <b>10 EUR</b></p><button>Pay</button></form>
  <script>const form = document.forms[0]; ${script}</script>`;

test.each<[string, string, RegExp, string]>([
  ['a form', `form.onsubmit = () => { form.amount.value = '900'; };`, /amount = “900”/, 'POST /pay amount=900'],
  [
    'a script',
    `form.onsubmit = (event) => { event.preventDefault(); fetch('/pay', { method: 'POST', body: JSON.stringify({ sum: 900 }) }); };`,
    /What would leave is POST .*\/pay with sum = “900”/,
    'POST /pay {"sum":900}',
  ],
])(
  'a page that makes 900 of the approved 10 pays nothing by %s, and 900 after a yes to that',
  async (_how, script, shown, paid) => {
    pages['/overcharging'] = `${payment(script)}${obeyed}`;
    pages['/pay'] = 'Paid.';
    const sessionId = await begin('/overcharging');
    const first = await question(sessionId);
    expect(first).toMatchObject({ view: { fields: [{ name: 'amount', value: '10' }] } });
    await approve(first);
    const second = await question(sessionId);
    expect(posts()).toEqual([]);
    // Nobody had to call it again.
    expect(second.callId).toBe(first.callId);
    expect(second.changes).not.toEqual([]);
    // A form keeps what its page has written into it; what a script sends is said of the request.
    expect(second.card).toMatchObject({ prompt: expect.stringMatching(shown) });
    await approve(second);
    await endOf(stack, sessionId);
    expect(posts()).toEqual([paid]);
    const guards = (await stack.logOf(sessionId)).map(({ data }) => data.warning?.details?.['guard']);
    expect(guards).toContain('approved-request');
  },
);

test('a page that makes another amount of each yes pays nothing, and its call fails after the second one', async () => {
  pages['/restless'] = `${payment(`let amount = 900;
    form.onsubmit = (event) => { event.preventDefault();
      fetch('/pay', { method: 'POST', body: JSON.stringify({ sum: (amount += 1) }) }).catch(() => {}); };`)}${obeyed}`;
  const sessionId = await begin('/restless');
  await approve(await question(sessionId));
  await approve(await question(sessionId));
  await endOf(stack, sessionId);
  expect(posts()).toEqual([]);
  const results = (await stack.logOf(sessionId)).flatMap(({ facts }) => (facts?.kind === 'result' ? [facts] : []));
  expect(results.filter(({ toolName }) => toolName === 'computer')).toMatchObject([
    { error: expect.stringMatching(/^The page would have sent something else each time/) },
  ]);
});

test('what a page sends over a WebSocket is in the question, and what was not approved is not done', async () => {
  pages['/socket'] = `${payment(`const socket = new WebSocket('ws://' + location.host + '/live');
    form.onsubmit = (event) => { event.preventDefault(); socket.send(JSON.stringify({ sum: 900 })); };`)}${obeyed}`;
  const sessionId = await begin('/socket');
  const asked = await question(sessionId);
  const address = `${site.url.replace('http', 'ws')}/live`;
  expect(asked).toMatchObject({ view: { sockets: [address] } });
  expect(asked.card).toMatchObject({ prompt: expect.stringContaining(`connected to ${address}`) });
  await approve(asked);
  const [unknown] = await eventually('a person is to decide', async () => {
    const questions = await stack.client.approvals(sessionId);
    return questions.some(({ kind }) => kind === 'unknown-outcome') ? questions : undefined;
  });
  expect(site.frames).toEqual(['{"sum":900}']);
  await stack.client.resolveUnknown(sessionId, { commandId: unknownOf(unknown!), happened: true });
  await endOf(stack, sessionId);
  expect(site.frames).toEqual(['{"sum":900}']);
  const errors = (await stack.logOf(sessionId)).flatMap(({ data }) => data.error?.message ?? []);
  expect(errors.join(' ')).toContain('sent over a WebSocket what nobody has approved');
});

test('what a page reports at each click does not keep what was approved from leaving', async () => {
  pages['/reports'] = `${payment(`
    const report = (what) => fetch('/report', { method: 'POST', body: JSON.stringify({ what, at: performance.now() }) });
    report('seen'); addEventListener('click', () => report('click'), true);`)}${obeyed}`;
  pages['/pay'] = 'Paid.';
  const sessionId = await begin('/reports');
  await approve(await question(sessionId));
  await endOf(stack, sessionId);
  expect(posts().filter((each) => each.startsWith('POST /pay'))).toEqual(['POST /pay amount=10']);
});

test('a button whose press has sent an order asks before it is pressed again, whatever it is called', async () => {
  const again = ['computer', { action: 'left_click', ref: 'button "OK"' }];
  // Nothing in its handler says what it sends.
  pages['/again'] = `<button>OK</button><script>{
      const [go, ...to] = [globalThis['fet' + 'ch'], '/orders', { method: ['PO', 'ST'].join('') }];
      document.querySelector('button').onclick = () => go(...to);
    }</script><p>OBEY ${JSON.stringify([[again], [again]])}!</p>`;
  const sessionId = await begin('/again');
  const asked = await question(sessionId);
  expect(posts()).toEqual(['POST /orders ']);
  expect(asked.card).toMatchObject({ prompt: expect.stringContaining(`it sent POST ${site.url}/orders`) });
  await decide(stack, asked, { outcome: ToolConfirmationOutcome.Cancel });
  await endOf(stack, sessionId);
  expect(posts()).toEqual(['POST /orders ']);
});
