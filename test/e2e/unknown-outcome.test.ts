/**
 * Place order is pressed, and neither the page nor the requests show whether that took effect: the session waits for a
 * person, says so everywhere, and goes on with the answer to exactly one order. Where the site takes a key, nobody is asked.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { LogRecord } from '../../contracts/events/log';
import { logOrderProblems } from '../../bench/log-checks/log-order';
import { armFaults, faultsFired, FAULTS_BY_FILE } from '../../runtime/fault-point';
import type { JournalEntry } from '../../store/journal/journal';
import { runCli, type CliResult } from '../cli/cli-process';
import { eventually } from '../support/eventually';
import { chromesOf, killAndAwait } from '../support/kill';
import {
  COMMIT_OF_DEMO,
  demoRequest,
  endOf,
  SHOP_PASSWORD,
  startWholeStack,
  type WholeStack,
} from '../support/whole-stack';

/** Instead of what the demo expects of the page that answers the order. */
const AFTERWARDS = ['Open ${shop}/orders', 'Expect "1 × Trail Shoe"'];

let stack: WholeStack;
/** A bank whose pages are as the first part of their path says. Each invoice that it has paid, oldest first. */
const paid: { invoice: string; at: number }[] = [];
/** Payments that the bank has refused once. */
const refused = new Set<string>();
let bank: Server;
let bankUrl: string;

beforeAll(async () => {
  bank = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bank');
    const [, kind, page] = pathname.split('/');
    const show = (content: string, status = 200): void => {
      const cache = kind === 'cached' && page === 'orders' ? { 'cache-control': 'max-age=3600' } : {};
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...cache });
      response.end(`<!doctype html><title>Bank</title><h1>Bank</h1>${content}`);
    };
    const invoice = searchParams.get('invoice') ?? '';
    const form = `<form method="post"><button>Pay ${kind === 'known' ? '' : invoice}</button></form>`;
    if (request.method === 'POST') {
      const isRefused = kind === 'refuses' && !refused.has(invoice);
      if (isRefused) refused.add(invoice);
      else paid.push({ invoice, at: Date.now() });
      return (kind === 'refuses' && !isRefused) || invoice.startsWith('fine')
        ? show('Paid')
        : show(`Oh no${form}`, 500);
    }
    if (page === 'pay') return show(form);
    if (kind === 'down' && paid.some((each) => each.invoice === invoice)) return show('Come back later', 503);
    const after = kind === 'late' ? 4000 : 0;
    const shown = paid.filter(({ at }) => Date.now() - at >= after).map((each) => each.invoice);
    return show(
      `<table><tr><th>Paid</th></tr>${shown
        .toReversed()
        .map((each) => `<tr><td>${each}</td></tr>`)
        .join('')}</table>`,
    );
  });
  await new Promise<void>((resolve) => bank.listen(0, '127.0.0.1', resolve));
  bankUrl = `http://127.0.0.1:${(bank.address() as AddressInfo).port}`;
  stack = await startWholeStack(FAULTS_BY_FILE);
}, 120_000);
afterAll(async () => {
  bank.closeAllConnections();
  bank.close();
  await stack.stop();
}, 60_000);

const { WORKFLOW_PAUSED, WORKFLOW_RESUMED, COMMAND_STARTED } = StreamEventType;
const isCommit = ({ target }: JournalEntry): boolean => target?.['name'] === 'Place order';

interface Answer {
  status: number;
  // The API as a client without our types sees it.
  body: { data?: unknown; error?: { message: string; details?: { state?: string } } };
}

