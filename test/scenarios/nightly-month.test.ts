/**
 * A month of a job that a schedule starts each night, in the time of the site: each night is a backfill of its own date, and
 * the site goes on by one night. Failed nights are run again as people do it: by a trigger, or a fork of the failed session.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Secret } from 'otpauth';
import type { LogRecord } from '../../contracts/events/log';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { ScheduleDetails } from '../../contracts/sessions/schedule';
import type { StartRequest } from '../../contracts/sessions/start-request';
import type { WebhookMessage } from '../../contracts/sessions/webhook';
import { createEffects } from '../../service/effects/effects';
import { everyRow } from '../support/every-row';
import { eventually } from '../support/eventually';
import { amountOf, invoiceOf, receiptOf, startNightlySite, USER, type NightlySite } from '../support/nightly-site';
import { filesIn, textsIn } from '../support/texts-in';
import { endOf, ONE_OF_EACH, recordOf, startWholeStack, type WholeStack } from '../support/whole-stack';

const { SESSION_STATUS, WARNING_ISSUED } = StreamEventType;
const NIGHTS = 30;
const secret = new Secret({ buffer: randomBytes(20).buffer }).base32;
/** With eight digits, which nothing else has by chance. */
const seed = `otpauth://totp/Invoices:ada?secret=${secret}&digits=8&period=30`;

/** What the receiver of the webhook collects: each report once, by its id. */
const reports = new Map<string, WebhookMessage>();
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    reports.set(String(request.headers['webhook-id']), JSON.parse(Buffer.concat(chunks).toString()) as WebhookMessage);
    response.end();
  });
});

let stack: WholeStack;
let site: NightlySite;
beforeAll(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  site = await startNightlySite(seed);
  const env = {
    NIGHTLY_PASSWORD: USER.password,
    NIGHTLY_SEED: seed,
    SUREFOOT_ENV_SECRETS: 'NIGHTLY_PASSWORD,NIGHTLY_SEED',
    SUREFOOT_WEBHOOK_SECRET: `whsec_${Buffer.from('a secret of 30 bytes and more!!!').toString('base64')}`,
    SUREFOOT_WEBHOOK_ORIGINS: 'http://127.0.0.1:*',
    LOG_LEVEL: 'debug',
  };
  stack = await startWholeStack(env, ONE_OF_EACH);
  await ask('POST', '/v1/schedules', { id: 'nightly', cron: '0 3 * * *', paused: true, request: job() });
}, 180_000);
afterAll(async () => {
  receiver.close();
  site.close();
  await stack.stop();
}, 60_000);

const secrets = () => ({
  password: { env: 'NIGHTLY_PASSWORD', origins: [site.url] },
  code: { totp: { env: 'NIGHTLY_SEED' }, origins: [site.url] },
  sms: { ask: 'The code that the bank sent by SMS', within: '10m', origins: [site.url] },
});

