/** Deeds of steps wait for a person where the session names an approval mode; without one a step is a person's own word. */
import { randomUUID } from 'node:crypto';
import { logOrderProblems } from '../../bench/log-checks/log-order';
import type { PendingQuestion } from '../../contracts/approvals/approval';
import { isOpen } from '../../contracts/sessions/session';
import { eventually } from '../support/eventually';
import { chromesOf, everything, killAndAwait } from '../support/kill';
import { startSite, type TestSite } from '../support/sites';
import { demoRequest, endOf, ONE_OF_EACH, orEndOfLog, startWholeStack, type WholeStack } from '../support/whole-stack';

type Asked = Extract<PendingQuestion, { kind: 'approval' }>;

const row = (name: string, mail: string): string =>
  `<tr><td>${name}</td><td>${mail}</td><td><form method="post" action="/delete"><input type="hidden" name="who" value="${mail}"><button>Delete</button></form></td></tr>`;
const PAGES: Record<string, string> = {
  '/people': `<title>People</title><table><tr><th>Name</th><th>Mail</th><th></th></tr>${row('Ada Lovelace', 'ada@shop.test')}${row('Bob Byron', 'bob@shop.test')}</table>`,
  '/delete': '<title>Gone</title><p>It was deleted.</p>',
  '/cookies': `<title>Cookies</title><div role="dialog" aria-label="We use cookies"><p>We use cookies to remember you.</p>
    <button onclick="this.parentElement.remove()">Accept all</button></div><a href="/people">People</a>`,
  '/dialog': `<title>Notes</title><ul><li>Milk <button aria-haspopup="dialog" onclick="sure.showModal()">Delete Milk</button></li></ul>
    <dialog id="sure" aria-label="Delete Milk?"><p>Delete Milk for good?</p><form method="post" action="/delete">
    <input type="hidden" name="who" value="milk"><button>Delete it</button></form></dialog>`,
  '/confirm': `<title>Notes</title><form method="post" action="/delete" onsubmit="return confirm('Really?')">
    <input type="hidden" name="who" value="note"><button>Delete note</button></form>`,
  '/amount': `<title>Pay</title><form method="post" action="/delete"><label>To <input name="to"></label>
    <p>Total: $48.00</p><button>Pay now</button></form>`,
};

let stack: WholeStack;
let site: TestSite;
beforeAll(async () => {
  site = await startSite(PAGES);
  stack = await startWholeStack({ SUREFOOT_MODEL: 'rules' }, ONE_OF_EACH);
}, 240_000);
afterAll(async () => {
  await stack.stop();
  site.close();
}, 60_000);
beforeEach(() => void (site.asked.length = 0));

async function start(steps: string[], agent: object = { approvalMode: 'default' }, more: object = {}): Promise<string> {
  const network = { allowPrivateAddresses: true };
  const config = { agent, executorConfig: { screenshotsEnabled: false, ...network } };
  return (await stack.client.start({ steps, config, ...more })).sessionId;
}

const open = async (sessionId: string) => (await stack.client.approvals(sessionId)) as Asked[];

/** The only question of a session, once there is one. */
async function question(sessionId: string): Promise<Asked> {
  const asking = eventually('a question', async () => {
    const [asked] = await open(sessionId);
    if (asked !== undefined) return asked;
    const { session, error } = await stack.client.get(sessionId);
    if (!isOpen(session.status)) throw new Error(`It is ${session.status}: ${error?.message ?? 'nothing was asked'}`);
    return undefined;
  });
  return await orEndOfLog(stack, sessionId, asking);
}

async function answer({ approvalId, sessionId }: Asked, decision: object): Promise<void> {
  const body = JSON.stringify(decision);
  const headers = { 'content-type': 'application/json' };
  await eventually('the answer is taken', async () => {
    await fetch(`${stack.api}/v1/approvals/${approvalId}/decision`, { method: 'POST', headers, body });
    return (await open(sessionId)).every((each) => each.approvalId !== approvalId);
  });
}

const posts = () => site.asked.filter((each) => each.startsWith('POST'));
const answered = async (sessionId: string) => (await stack.client.approvals(sessionId, 'approved')) as Asked[];

test('[S2.A1] a step asks before it deletes a record, in the words of its row, and a yes has a reason', async () => {
  const sessionId = await start([`Go to ${site.url}/people`, 'Click Delete in the row "${who}"'], undefined, {
    variables: { who: 'Bob Byron' },
  });
  const asked = await question(sessionId);
  expect(posts()).toEqual([]);
  expect(asked).toMatchObject({ toolName: 'CLICK_ELEMENT', classification: 'destructive', stepIndex: 1 });
  expect(asked.card.title).toContain('Click the button “Delete” of “Bob Byron | bob@shop.test');
  expect(JSON.stringify(asked.view)).toContain('bob@shop.test');
  await answer(asked, { outcome: 'proceed_once', reason: 'he has left', by: 'Eve' });
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  expect(posts()).toEqual(['POST /delete who=bob%40shop.test']);
  expect(await answered(sessionId)).toMatchObject([{ status: 'approved', reason: 'he has left', by: 'Eve' }]);
  expect(logOrderProblems(await stack.logOf(sessionId))).toEqual([]);
});

