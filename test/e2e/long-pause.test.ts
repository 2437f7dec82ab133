/**
 * A pause that lasts, simulated by a short setting: the browser is given back, every process is killed and started again,
 * and the session goes on where it was, days later for all it knows. So does a conversation between two of its tasks, and a
 * step that waits until its page shows something.
 */
import { randomUUID } from 'node:crypto';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { LogRecord } from '../../contracts/events/log';
import type { StartRequest } from '../../contracts/sessions/start-request';
import { orderProblems } from '../support/event-order';
import { eventually } from '../support/eventually';
import { everything, killAndAwait } from '../support/kill';
import { startSite } from '../support/sites';
import { takenForDead } from '../support/presumed-dead';
import { pause } from '../support/until-taken';
import { ONE_OF_EACH, demoRequest, endOf, recordOf, startWholeStack, type WholeStack } from '../support/whole-stack';

let stack: WholeStack;
beforeAll(async () => {
  stack = await startWholeStack({ SUREFOOT_PAUSE_RELEASE_MS: '300', SUREFOOT_SHORTEST_WAIT_MS: '1000' }, ONE_OF_EACH);
}, 120_000);
afterAll(async () => {
  await stack.stop();
}, 60_000);

const { COMMAND_STARTED, WORKFLOW_PAUSED, SESSION_STATUS } = StreamEventType;

/** The demo with its sign-in in two steps: the form is filled in, its password too, and not yet sent. */
function signInSlowly(run: string): StartRequest {
  const request = demoRequest(stack, run);
  const [open, , ...rest] = request.steps as string[];
  const typed = 'Type "ada" into Username and type "${password}" into Password';
  return { ...request, steps: [open!, typed, 'Wait 3 seconds', 'Click "Sign in"', ...rest] };
}

async function pausedAndGivenBack(request: StartRequest): Promise<string> {
  const { sessionId } = await stack.client.start(request);
  await recordOf(stack, sessionId, 'the wait', ({ type, stepIndex }) => type === COMMAND_STARTED && stepIndex === 2);
  await pause(stack, sessionId);
  await recordOf(stack, sessionId, 'the pause', ({ type }) => type === WORKFLOW_PAUSED);
  await recordOf(
    stack,
    sessionId,
    'the return of the browser',
    ({ data }) => data.details?.['browser'] === 'given-back',
  );
  expect(await stack.engineStore.leases.get(sessionId)).toBeNull();
  return sessionId;
}

async function resume(sessionId: string): Promise<void> {
  await eventually(
    'the session goes on',
    async () => {
      await stack.client.resume(sessionId).catch(() => undefined);
      const state = await stack.client.get(sessionId).catch(() => undefined);
      return state !== undefined && state.session.status !== 'PAUSED';
    },
    90_000,
  );
}

it('goes on after its browser was given back and every process killed, with one order, typed once', async () => {
  const run = randomUUID();
  const sessionId = await pausedAndGivenBack(signInSlowly(run));
  await killAndAwait(stack, everything(stack));
  await resume(sessionId);
  const status = await endOf(stack, sessionId);
  const { error } = await stack.client.get(sessionId);
  expect({ status, error: error?.message }).toEqual({ status: 'COMPLETED', error: undefined });
  expect(await stack.orders(run)).toHaveLength(1);
  const log = await stack.logOf(sessionId);
  expect(orderProblems(log)).toEqual([]);
  expect(log.flatMap(({ type, data }) => (type === SESSION_STATUS ? (data.details?.['browser'] ?? []) : []))).toEqual([
    'given-back',
    'same-page',
  ]);
  // The password was filled in again from its variable: no command had to type it again.
  const typed = (await stack.engineStore.journal.ofSession(sessionId)).filter(({ stepIndex }) => stepIndex === 1);
  const stalls = await takenForDead(stack, sessionId);
  expect(typed.map(({ action, status: outcome, attempts }) => [action, outcome, attempts <= 1 + stalls])).toEqual([
    ['INPUT_TEXT', 'done', true],
    ['INPUT_TEXT', 'done', true],
  ]);
});

it('cancels a session whose browser was given back', async () => {
  const sessionId = await pausedAndGivenBack(signInSlowly(randomUUID()));
  await stack.client.cancel(sessionId);
  expect(await endOf(stack, sessionId)).toBe('CANCELLED');
  expect(orderProblems(await stack.logOf(sessionId))).toEqual([]);
  expect(await stack.engineStore.leases.get(sessionId)).toBeNull();
});

it('ends a session that was terminated in Temporal while its browser was given back', async () => {
  const sessionId = await pausedAndGivenBack(signInSlowly(randomUUID()));
  await stack.engineTemporal.workflow.getHandle(sessionId).terminate('by a test');
  expect(await endOf(stack, sessionId)).toBe('FAILED');
  expect(orderProblems(await stack.logOf(sessionId))).toEqual([]);
  expect(await stack.engineStore.leases.get(sessionId)).toBeNull();
});