/** Pays the oldest open invoice, and returns what its receipt says. */
function job(): StartRequest {
  return {
    name: 'Pay the invoice of the night',
    profile: {
      name: 'bank',
      signedIn: { url: `${site.url}/invoices`, text: `Signed in as ${USER.name}` },
      login: [
        `Open ${site.url}/login`,
        `Type "${USER.name}" into User, type "\${password}" into Password and click "Sign in"`,
        'Type "${code}" into Authenticator code and click "Verify"',
        'If "SMS code" is shown, type "${sms}" into SMS code and click "Verify"',
      ],
    },
    steps: [
      `Open ${site.url}/invoices`,
      'Save the Next invoice as invoice',
      `Open ${site.url}/invoices/\${invoice}`,
      { instruction: 'Click "Pay invoice"', once: { key: 'invoice-${invoice}' } },
      `Open ${site.url}/invoices/\${invoice}`,
      'Check that the Status shows paid',
    ],
    result: {
      schema: {
        type: 'object',
        properties: { number: { type: 'string' }, amount: { type: 'number' }, receipt: { type: 'string' } },
        required: ['number', 'amount', 'receipt'],
      },
    },
    secrets: secrets(),
    config: {
      aiConfig: { model: 'rules' },
      executorConfig: { screenshotsEnabled: false },
      webhook: { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/` },
    },
  };
}

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const init =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const answer = await fetch(`${stack.api}${path}`, { method, ...init });
  const { data, error } = (await answer.json()) as { data: T; error?: { message: string } };
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${error?.message}`);
  return data;
}

/** The sessions that the schedule has started, and what every other start has returned. */
const sessions: string[] = [];

async function startedBySchedule(how: string, body: object = {}): Promise<{ sessionId: string; workflowId: string }> {
  await ask('POST', `/v1/schedules/nightly/${how}`, body);
  const started = await eventually('the schedule starts a session', async () => {
    const { sessions: newest } = await ask<ScheduleDetails>('GET', '/v1/schedules/nightly');
    return newest.find(({ sessionId, status }) => !sessions.includes(sessionId) && status !== undefined);
  });
  sessions.push(started.sessionId);
  return started;
}

/** The schedule starts the session of this night, at which the site has its date. */
async function startNight(night: number): Promise<string> {
  site.night = night;
  const at = `2025-06-${String(night).padStart(2, '0')}T03:00:00Z`;
  const { sessionId, workflowId } = await startedBySchedule('backfill', { from: at, to: at });
  expect(workflowId).toBe(`nightly-${at}`);
  return sessionId;
}

/** Somebody has the job run again by day. */
const trigger = async (): Promise<string> => (await startedBySchedule('trigger')).sessionId;

async function startByHand(path: string, body: object): Promise<string> {
  const { sessionId } = await ask<{ sessionId: string }>('POST', path, body);
  sessions.push(sessionId);
  return sessionId;
}

const reportOf = (sessionId: string, type: WebhookMessage['type']) =>
  eventually(`${type} of ${sessionId}`, () =>
    [...reports.values()].find((report) => report.type === type && report.data.sessionId === sessionId),
  );

/** The session has paid this invoice, and has returned its receipt. */
async function hasPaid(sessionId: string, invoice: string): Promise<void> {
  const status = await endOf(stack, sessionId);
  const { error, result } = await stack.client.get(sessionId);
  const receipt = { number: invoice, amount: amountOf(invoice), receipt: receiptOf(invoice) };
  expect({ status, error, result }).toEqual({ status: 'COMPLETED', error: null, result: receipt });
  expect(await reportOf(sessionId, 'session.completed')).toMatchObject({ data: { result: receipt } });
  expect(site.payments.filter((each) => each === invoice)).toHaveLength(1);
}

/** The session has failed, has paid nothing, and says why wherever somebody looks. Returns the index of the step. */
async function hasFailed(sessionId: string, why: readonly string[]): Promise<number> {
  const before = site.payments.length;
  expect(await endOf(stack, sessionId)).toBe('FAILED');
  const { error } = await stack.client.get(sessionId);
  for (const words of why) expect(error!.message).toContain(words);
  expect(await reportOf(sessionId, 'session.failed')).toMatchObject({ data: { error: { message: error!.message } } });
  expect([site.payments.length, site.rejected]).toEqual([before, []]);
  return error!.stepIndex!;
}

async function goodNights(first: number, last: number): Promise<void> {
  for (let night = first; night <= last; night += 1) await hasPaid(await startNight(night), invoiceOf(night));
}

const warningsOf = (log: readonly LogRecord[]) =>
  log.filter(({ type }) => type === WARNING_ISSUED).map(({ data }) => data.warning!);

const signsInAgain = async (sessionId: string): Promise<boolean> =>
  (await stack.logOf(sessionId)).some(
    ({ type, data }) => type === SESSION_STATUS && data.details?.['signsIn'] === true,
  );

test('seven nights pay seven invoices under one sign-in by a code of the app', async () => {
  await goodNights(1, 7);
  expect(site.signIns).toEqual([1]);
  expect(site.codes.fromApp).toHaveLength(1);
}, 240_000);

test('a sign-in that has expired by day is made again at the beginning of the night', async () => {
  site.expire();
  await goodNights(8, 11);
  expect(site.signIns).toEqual([1, 8]);
}, 180_000);

test('two nights at which the site is down fail and say so, and are run again when it is up', async () => {
  const page = `${site.url}/invoices`;
  const why = 'The login steps were not done, because the site does not show whether the session is signed in:';
  site.state = 'unavailable';
  await hasFailed(await startNight(12), [why, `${page} was answered with 503 (“Down for maintenance”)`]);
  site.state = 'dropping';
  await hasFailed(await startNight(13), [why, `${page} could not be opened`, 'closed the connection']);
  site.state = 'up';
  await hasPaid(await trigger(), invoiceOf(12));
  await hasPaid(await trigger(), invoiceOf(13));
  await goodNights(14, 16);
  expect(site.signIns).toEqual([1, 8]);
}, 240_000);

test('a night at which a button has another name presses nothing, says what is there, and is forked', async () => {
  site.button = 'Continue';
  const changed = await startNight(17);
  const stepIndex = await hasFailed(changed, ['“"Pay invoice"”', 'did not find it', 'Continue, Reject invoice']);
  site.button = 'Pay invoice';
  await hasPaid(
    await startByHand(`/v1/sessions/${changed}/fork`, { fromStep: stepIndex + 1, secrets: secrets() }),
    invoiceOf(17),
  );
  await goodNights(18, 19);
  expect(site.signIns).toEqual([1, 8]);
}, 240_000);

test('a payment that finds the session expired signs in with a code that a person gives, and pays once', async () => {
  [site.expiresAtPayment, site.sendsCode] = [true, true];
  const sessionId = await startNight(20);
  const asked = await reportOf(sessionId, 'question.asked');
  expect(asked).toMatchObject({ data: { question: { message: expect.stringContaining('SMS') as string } } });
  const { waitingFor } = await stack.client.get(sessionId);
  if (waitingFor?.pausedFor !== 'secret') throw new Error(`It waits for ${JSON.stringify(waitingFor)}`);
  const { questionId } = waitingFor.secret;
  await ask('POST', `/v1/sessions/${sessionId}/answer`, { questionId, value: site.sms[0] });
  await hasPaid(sessionId, invoiceOf(20));
  expect(await signsInAgain(sessionId)).toBe(true);
  site.sendsCode = false;
  await goodNights(21, 24);
  expect(site.signIns).toEqual([1, 8, 20]);
}, 240_000);

test('a job that runs twice at once by mistake pays once, and says who has paid', async () => {
  const invoice = invoiceOf(25);
  const release = site.hold();
  const first = await startNight(25);
  await eventually('the payment is under way', () => site.payments.includes(invoice));
  const profile = { ...(job().profile as object), whenInUse: 'copy' };
  const second = await startByHand('/v1/sessions', { ...job(), profile });
  const isWarning = ({ type, data }: LogRecord) => type === WARNING_ISSUED && data.warning!.message.includes(first);
  await recordOf(stack, second, 'the wait for the first', isWarning);
  release();
  await hasPaid(first, invoice);
  await hasPaid(second, invoice);
  expect(warningsOf(await stack.logOf(second))).toContainEqual(
    expect.objectContaining({
      message: expect.stringContaining(`“invoice-${invoice}” at ${site.url} was done by session ${first}`) as string,
      details: { once: 'already-done' },
    }),
  );
  expect(warningsOf(await stack.logOf(first)).filter(({ details }) => details?.['once'] !== undefined)).toEqual([]);
  await goodNights(26, NIGHTS);
}, 240_000);

test('the month has paid each invoice once, by three sign-ins, with all results and no secret anywhere', async () => {
  const invoices = Array.from({ length: NIGHTS }, (_, index) => invoiceOf(index + 1));
  expect(site.payments.toSorted()).toEqual(invoices);
  expect([site.rejected, site.signIns]).toEqual([[], [1, 8, 20]]);
  expect(site.codes).toMatchObject({ fromApp: { length: 3 }, bySms: { length: 1 } });
  const effects = await createEffects({ store: stack.engineStore }).list({ state: 'done' });
  expect(effects.map(({ key }) => key).sort()).toEqual(invoices.map((invoice) => `invoice-${invoice}`));

  // Three runs by hand and one by mistake, beside those of the schedule.
  expect(new Set(sessions).size).toBe(NIGHTS + 4);
  const ends = [...reports.values()].filter(({ type }) => type.startsWith('session.'));
  expect(ends.map(({ data }) => data.sessionId).sort()).toEqual(sessions.toSorted());
  const receipts = ends.flatMap(({ data }) => ('result' in data ? [(data.result as { number: string }).number] : []));
  expect(receipts.sort()).toEqual([...invoices, invoiceOf(25)].sort());
  expect(ends.filter(({ type }) => type === 'session.failed')).toHaveLength(3);

  const temporal = stack.engineTemporal.workflow;
  const histories: object[] = [];
  for await (const { workflowId, runId } of temporal.list())
    histories.push(await temporal.getHandle(workflowId, runId).fetchHistory());
  const places: Record<string, string[]> = {
    events: (await Promise.all(sessions.map((id) => stack.logOf(id)))).map((log) => JSON.stringify(log)),
    reports: [JSON.stringify([...reports.values()])],
    histories: textsIn(histories),
    tables: await everyRow(stack.databaseUrl),
    artifacts: filesIn(join(stack.home, 'artifacts')),
    output: filesIn(join(stack.home, 'logs')),
  };
  const hidden = [USER.password, secret, seed, ...site.codes.fromApp, ...site.codes.bySms];
  for (const [place, texts] of Object.entries(places)) {
    const text = texts.join('\n');
    expect(text.length).toBeGreaterThan(1000);
    // Eight digits may be a part of a longer number.
    const found = hidden.filter((each) => new RegExp(`(?<!\\d)${each.replace(/\W/g, '\\$&')}(?!\\d)`).test(text));
    expect({ place, found }).toEqual({ place, found: [] });
  }
}, 120_000);