test('a step that a person says no to fails with their reason, is not tried again, and nothing is sent', async () => {
  const steps = [`Go to ${site.url}/people`, 'Click Delete in the row "Ada Lovelace"'];
  const sessionId = await start(steps, { approvalMode: 'default' });
  await answer(await question(sessionId), { outcome: 'cancel', reason: 'she stays' });
  expect(await endOf(stack, sessionId)).toBe('FAILED');
  const { error } = await stack.client.get(sessionId);
  expect(error?.message).toMatch(/Click the button “Delete” of “Ada Lovelace.*rejected by user: she stays/);
  expect(posts()).toEqual([]);
});

test('accepting cookies and opening a dialog are no deeds: the one question is about what is sent', async () => {
  const sessionId = await start([
    `Go to ${site.url}/cookies`,
    'Click "Accept all"',
    `Go to ${site.url}/dialog`,
    'Click "Delete Milk"',
    'Click "Delete it"',
  ]);
  const asked = await question(sessionId);
  expect([asked.stepIndex, asked.card.title]).toEqual([4, expect.stringContaining('“Delete it”')]);
  await answer(asked, { outcome: 'proceed_once' });
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  expect(await answered(sessionId)).toHaveLength(1);
  expect(posts()).toHaveLength(1);
});

test('a deed and the yes to its dialog are one question', async () => {
  const sessionId = await start([`Go to ${site.url}/confirm`, 'Click "Delete note" and accept the dialog']);
  const asked = await question(sessionId);
  expect(asked.card).toMatchObject({ prompt: expect.stringContaining('It says yes to whatever the page asks.') });
  await answer(asked, { outcome: 'proceed_once' });
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  expect(await answered(sessionId)).toHaveLength(1);
  expect(posts()).toEqual(['POST /delete who=note']);
});

test('a question about money has the sum, and what the fields have by then', async () => {
  const steps = [`Go to ${site.url}/amount`, 'Type "${to}" into To', 'Click "Pay now"'];
  const sessionId = await start(steps, undefined, { variables: { to: 'Grace' } });
  const asked = await question(sessionId);
  expect(asked.card).toMatchObject({ prompt: expect.stringMatching(/To = “Grace”.*Sums on the page: \$48\.00/) });
  await answer(asked, { outcome: 'cancel' });
  expect(await endOf(stack, sessionId)).toBe('FAILED');
});

test('without an approval mode, and with yolo, steps ask nothing; with always each click asks', async () => {
  const steps = [`Go to ${site.url}/people`, 'Click Delete in the row "Bob Byron"'];
  const [plain, yolo, always] = await Promise.all([
    start(steps, {}),
    start(steps, { approvalMode: 'yolo' }),
    start([`Go to ${site.url}/cookies`, 'Click "People"', 'Expect "Bob Byron"'], { approvalMode: 'always' }),
  ]);
  expect([await endOf(stack, plain), await endOf(stack, yolo)]).toEqual(['COMPLETED', 'COMPLETED']);
  expect(posts()).toHaveLength(2);
  const asked = await question(always);
  expect([asked.stepIndex, asked.classification]).toEqual([1, 'write']);
  await answer(asked, { outcome: 'proceed_once' });
  expect(await endOf(stack, always)).toBe('COMPLETED');
});

test('a question of a step outlives the death of every process, and then its order is placed once', async () => {
  const run = randomUUID();
  const request = demoRequest(stack, run);
  const { sessionId } = await stack.client.start({
    ...request,
    config: { ...request.config, agent: { approvalMode: 'default' } },
  });
  await answer(await question(sessionId), { outcome: 'proceed_once' });
  const asked = await question(sessionId);
  expect(asked.card.title).toContain('Place order');
  expect(await stack.orders(run)).toEqual([]);
  for (const pid of chromesOf(stack)) process.kill(pid, 'SIGKILL');
  await killAndAwait(stack, everything(stack));
  const listed = async () =>
    (await fetch(`${stack.api}/v1/approvals?session=${sessionId}`)).json() as Promise<{ data: unknown[] }>;
  const isListed = async () => (await listed().catch(() => undefined))?.data?.length === 1;
  await eventually('the question is listed again', isListed, 60_000);
  const isDone = async (): Promise<boolean> => {
    // The page is restored from its checkpoint; where it reads otherwise the session asks again, which is answered too.
    const [again] = await open(sessionId).catch(() => []);
    const approve = `${stack.api}/v1/sessions/${sessionId}/approve`;
    // While nothing runs nobody answers.
    if (again !== undefined) await fetch(approve, { method: 'POST' }).catch(() => undefined);
    const { session, error } = await stack.client.get(sessionId);
    if (error !== null) throw new Error(error.message);
    return session.status === 'COMPLETED';
  };
  await eventually('the session completes', isDone, 90_000);
  expect(await stack.orders(run)).toHaveLength(1);
  expect(logOrderProblems(await stack.logOf(sessionId))).toEqual([]);
}, 180_000);