it('pauses again after it came back, and comes back again', async () => {
  const run = randomUUID();
  const sessionId = await pausedAndGivenBack(signInSlowly(run));
  const news = async (): Promise<unknown[]> =>
    (await stack.client.events(sessionId, 0, 1000)).flatMap(({ data }) => data.details?.['browser'] ?? []);
  await resume(sessionId);
  // It goes on before it has its next browser, and one that it has not got is not given back.
  await eventually('it has come back', async () => String((await news()).at(-1)).endsWith('-page'));
  await pause(stack, sessionId);
  await eventually(
    'it is given back again',
    async () => (await news()).filter((one) => one === 'given-back').length === 2,
  );
  await resume(sessionId);
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  expect(await stack.orders(run)).toHaveLength(1);
});

async function post(path: string, body?: object): Promise<number> {
  const answer = await fetch(`${stack.api}/v1/sessions/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return answer.status;
}

const isWait = ({ data }: LogRecord): boolean => data.details?.['waitingFor'] === 'message';
const isGivenBack = ({ data }: LogRecord): boolean => data.details?.['browser'] === 'given-back';

it('a session that stays open takes tasks on the page where it was, in another browser too', async () => {
  const { sessionId } = await stack.client.start({
    steps: [{ task: `Open ${stack.shop}/login\nType "ada" into Username` }],
    config: { agent: { stayOpen: true } },
  });
  await recordOf(stack, sessionId, 'the wait for a task', isWait);
  await recordOf(stack, sessionId, 'the browser that was given back', isGivenBack);
  expect((await stack.client.get(sessionId)).session.status).toBe('ACTIVE');
  expect(await post(`${sessionId}/cancel-turn`)).toBe(409);
  expect(await post(`${sessionId}/steps`, { steps: [{ task: 'Type "lovelace" into Password' }] })).toBe(202);
  await eventually('the second wait', async () => {
    const log = await stack.client.events(sessionId, 0, 1000);
    return log.filter(isWait).length === 2;
  });
  expect(await post(`${sessionId}/close`)).toBe(202);
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  expect(await post(`${sessionId}/close`)).toBe(409);

  const log = await stack.logOf(sessionId);
  expect(orderProblems(log)).toEqual([]);
  const ended = log.flatMap(({ facts, stepIndex }) => (facts?.kind === 'task-end' ? [[stepIndex, facts.status]] : []));
  expect(ended).toEqual([
    [0, 'complete'],
    [1, 'complete'],
  ]);
  const typed = log.filter(({ data }) => data.command?.action === 'INPUT_TEXT' && data.command.status === 'COMPLETED');
  expect(typed).toHaveLength(2);
  const { progress } = await stack.client.get(sessionId);
  expect(progress.completedSteps).toBe(2);
}, 120_000);

it('carries out an approved button of a dialog whose browser was given back meanwhile, once', async () => {
  const site = await startSite({
    '/account': `<button onclick="document.querySelector('dialog').showModal()">Account</button>
      <dialog><p>Ada, 3 orders</p><button onclick="document.querySelector('menu').hidden = false">More</button>
        <menu hidden><button onclick="fetch('/gone', { method: 'POST' })">Delete it</button></menu></dialog>`,
  });
  try {
    const task = `Go to ${site.url}/account. Click "Account". Click "More". Click "Delete it".`;
    const { sessionId } = await stack.client.start({ steps: [{ task }] });
    await recordOf(
      stack,
      sessionId,
      'the return of the browser',
      ({ data }) => data.details?.['browser'] === 'given-back',
    );
    const [asked] = await stack.client.approvals(sessionId);
    expect(asked).toMatchObject({ view: { text: expect.stringContaining('Ada, 3 orders') } });
    await stack.client.decideOnlyApproval(sessionId, { outcome: 'proceed_once' as never });
    const status = await endOf(stack, sessionId);
    const { error } = await stack.client.get(sessionId);
    expect({ status, error: error?.message }).toEqual({ status: 'COMPLETED', error: undefined });
    expect(site.asked.filter((each) => each.startsWith('POST'))).toEqual(['POST /gone ']);
  } finally {
    site.close();
  }
});

it('carries out an approved button of a wizard whose browser was given back, with what was typed', async () => {
  const site = await startSite({
    '/wizard': `<form onsubmit="event.preventDefault(); fetch('/sent', { method: 'POST', body: this.name.value })">
      <fieldset><label>Name <input name="name"></label>
        <button type="button" onclick="this.parentNode.hidden = true; this.parentNode.nextElementSibling.hidden = false">Next</button></fieldset>
      <fieldset hidden><p>Is all of it right?</p><button>Send it</button></fieldset></form>`,
  });
  try {
    const task = `Go to ${site.url}/wizard. Type "Ada" into Name. Click "Next". Click "Send it".`;
    const { sessionId } = await stack.client.start({ steps: [{ task }] });
    await recordOf(stack, sessionId, 'the return of the browser', isGivenBack);
    const [asked] = await stack.client.approvals(sessionId);
    expect(asked).toMatchObject({ card: { title: expect.stringContaining('Send it') } });
    await stack.client.decideOnlyApproval(sessionId, { outcome: 'proceed_once' as never });
    const status = await endOf(stack, sessionId);
    const { error } = await stack.client.get(sessionId);
    expect({ status, error: error?.message }).toEqual({ status: 'COMPLETED', error: undefined });
    expect(site.asked.filter((each) => each.startsWith('POST'))).toEqual(['POST /sent Ada']);
  } finally {
    site.close();
  }
});

it('waits on its page without a browser, over the death of its workers, and fails at its limit', async () => {
  const order = (status: string): string =>
    `<title>Order 7: ${status}</title><p>Status: ${status}</p><p>Tracking: ${status}-9</p>`;
  const pages = { '/order': order('Packed') };
  const site = await startSite(pages);
  const waiting = (often: string): StartRequest => ({
    steps: [
      `Open ${site.url}/order#status`,
      `Wait until "Shipped" is shown, ${often}`,
      'Save the Tracking as tracking',
    ],
    config: { executorConfig: { screenshotsEnabled: false } },
  });
  const asleep = async (often: string): Promise<string> => {
    const { sessionId } = await stack.client.start(waiting(often));
    await recordOf(stack, sessionId, 'its wait', ({ data }) => data.details?.['waitingFor'] === 'page');
    await recordOf(stack, sessionId, 'the return of the browser', isGivenBack);
    return sessionId;
  };
  try {
    const [done, cancelled, late] = await Promise.all([
      asleep('at most 5 minutes, every 2 seconds'),
      asleep('at most 14 days, every 30 minutes'),
      stack.client.start(waiting('at most 2 seconds, every 1 second')),
    ]);
    const { pageWait, session } = await stack.client.get(cancelled);
    expect([session.status, pageWait?.looks, pageWait?.waitsFor]).toEqual(['ACTIVE', 1, '"Shipped" is shown']);
    expect(Date.parse(pageWait!.endsAt) - Date.parse(pageWait!.nextLookAt)).toBeGreaterThan(13 * 86_400_000);
    await killAndAwait(stack, ['engine-1', 'browser-1', 'keeper']);
    pages['/order'] = order('Shipped');
    expect(await endOf(stack, done)).toBe('COMPLETED');
    expect((await stack.client.get(done)).variables).toMatchObject([{ name: 'tracking', value: 'Shipped-9' }]);
    const log = await stack.logOf(done);
    expect(orderProblems(log)).toEqual([]);

    await pause(stack, cancelled);
    await recordOf(stack, cancelled, 'the pause', ({ type }) => type === WORKFLOW_PAUSED);
    await resume(cancelled);
    await stack.client.cancel(cancelled);
    expect(await endOf(stack, cancelled)).toBe('CANCELLED');
    const news = (await stack.logOf(cancelled)).flatMap(({ data }) => data.details?.['browser'] ?? []);
    expect(news).toEqual(['given-back']);

    expect(await endOf(stack, late.sessionId)).toBe('FAILED');
    const { error } = await stack.client.get(late.sessionId);
    expect(error?.message).toContain('The time for this wait is over');
    expect(error?.message).toContain('“"Shipped" is shown” does not hold');
    expect(error?.message).toContain('Order 7: Packed');
  } finally {
    site.close();
  }
}, 180_000);

it('asks the site once for each look of a wait, although another browser opens the page for it', async () => {
  const pages = { '/order': '<title>Order 7</title><p>Packed</p>' };
  const site = await startSite(pages);
  try {
    const { sessionId } = await stack.client.start({
      steps: [`Open ${site.url}/order`, 'Wait until "Shipped" is shown, at most 5 minutes, every 2 seconds'],
    });
    const looks = async (): Promise<number> => (await stack.client.get(sessionId)).pageWait?.looks ?? 0;
    await eventually('the fifth look', async () => (await looks()) >= 5, 90_000);
    pages['/order'] = '<title>Order 7</title><p>Shipped</p>';
    expect(await endOf(stack, sessionId)).toBe('COMPLETED');
    const log = await stack.logOf(sessionId);
    const missed = log.filter(({ data }) => data.details?.['waitingFor'] === 'page').length;
    const opened = site.asked.filter((each) => each.startsWith('GET /order')).length;
    // The step before has opened it for the first look. A browser that was slow to come opens it again.
    expect(opened).toBeGreaterThan(missed);
    expect(opened).toBeLessThan(2 * missed - 1);
  } finally {
    site.close();
  }
});
