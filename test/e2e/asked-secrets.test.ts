/**
 * Codes and links that a person alone has, by the whole product: the session waits through the death of everything, takes one
 * answer by any door, and has it in nothing that it keeps.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium } from 'playwright';
import type { AskedSecret } from '../../contracts/approvals/asked-secret';
import type { SecretInput } from '../../contracts/sessions/secrets';
import { runCli } from '../cli/cli-process';
import { eventually } from '../support/eventually';
import { everyRow } from '../support/every-row';
import { everything, killAndAwait } from '../support/kill';
import { startMailServer, type MailServer } from '../support/mail-server';
import { startSentCodeSite, type SentCodeSite } from '../support/sent-code-site';
import { filesIn, textsIn } from '../support/texts-in';
import { endOf, ONE_OF_EACH, startWholeStack, type WholeStack } from '../support/whole-stack';
import { violations } from '../web/axe';

jest.setTimeout(240_000);

const reports: { type: string; data: { question?: object; ending?: object; sessionId: string } }[] = [];
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    reports.push(JSON.parse(Buffer.concat(chunks).toString()) as (typeof reports)[number]);
    response.end();
  });
});

let stack: WholeStack;
let site: SentCodeSite;
let mail: MailServer;
beforeAll(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  site = await startSentCodeSite();
  mail = await startMailServer();
  const env = {
    SUREFOOT_WEBHOOK_SECRET: `whsec_${Buffer.from('a secret of 30 bytes and more!!!').toString('base64')}`,
    SUREFOOT_WEBHOOK_ORIGINS: 'http://127.0.0.1:*',
    SUREFOOT_PAUSE_RELEASE_MS: '2000',
    SUREFOOT_MAIL_SERVERS: `127.0.0.1:${mail.port}`,
    LOG_LEVEL: 'debug',
  };
  stack = await startWholeStack(env, ONE_OF_EACH);
}, 180_000);
afterAll(async () => {
  receiver.close();
  site.close();
  mail.close();
  await stack.stop();
}, 60_000);

const ASK = 'The code that Acme sent by SMS';
const TYPES_CODE = ['Type "${code}" into Code and click "Verify"', 'Expect "Signed in"'];

async function start(steps: string[], secrets: Record<string, Partial<SecretInput>>): Promise<string> {
  const { sessionId } = await stack.client.start({
    steps,
    secrets: Object.fromEntries(
      Object.entries(secrets).map(([alias, secret]) => [alias, { origins: [site.url], ...secret }]),
    ),
    config: {
      aiConfig: { model: 'rules' },
      webhook: { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/` },
    },
  });
  return sessionId;
}

const startWithCode = (within = '10m') => start([`Open ${site.url}/`, ...TYPES_CODE], { code: { ask: ASK, within } });

async function askedBy(sessionId: string): Promise<AskedSecret> {
  return await eventually(
    'the question',
    async () => {
      const { waitingFor, error } = await stack.client.get(sessionId);
      if (error !== null) return Promise.reject(new Error(error.message));
      return waitingFor?.pausedFor === 'secret' ? waitingFor.secret : undefined;
    },
    90_000,
  );
}

async function answer(sessionId: string, body: object): Promise<{ status: number; text: string }> {
  const sent = await fetch(`${stack.api}/v1/sessions/${sessionId}/answer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: sent.status, text: await sent.text() };
}

/** Histories, tables, files, logs and events have none of these. */
async function keepsNothingOf(sessionId: string, hidden: readonly string[]): Promise<void> {
  const history = await stack.engineTemporal.workflow.getHandle(sessionId).fetchHistory();
  const events = await fetch(`${stack.api}/v1/sessions/${sessionId}/events?actions=s1`, {
    headers: { accept: 'text/event-stream' },
  });
  const places: Record<string, string[]> = {
    history: textsIn(history),
    tables: await everyRow(stack.databaseUrl),
    artifacts: filesIn(join(stack.home, 'artifacts')),
    output: filesIn(join(stack.home, 'logs')),
    events: [await events.text(), JSON.stringify(await stack.logOf(sessionId)), JSON.stringify(reports)],
  };
  for (const [place, texts] of Object.entries(places))
    for (const each of hidden)
      expect({ place, each, found: texts.filter((text) => text.includes(each)) }).toEqual({ place, each, found: [] });
}