async function call(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(`${stack.api}/v1/sessions/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Answer['body'] };
}

function cli(...args: string[]): Promise<CliResult> {
  const env = {
    SUREFOOT_HOME: stack.home,
    DATABASE_URL: stack.databaseUrl,
    TEMPORAL_ADDRESS: stack.temporalAddress,
    SHOP_PASSWORD,
  };
  return runCli(args, { env });
}

async function asked(sessionId: string): Promise<{ record: LogRecord; commandId: string }> {
  const find = async () => (await stack.client.events(sessionId, 0, 1000)).find(({ type }) => type === WORKFLOW_PAUSED);
  const record = await eventually('the question', find, 60_000);
  return { record, commandId: record.data.details?.['unknown'].commandId };
}

/** What every session has to keep; resolves to its log. */
async function completedWithOneOrder(sessionId: string, run: string): Promise<LogRecord[]> {
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  expect(await stack.orders(run)).toEqual([
    expect.objectContaining({ items: [expect.objectContaining({ quantity: 1 })] }),
  ]);
  const log = await stack.logOf(sessionId);
  expect(logOrderProblems(log)).toEqual([]);
  const [from, to] = [WORKFLOW_PAUSED, WORKFLOW_RESUMED].map((type) => log.findIndex((record) => record.type === type));
  expect(log.slice(from, to).filter(({ type }) => type === COMMAND_STARTED)).toEqual([]);
  return log;
}

const presses = async (sessionId: string) => (await stack.engineStore.journal.ofSession(sessionId)).filter(isCommit);

async function admin(path: string, body: unknown): Promise<void> {
  const answer = await fetch(`${stack.shop}/admin/${path}`, { method: 'POST', body: JSON.stringify(body) });
  expect(answer.ok).toBe(true);
}

/** Over HTTP nothing sends it again; the session goes on with a warning, and sees the order where the shop lists it. */
it('a session that names the shop as an origin places one order over a line that breaks late', async () => {
  const run = randomUUID();
  const demo = demoRequest(stack, run);
  const request = { ...demo, steps: [...demo.steps.slice(0, -2), ...AFTERWARDS] };
  const executorConfig = { idempotency: { origins: [new URL(stack.shop).origin] } };
  await admin('faults', { kind: 'drop-after', path: '/orders', method: 'POST', run, downMs: 0 });
  const config = { ...request.config, executorConfig, outcomes: { httpErrors: 'warn' } as const };
  const { sessionId } = await stack.client.start({ ...request, config });
  const log = await completedWithOneOrder(sessionId, run);
  const faults = (await (await fetch(`${stack.shop}/admin/faults`)).json()) as { faults: unknown[] };
  expect(faults.faults).toEqual([]);
  const clicks = (await stack.engineStore.journal.ofSession(sessionId)).filter(({ effect }) => effect === 'commit');
  expect(new Set(clicks.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(clicks.length);
  expect(JSON.stringify(log)).not.toContain(clicks.at(-1)!.idempotencyKey);
});

it('an order answered with an error, its worker dead: the session waits for a person, and completes', async () => {
  const run = randomUUID();
  await admin('faults', { kind: 'error-after', path: '/orders', method: 'POST', run });
  armFaults(stack.home, `kill@after-act:${COMMIT_OF_DEMO}`);
  const request = demoRequest(stack, run);
  const { sessionId } = await stack.client.start({ ...request, steps: [...request.steps.slice(0, -2), ...AFTERWARDS] });
  const { commandId } = await asked(sessionId);
  await killAndAwait(stack, ['engine-1', 'engine-2', 'browser-1', 'browser-2', 'api']);
  const shown = await eventually('the API answers', () => call('GET', sessionId).catch(() => undefined), 60_000);
  const handle = stack.engineTemporal.workflow.getHandle(sessionId);
  await eventually('a worker answers', () => handle.query('state').catch(() => undefined), 60_000);
  const command = `surefoot resolve-unknown ${sessionId} ${commandId} --happened yes|no`;
  expect(shown.body.data).toMatchObject({
    session: { status: 'PAUSED' },
    waitingFor: {
      pausedFor: 'unknown-outcome',
      message: expect.stringContaining('Nobody knows whether CLICK_ELEMENT button "Place order" happened'),
      unknown: {
        commandId,
        urlBefore: `${stack.shop}/checkout`,
        urlAfter: `${stack.shop}/orders`,
        requests: [{ method: 'POST', url: `${stack.shop}/orders`, status: 500 }],
      },
      answerWith: { cli: command },
    },
  });
  expect(await stack.orders(run)).toHaveLength(1);
  expect((await cli('show', sessionId)).stdout).toContain(command);
  expect(await cli('resume', sessionId)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(command) });
  expect(await call('POST', `${sessionId}/resume`)).toMatchObject({ status: 409 });

  const answer = { commandId, happened: true };
  expect(await call('POST', `${sessionId}/resolve-unknown`, { ...answer, happened: 'yes' })).toMatchObject({
    status: 400,
  });
  expect(await call('POST', `${sessionId}/resolve-unknown`, { ...answer, commandId: 'c9' })).toMatchObject({
    status: 409,
    body: { error: { details: { state: expect.stringContaining(commandId) } } },
  });
  expect(await call('POST', `${randomUUID()}/resolve-unknown`, answer)).toMatchObject({ status: 404 });
  expect(await call('POST', `${sessionId}/resolve-unknown`, answer)).toMatchObject({ status: 202 });
  expect(await call('POST', `${sessionId}/resolve-unknown`, answer)).toMatchObject({ status: 409 });
  expect(await cli('resolve-unknown', sessionId, commandId, '--happened', 'no')).toMatchObject({ exitCode: 2 });

  const log = await completedWithOneOrder(sessionId, run);
  const resolution = { by: 'person', happened: true, at: expect.any(String) };
  expect(log.find(({ type }) => type === WORKFLOW_RESUMED)?.data.details).toEqual({
    resolved: { commandId, ...resolution },
  });
  expect(await presses(sessionId)).toEqual([expect.objectContaining({ status: 'unknown', resolution })]);
  expect((await stack.client.get(sessionId)).waitingFor).toBeNull();
}, 180_000);

it('Chrome dies before the press: the session presses again when a person says it did not happen', async () => {
  const run = randomUUID();
  // One worker freezes before it presses, the other before it has taken over: nobody finds out that nothing happened.
  armFaults(stack.home, `stop@after-intent:${COMMIT_OF_DEMO},stop@during-takeover:1`);
  const { sessionId } = await stack.client.start(demoRequest(stack, run));
  await eventually('both workers are frozen', () => faultsFired(stack.home).length === 2, 50_000);
  process.kill(chromesOf(stack, sessionId)[0]!, 'SIGKILL');
  await killAndAwait(stack, ['browser-1', 'browser-2']);

  const { record, commandId } = await asked(sessionId);
  expect(record.data.message).toContain('Its browser was lost with it.');
  expect(await stack.orders(run)).toEqual([]);
  const handle = stack.engineTemporal.workflow.getHandle(sessionId);
  await handle.signal('resolveUnknown', { commandId, happened: false });
  await completedWithOneOrder(sessionId, run);
  expect(await presses(sessionId)).toEqual([
    expect.objectContaining({
      commandId,
      status: 'unknown',
      resolution: { by: 'person', happened: false, at: expect.any(String) },
    }),
    expect.objectContaining({ commandId: expect.not.stringMatching(commandId), status: 'done' }),
  ]);
}, 180_000);

/** Pays an invoice, and kills the worker that has pressed the button: the bank answers with an error all the same. */
async function pay(kind: string, faults: string, check: object = {}, invoice = randomUUID().slice(0, 8)) {
  armFaults(stack.home, faults);
  const [orders, form] = ['orders', 'pay'].map((page) => `${bankUrl}/${kind}/${page}?invoice=${invoice}`);
  const steps = [`Open ${orders}`, 'Expect "${invoice}" in the first row'];
  const { sessionId } = await stack.client.start({
    steps: [
      `Open ${orders}`,
      `Open ${form}`,
      { instruction: `Click "Pay ${invoice}"`, check: { steps, looks: 3, within: '6s', ...check } },
    ],
    variables: { invoice },
    config: { executorConfig: { screenshotsEnabled: false }, replay: 'off' },
  });
  return { sessionId, invoice, times: () => paid.filter((each) => each.invoice === invoice).length };
}

const UNSEEN = 'kill@after-act:3';
const NOBODY = 'kill@after-act:99';

const findings = (log: readonly LogRecord[]): string[] =>
  log.flatMap(({ data }) => (data.details?.['check'] === undefined ? [] : [data.details['check'].finding as string]));

const resolutionsOf = async (sessionId: string) =>
  (await stack.engineStore.journal.ofSession(sessionId)).flatMap(({ resolution }) => resolution ?? []);

it.each([
  ['at-once', UNSEEN],
  ['late', UNSEEN],
  ['cached', `${UNSEEN},kill@during-look:1`],
])(
  'a payment that the bank shows (%s) is found by the check, and nobody is asked',
  async (kind, faults) => {
    const { sessionId, times } = await pay(kind, faults);
    expect(await endOf(stack, sessionId)).toBe('COMPLETED');
    expect(times()).toBe(1);
    expect(await resolutionsOf(sessionId)).toEqual([
      {
        by: 'check',
        happened: true,
        at: expect.any(String),
        seen: expect.stringContaining('in the first row” holds at'),
      },
    ]);
    const log = await stack.logOf(sessionId);
    expect([findings(log), log.filter(({ type }) => type === WORKFLOW_PAUSED)]).toEqual([['found'], []]);
    expect(faultsFired(stack.home)).toHaveLength(faults.split(',').length);
  },
  120_000,
);

it('a payment that the bank has not taken is missed by each look, and made again', async () => {
  const { sessionId, times } = await pay('refuses', UNSEEN);
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  expect(times()).toBe(1);
  expect(await resolutionsOf(sessionId)).toMatchObject([{ by: 'check', happened: false }]);
  expect(findings(await stack.logOf(sessionId))).toEqual(['not-there']);
}, 120_000);

it('where the bank goes down a person is asked, with what the check has seen', async () => {
  const { sessionId, times } = await pay('down', UNSEEN, { looks: 2 });
  const { record, commandId } = await asked(sessionId);
  expect(record.data.message).toContain('was answered with 503.');
  await call('POST', `${sessionId}/resolve-unknown`, { commandId, happened: true });
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  expect(times()).toBe(1);
}, 120_000);

it('with before: true a payment that somebody made by hand is not made again', async () => {
  const invoice = randomUUID().slice(0, 8);
  await fetch(`${bankUrl}/at-once/pay?invoice=${invoice}`, { method: 'POST' });
  const { sessionId, times } = await pay('at-once', NOBODY, { before: true }, invoice);
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  expect(times()).toBe(1);
  const warned = (await stack.logOf(sessionId)).find(({ data }) => data.warning?.details?.['once'] === 'already-done');
  expect(warned?.data.warning?.message).toMatch(/^Already done: .*Nothing was done again\.$/);

  const unsure = await pay('down', NOBODY, {
    before: true,
    looks: 1,
    steps: [`Open ${bankUrl}/down/orders?invoice=${invoice}`, 'Expect "x"'],
  });
  expect(await endOf(stack, unsure.sessionId)).toBe('FAILED');
  expect((await stack.client.get(unsure.sessionId)).error?.message).toContain('so nothing was done.');
  expect(unsure.times()).toBe(0);
}, 120_000);

it('without a check the question says where an earlier session has seen it', async () => {
  const [orders, form] = ['orders', 'pay'].map((page) => `${bankUrl}/known/${page}?invoice=`);
  const start = async (invoice: string, looks: string[]): Promise<string> => {
    const steps = [`Open ${form}\${invoice}`, 'Click "Pay"', ...looks];
    const { sessionId } = await stack.client.start({ steps, variables: { invoice }, config: { replay: 'prefer' } });
    return sessionId;
  };
  const looks = [`Open ${orders}\${invoice}`, 'Expect "${invoice}" in the first row'];
  expect(await endOf(stack, await start(`fine${randomUUID().slice(0, 8)}`, looks))).toBe('COMPLETED');
  const learnt = await eventually('its recipe', async () =>
    (await stack.engineStore.recipes.list()).find(({ key }) => key.instruction === 'Click "Pay"'),
  );
  expect((await cli('recipes', 'show', learnt.recipeId)).stdout).toContain(
    `a check of it could be "check": ${JSON.stringify(looks)}`,
  );

  armFaults(stack.home, 'kill@after-act:2');
  const invoice = randomUUID().slice(0, 8);
  const sessionId = await start(invoice, []);
  const { record, commandId } = await asked(sessionId);
  expect(record.data.details?.['unknown'].proposedCheck).toEqual(looks);
  expect(record.data.message).toContain(`With "check": ${JSON.stringify(looks)} the step finds out by itself.`);
  await call('POST', `${sessionId}/resolve-unknown`, { commandId, happened: true });
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  expect(paid.filter((each) => each.invoice === invoice)).toHaveLength(1);
}, 120_000);
