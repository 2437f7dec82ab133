/** A step that is to happen once, by sessions that know nothing of each other, and kills in the middle of it. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { LogRecord } from '../../contracts/events/log';
import type { StepInput } from '../../contracts/sessions/step-input';
import { armFaults, faultsFired, FAULTS_BY_FILE } from '../../runtime/fault-point';
import { createEffects } from '../../service/effects/effects';
import { runCli } from '../cli/cli-process';
import { eventually } from '../support/eventually';
import { chromesOf, killAndAwait } from '../support/kill';
import { endOf, ONE_BROWSER_WORKER, recordOf, startWholeStack, type WholeStack } from '../support/whole-stack';

const { WARNING_ISSUED, STEP_STARTED } = StreamEventType;

let stack: WholeStack;
/** A bank that pays as often as it is asked to: each invoice that it has paid, in order. */
const paid: string[] = [];
let bank: Server;
let url: string;
/** Holds the answers of POST /pay back. */
let answering: Promise<void> = Promise.resolve();

beforeAll(async () => {
  bank = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bank');
    const invoice = searchParams.get('invoice') ?? '';
    const page = (text: string, status = 200): void => {
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
      response.end(`<!doctype html><title>Bank</title><h1>${text}</h1>`);
    };
    if (request.method !== 'POST')
      return page(
        `Invoice ${invoice}</h1><form method="post" action="${pathname}?invoice=${invoice}"><button style="width:300px;height:200px">Pay</button></form><h1>`,
      );
    if (pathname === '/refuses') return page('Payment refused: the account is closed', 422);
    paid.push(invoice);
    if (pathname === '/breaks') return request.socket.destroy();
    void answering.then(() => page(`Paid ${invoice}`));
  });
  await new Promise<void>((resolve) => bank.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(bank.address() as AddressInfo).port}`;
  stack = await startWholeStack(FAULTS_BY_FILE, ONE_BROWSER_WORKER);
}, 120_000);
afterAll(async () => {
  bank.closeAllConnections();
  bank.close();
  await stack.stop();
}, 60_000);

const PAY: StepInput = { instruction: 'Click "Pay"', once: { key: 'invoice-${invoice}' } };

async function pay(
  invoice: string,
  change: { tenant?: string; steps?: StepInput[]; path?: string; maxRetries?: number } = {},
): Promise<string> {
  const { tenant, path = 'pay', maxRetries = 0, steps = [PAY, `Expect "Paid ${invoice}"`] } = change;
  const { sessionId } = await stack.client.start({
    steps: [`Open ${url}/${path}?invoice=${invoice}`, ...steps],
    variables: { invoice },
    config: {
      executorConfig: { screenshotsEnabled: false },
      replay: 'off',
      agent: { approvalMode: 'yolo' },
      timeouts: { retryDelayMs: 100 },
      ...(maxRetries === 0 ? {} : { retryOnFailure: true, maxRetries }),
    },
    ...(tenant === undefined ? {} : { tenant }),
  });
  return sessionId;
}

const warningsOf = (log: readonly LogRecord[]): string[] =>
  log.filter(({ type }) => type === WARNING_ISSUED).map(({ data }) => data.warning!.message);

const timesPaid = (invoice: string): number => paid.filter((each) => each === invoice).length;

async function heldBy(invoice: string) {
  const [newest] = await createEffects({ store: stack.engineStore }).list({ key: `invoice-${invoice}` });
  return newest!;
}

function anInvoice(): string {
  return randomUUID().slice(0, 8);
}

it('of three sessions that pay one invoice at once, one pays and the others find it done', async () => {
  const invoice = anInvoice();
  let answer = (): void => {};
  answering = new Promise((resolve) => (answer = resolve));
  const only: StepInput[] = [PAY];
  const sessions = await Promise.all([
    pay(invoice, { steps: only }),
    pay(invoice, { steps: only }),
    pay(invoice, { steps: only }),
  ]);
  await eventually('the payment', () => timesPaid(invoice) > 0);
  const { sessionId: payer } = await heldBy(invoice);
  const others = sessions.filter((sessionId) => sessionId !== payer);
  for (const sessionId of others)
    await recordOf(
      stack,
      sessionId,
      'the wait',
      ({ type, data }) => type === WARNING_ISSUED && data.warning!.message.includes(payer),
    );
  answer();
  for (const sessionId of sessions) expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  expect(timesPaid(invoice)).toBe(1);
  for (const sessionId of others)
    expect(warningsOf(await stack.logOf(sessionId)).at(-1)).toMatch(
      new RegExp(
        `^Already done: “invoice-${invoice}” at ${url} was done by session ${payer}.*POST ${url}/pay.* \\(200\\)`,
      ),
    );
  // Another tenant has another bank account.
  expect(await endOf(stack, await pay(invoice, { tenant: 'other' }))).toBe('COMPLETED');
  expect(timesPaid(invoice)).toBe(2);
}, 120_000);

it('a refused payment leaves the key free, and a step that failed behind a payment asks a person', async () => {
  const refused = anInvoice();
  expect(await endOf(stack, await pay(refused, { path: 'refuses' }))).toBe('FAILED');
  expect(await heldBy(refused)).toMatchObject({
    state: 'released',
    reason: expect.stringContaining('nothing was sent'),
  });
  expect(await endOf(stack, await pay(refused))).toBe('COMPLETED');

  const invoice = anInvoice();
  const together: StepInput = {
    instruction: 'Click "Pay", then expect "A receipt"',
    once: { key: 'invoice-${invoice}' },
  };
  expect(await endOf(stack, await pay(invoice, { steps: [together] }))).toBe('FAILED');
  const { effectId, state } = await heldBy(invoice);
  expect(state).toBe('unknown');
  const next = await pay(invoice, { steps: [PAY] });
  const asked = await recordOf(stack, next, 'the wait', ({ type }) => type === WARNING_ISSUED);
  expect(asked.data.warning!.message).toContain(`surefoot effects confirm ${effectId}`);
  const env = { SUREFOOT_HOME: stack.home, DATABASE_URL: stack.databaseUrl, TEMPORAL_ADDRESS: stack.temporalAddress };
  const confirmed = await runCli(['effects', 'confirm', String(effectId), '--reason', 'it is on the statement'], {
    env,
  });
  expect([confirmed.exitCode, confirmed.stdout]).toEqual([0, expect.stringContaining('was done by session')]);
  expect(await endOf(stack, next)).toBe('COMPLETED');
  expect(timesPaid(invoice)).toBe(1);

  const released = await runCli(['effects', 'release', String(effectId), '--reason', 'the bank has sent it back'], {
    env,
  });
  expect(released.exitCode).toBe(0);
  expect(await endOf(stack, await pay(invoice))).toBe('COMPLETED');
  expect(timesPaid(invoice)).toBe(2);
}, 180_000);

it('a refused payment stays refused in another try, and one that broke is not made twice', async () => {
  const refused = anInvoice();
  expect(await endOf(stack, await pay(refused, { path: 'refuses', steps: [PAY], maxRetries: 2 }))).toBe('FAILED');
  expect(await heldBy(refused)).toMatchObject({ state: 'released' });
  const broken = anInvoice();
  expect(await endOf(stack, await pay(broken, { path: 'breaks', steps: [PAY], maxRetries: 2 }))).toBe('FAILED');
  expect(await heldBy(broken)).toMatchObject({ state: 'unknown' });
  expect([timesPaid(refused), timesPaid(broken)]).toEqual([0, 1]);
}, 120_000);

it('a payment whose connection breaks before its answer is not made again before a person has looked', async () => {
  const invoice = anInvoice();
  const first = await pay(invoice, { path: 'breaks' });
  expect(await endOf(stack, first)).toBe('FAILED');
  expect(await heldBy(invoice)).toMatchObject({ state: 'unknown', sessionId: first });
  const second = await pay(invoice, { steps: [PAY] });
  const asked = await recordOf(stack, second, 'the wait', ({ type }) => type === WARNING_ISSUED);
  expect(asked.data.warning!.message).toContain('and it may have happened');
  await stack.client.cancel(second);
  expect(await endOf(stack, second)).toBe('CANCELLED');
  expect(timesPaid(invoice)).toBe(1);
}, 120_000);

it('a worker that is killed while it pays leaves one payment, and the next session finds it', async () => {
  const invoice = anInvoice();
  let answer = (): void => {};
  answering = new Promise((resolve) => (answer = resolve));
  const first = await pay(invoice);
  await eventually('the payment', () => timesPaid(invoice) > 0);
  await killAndAwait(stack, ['browser-1']);
  answer();
  const second = await pay(invoice, { steps: [PAY] });
  expect(await endOf(stack, first)).toBe('COMPLETED');
  expect(await endOf(stack, second)).toBe('COMPLETED');
  expect(timesPaid(invoice)).toBe(1);
}, 120_000);

it('a session whose worker and Chrome go as it is stopped says that it was done already', async () => {
  const invoice = anInvoice();
  const first = await pay(invoice);
  expect(await endOf(stack, first)).toBe('COMPLETED');
  // The page is opened; the click is refused, and nothing of that is recorded.
  armFaults(stack.home, 'stop@after-intent:2');
  const second = await pay(invoice, { steps: [PAY] });
  await eventually('the worker is frozen', () => faultsFired(stack.home).length === 1);
  process.kill(chromesOf(stack, second)[0]!, 'SIGKILL');
  await killAndAwait(stack, ['browser-1']);
  expect(await endOf(stack, second)).toBe('COMPLETED');
  expect(warningsOf(await stack.logOf(second)).at(-1)).toContain(`was done by session ${first}`);
  expect(timesPaid(invoice)).toBe(1);
}, 120_000);

it('a call of a tool, a key of the whole session and a step that is to fail when it is done', async () => {
  const invoice = anInvoice();
  const { sessionId } = await stack.client.start({
    steps: [`Open ${url}/pay?invoice=${invoice}`, 'Click "Pay"'],
    config: { executorConfig: { screenshotsEnabled: false }, once: { key: `invoice-${invoice}` } },
  });
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  expect(await heldBy(invoice)).toMatchObject({ state: 'done', sessionId });

  const fails: StepInput = { instruction: 'Click "Pay"', once: { key: 'invoice-${invoice}', whenDone: 'fail' } };
  const second = await pay(invoice, { steps: [fails] });
  expect(await endOf(stack, second)).toBe('FAILED');
  expect((await stack.client.get(second)).error?.message).toContain(`was done by session ${sessionId}`);

  const call: StepInput = {
    tool: 'computer',
    args: { action: 'left_click', coordinate: [150, 200] },
    once: { key: 'invoice-${invoice}' },
  };
  const third = await pay(invoice, { steps: [call] });
  expect(await endOf(stack, third)).toBe('COMPLETED');
  expect(warningsOf(await stack.logOf(third)).at(-1)).toContain('Nothing was done again');
  expect(timesPaid(invoice)).toBe(1);

  const unnamed = await pay(invoice, { steps: [{ instruction: 'Click "Pay"', once: { key: 'invoice-${number}' } }] });
  await recordOf(stack, unnamed, 'the step', ({ type, stepIndex }) => type === STEP_STARTED && stepIndex === 1);
  expect(await endOf(stack, unnamed)).toBe('FAILED');
  expect((await stack.client.get(unnamed)).error?.message).toContain('nothing has given the variable number a value');
  expect(timesPaid(invoice)).toBe(1);
}, 180_000);