const reported = (sessionId: string, type: string) =>
  eventually(type, () => reports.find((each) => each.type === type && each.data.sessionId === sessionId), 60_000);

test('a code is waited for through the death of every process, taken once, typed, and kept nowhere', async () => {
  site.codes.add('k48-39-20z');
  const sessionId = await startWithCode();
  const { questionId, expiresAt, ...asked } = await askedBy(sessionId);
  expect(asked).toEqual({ alias: 'code', ask: ASK, as: 'code', origins: [site.url] });
  expect(await reported(sessionId, 'question.asked')).toMatchObject({
    data: { question: { pausedFor: 'secret', message: expect.stringContaining(ASK) as string, expiresAt } },
  });
  const inbox = (await (await fetch(`${stack.api}/v1/approvals`)).json()) as { data: object[] };
  expect(inbox.data).toMatchObject([{ kind: 'secret', sessionId, secret: { questionId } }]);
  await killAndAwait(stack, everything(stack));
  const handle = stack.engineTemporal.workflow.getHandle(sessionId);
  const bare = await handle
    .executeUpdate('answerSecret', { args: [{ questionId, value: 'by-temporal-1' }] as [object] })
    .catch((error: { cause?: Error }) => error.cause?.message);
  expect(bare).toContain('a history would keep it');
  const refused = await eventually(
    'the API answers',
    () => answer(sessionId, { questionId: 'other.code', value: 'k0' }).catch(() => undefined),
    60_000,
  );
  expect(refused).toMatchObject({ status: 409, text: expect.stringContaining('The first answer counts') as string });
  expect(await answer(sessionId, { questionId, value: ' k48-39-20z ' })).toMatchObject({ status: 202 });
  expect(await answer(sessionId, { questionId, value: 'second-77' })).toMatchObject({ status: 409 });
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  expect(site.arrived).toEqual([{ value: 'k48-39-20z', isRight: true }]);
  expect(await reported(sessionId, 'question.ended')).toMatchObject({ data: { ending: { how: 'answered' } } });
  await keepsNothingOf(sessionId, ['k48-39-20z', 'by-temporal-1', 'second-77']);
});

test('a code by mail is looked for through the death of its worker, given once, and kept nowhere', async () => {
  site.codes.add('48391077');
  const mailbox = { host: '127.0.0.1', port: mail.port, tls: false, user: mail.user, from: '@acme.test' };
  const code = { ask: ASK, mailbox: { ...mailbox, password: { value: mail.password } } };
  const sessionId = await start([`Open ${site.url}/`, ...TYPES_CODE], { code });
  expect(await askedBy(sessionId)).toMatchObject({ mailbox: `the mailbox ${mail.user} at 127.0.0.1` });
  await eventually('the mailbox is looked into', () => mail.connections > 0, 60_000);
  mail.deliver({ body: '<p>Your code is <b>4839</b><b>1077</b></p>' });
  await killAndAwait(stack, ['engine-1']);
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  expect(site.arrived.at(-1)).toEqual({ value: '48391077', isRight: true });
  const answers = (await stack.client.messages(sessionId)).filter(({ name }) => name === 'answerSecret');
  expect(answers).toMatchObject([{ state: 'applied' }]);
  await keepsNothingOf(sessionId, ['48391077', mail.password]);
});

test('a code that the site refuses is asked for again, and a terminal and a page answer', async () => {
  site.codes.add('right-31');
  const sessionId = await start([`Open ${site.url}/`, TYPES_CODE[0]!, 'Expect "That code is wrong"', ...TYPES_CODE], {
    code: { ask: ASK },
  });
  const first = await askedBy(sessionId);
  const env = { SUREFOOT_HOME: stack.home, DATABASE_URL: stack.databaseUrl, TEMPORAL_ADDRESS: stack.temporalAddress };
  expect((await runCli(['approvals'], { env })).stdout).toContain(`surefoot answer ${sessionId}`);
  expect(await runCli(['answer', sessionId], { env, input: 'wrong-31\n' })).toMatchObject({ exitCode: 0 });
  const second = await eventually('the next question', async () => {
    const asked = await askedBy(sessionId);
    return asked.questionId === first.questionId ? undefined : asked;
  });
  expect(second.alias).toBe('code');
  const browser = await chromium.launch({ executablePath: stack.chromiumPath, args: ['--no-sandbox'] });
  try {
    const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
    const [api, key] = stack.stack.addresses.page!.split('/#');
    await page.goto(`${api}/waiting/${sessionId}#${key}`);
    const question = page.getByRole('region', { name: `Question: ${ASK}` });
    await question.getByText(site.url).waitFor({ timeout: 60_000 });
    expect(await violations(page)).toEqual([]);
    await question.getByLabel('The code').fill('right-31');
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached', timeout: 60_000 });
  } finally {
    await browser.close();
  }
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  expect(site.arrived.slice(-2)).toEqual([
    { value: 'wrong-31', isRight: false },
    { value: 'right-31', isRight: true },
  ]);
  await keepsNothingOf(sessionId, ['wrong-31', 'right-31']);
});

test('a question ends with its time: the session fails and says why, and a late answer is refused', async () => {
  const sessionId = await startWithCode('1s');
  expect(await endOf(stack, sessionId)).toBe('FAILED');
  const { error } = await stack.client.get(sessionId);
  expect(error?.message).toContain(`Nobody has answered within 1s what was asked for \${code}: ${ASK}`);
  expect(await reported(sessionId, 'question.ended')).toMatchObject({ data: { ending: { how: 'expired' } } });
  expect(await answer(sessionId, { value: 'late-4471' })).toMatchObject({ status: 409 });
  await keepsNothingOf(sessionId, ['late-4471']);
});

test('a link is opened at its own origins alone, also after a wait that has released the browser', async () => {
  site.tokens.add('t0ken-9f3a1c');
  const sessionId = await start([`Open ${site.url}/`, 'Open ${link}', 'Expect "Signed in by link"'], {
    link: { ask: 'The link in the mail of Acme', as: 'link' },
  });
  await askedBy(sessionId);
  const elsewhere = await answer(sessionId, { value: 'https://evil.example/link?token=t0ken-9f3a1c' });
  expect(elsewhere).toMatchObject({ status: 400, text: expect.stringContaining(`expected an address of ${site.url}`) });
  expect(elsewhere.text).not.toContain('t0ken');
  const isReleased = async () =>
    (await stack.client.events(sessionId, 0, 1000)).some(({ data }) => data.details?.['browser'] === 'given-back');
  await eventually('the browser is released', isReleased, 60_000);
  expect(await answer(sessionId, { value: `${site.url}/link?token=t0ken-9f3a1c` })).toMatchObject({ status: 202 });
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  expect(site.arrived.at(-1)).toEqual({ value: 't0ken-9f3a1c', isRight: true });
  await keepsNothingOf(sessionId, ['t0ken-9f3a1c']);
});

test('a link where the session may not go is not opened', async () => {
  const sessionId = await start(['Open ${link}'], {
    link: { ask: 'The link', as: 'link', origins: ['http://127.0.0.1:1'] },
  });
  await askedBy(sessionId);
  expect(await answer(sessionId, { value: 'http://127.0.0.1:1/?t=1' })).toMatchObject({ status: 202 });
  expect(await endOf(stack, sessionId)).toBe('FAILED');
  const { error } = await stack.client.get(sessionId);
  expect(error?.message).toContain('http://127.0.0.1:1');
});
