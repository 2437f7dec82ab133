/**
 * What happens to a session reported to a webhook, by the whole product to a receiver of the test's own: signed as Standard
 * Webhooks says, again after errors and after the death of a worker with the same id, and never at the session's cost.
 */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ToolConfirmationOutcome } from '../../contracts/approvals/confirmation-outcome';
import type { WebhookDelivery } from '../../contracts/sessions/webhook';
import type { MailDelivery } from '../../contracts/sessions/failure-report';
import { eventually } from '../support/eventually';
import { everyRow } from '../support/every-row';
import { killAndAwait } from '../support/kill';
import { startSmtpServer, type SmtpServer } from '../support/smtp-server';
import { filesIn } from '../support/texts-in';
import { endOf, startWholeStack, type WholeStack } from '../support/whole-stack';

const KEY = Buffer.from('a secret of 30 bytes and more!!!');
const QUICK = { aiConfig: { model: 'rules' }, executorConfig: { screenshotsEnabled: false } };

interface Delivery {
  headers: IncomingHttpHeaders;
  body: string;
}

/** Its answers to each path in turn: a status, or `hold` for none; 200 after them. */
const answers = new Map<string, (number | 'hold')[]>();
const received = new Map<string, Delivery[]>();
const held = new Set<ServerResponse>();
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const path = request.url!;
    received.set(path, [...of(path), { headers: request.headers, body: Buffer.concat(chunks).toString() }]);
    const answer = answers.get(path)?.shift() ?? 200;
    if (answer === 'hold') held.add(response);
    else response.writeHead(answer, answer === 302 ? { location: '/elsewhere' } : {}).end();
  });
});
const of = (path: string): Delivery[] => received.get(path) ?? [];
const urlOf = (path: string): string => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`;

let stack: WholeStack;
let smtp: SmtpServer;
beforeAll(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  smtp = await startSmtpServer();
  const wanted = /^(engine-1|keeper|browser-1|shop)$/;
  stack = await startWholeStack(
    {
      SUREFOOT_WEBHOOK_SECRET: `whsec_${KEY.toString('base64')}`,
      SUREFOOT_WEBHOOK_ORIGINS: 'http://127.0.0.1:*',
      SUREFOOT_WEBHOOK_ATTEMPTS: '3',
      SUREFOOT_PAGE_URL: 'https://surefoot.example/',
      SUREFOOT_SMTP_URL: smtp.url,
      SUREFOOT_MAIL_FROM: 'surefoot@acme.test',
    },
    { wants: (name) => wanted.test(name) },
  );
}, 180_000);
afterAll(async () => {
  for (const response of held) response.destroy();
  receiver.close();
  await smtp.close();
  await stack.stop();
}, 60_000);

const PRODUCTS = {
  type: 'array',
  items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
};

async function run(url: string, more: object = {}): Promise<{ sessionId: string; status: string }> {
  const { sessionId } = await stack.client.start({
    steps: [`Open ${stack.shop}/parts/counter`],
    config: { ...QUICK, webhook: { url } },
    ...more,
  });
  return { sessionId, status: await endOf(stack, sessionId, 240_000) };
}

async function settled(sessionId: string): Promise<WebhookDelivery> {
  return await eventually(
    'the delivery has an end',
    async () => {
      const { webhook } = await stack.client.get(sessionId);
      return webhook!.status === 'pending' ? undefined : webhook!;
    },
    120_000,
  );
}

function signatureOf({ headers, body }: Delivery): string {
  const signed = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.');
  return `v1,${createHmac('sha256', KEY).update(signed).digest('base64')}`;
}

test('a session that completed reports its result once, signed', async () => {
  const { sessionId, status } = await run(urlOf('/done'), {
    steps: [`Open ${stack.shop}/catalogue`, 'Extract all products with name'],
    result: { schema: PRODUCTS },
  });
  expect(status).toBe('COMPLETED');
  expect(await settled(sessionId)).toEqual({ status: 'delivered', attempts: 1, warning: null });
  const [delivery, ...others] = of('/done');
  expect(others).toEqual([]);
  expect(delivery!.headers['webhook-signature']).toBe(signatureOf(delivery!));
  expect(delivery!.headers['content-type']).toBe('application/json');
  const { result } = await stack.client.get(sessionId);
  expect((result as unknown[]).length).toBeGreaterThan(0);
  const message = JSON.parse(delivery!.body) as { data: object };
  expect(message).toMatchObject({
    type: 'session.completed',
    data: {
      sessionId,
      status: 'COMPLETED',
      completedSteps: 2,
      result,
      resultInfo: { rows: (result as unknown[]).length },
    },
  });
  expect(message.data).not.toHaveProperty('error');
}, 400_000);

test('a receiver that answers 500 twice gets the report a third time, with the same id and body', async () => {
  answers.set('/again', [500, 500]);
  const { sessionId } = await run(urlOf('/again'), { steps: [`Open ${stack.shop}/parts/counter`, 'Click Nonesuch'] });
  expect(await settled(sessionId)).toEqual({ status: 'delivered', attempts: 3, warning: null });
  const deliveries = of('/again');
  expect(deliveries).toHaveLength(3);
  expect(new Set(deliveries.map(({ headers, body }) => [headers['webhook-id'], body].join(' '))).size).toBe(1);
  for (const delivery of deliveries) expect(delivery.headers['webhook-signature']).toBe(signatureOf(delivery));
  const { error } = await stack.client.get(sessionId);
  expect(JSON.parse(deliveries[0]!.body)).toMatchObject({
    type: 'session.failed',
    data: { sessionId, status: 'FAILED', error: { message: error!.message } },
  });
}, 400_000);

test('a receiver that is dead costs the session nothing but a warning that names the origin', async () => {
  const dead = createServer();
  dead.listen(0, '127.0.0.1');
  await once(dead, 'listening');
  const { port } = dead.address() as AddressInfo;
  await new Promise((resolve) => dead.close(resolve));
  const { sessionId, status } = await run(`http://127.0.0.1:${port}/hook?token=not-to-be-shown`);
  expect(status).toBe('COMPLETED');
  const webhook = await settled(sessionId);
  expect(webhook).toMatchObject({ status: 'failed', attempts: 3 });
  expect(webhook.warning).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port} could not be reached`));
  expect(webhook.warning).not.toContain('not-to-be-shown');
  const { session, error } = await stack.client.get(sessionId);
  expect({ status: session.status, error }).toEqual({ status: 'COMPLETED', error: null });
}, 400_000);

test('a redirect is not followed', async () => {
  answers.set('/moved', [302]);
  const { sessionId } = await run(urlOf('/moved'));
  expect(await settled(sessionId)).toMatchObject({ status: 'failed', attempts: 1 });
  expect(of('/elsewhere')).toEqual([]);
}, 400_000);

test('the engine itself is no receiver, also where the operator allows every port of this machine', async () => {
  const { port } = new URL(`http://${stack.temporalAddress}`);
  const { sessionId } = await run(`http://127.0.0.1:${port}/`);
  const webhook = await settled(sessionId);
  expect(webhook).toMatchObject({ status: 'failed', attempts: 1 });
  expect(webhook.warning).toContain('reserved-address');
}, 400_000);

test('a worker that is killed while the receiver has the report reports again with the same id', async () => {
  answers.set('/held', ['hold']);
  const { sessionId, status } = await run(urlOf('/held'));
  // The session has ended although its receiver does not answer.
  expect(status).toBe('COMPLETED');
  await eventually('the receiver has the report', () => of('/held').length > 0, 60_000);
  await killAndAwait(stack, ['engine-1']);
  expect(await settled(sessionId)).toMatchObject({ status: 'delivered', attempts: 2 });
  const deliveries = of('/held');
  expect(new Set(deliveries.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(deliveries).toHaveLength(2);
}, 400_000);

test('a question is reported once, with the place where it is asked, and then that it was answered', async () => {
  answers.set('/asked', ['hold']);
  const { sessionId } = await stack.client.start({
    name: 'Count <once>',
    steps: [`Open ${stack.shop}/parts/counter`, { tool: 'find', args: { query: 'the button Add one' } }],
    config: { ...QUICK, agent: { approvalMode: 'always' }, webhook: { url: urlOf('/asked') } },
  });
  await eventually('the receiver has the question', () => of('/asked').length > 0, 120_000);
  await killAndAwait(stack, ['engine-1']);
  const { approvalId } = (await stack.client.approvals(sessionId))[0] as { approvalId: string };
  await stack.client.decideApproval({ approvalId, outcome: ToolConfirmationOutcome.ProceedOnce, by: 'ada' });
  expect(await endOf(stack, sessionId, 240_000)).toBe('COMPLETED');
  expect(await settled(sessionId)).toMatchObject({ status: 'delivered' });
  const deliveries = await eventually(
    'all three are delivered',
    () => (of('/asked').length >= 4 ? of('/asked') : undefined),
    120_000,
  );
  for (const delivery of deliveries) expect(delivery.headers['webhook-signature']).toBe(signatureOf(delivery));
  const ids = deliveries.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(3);
  // What the killed worker had sent comes again as it was; the report of the end does not wait for that.
  const [first, again, ...more] = deliveries.filter(({ headers }) => headers['webhook-id'] === ids[0]);
  expect([again?.body, more]).toEqual([first!.body, []]);
  const asked = JSON.parse(first!.body) as Report;
  const later = deliveries
    .filter(({ headers }) => headers['webhook-id'] !== ids[0])
    .map(({ body }) => JSON.parse(body) as Report);
  const ended = later.find(({ type }) => type === 'question.ended')!;
  const subject = {
    sessionId,
    title: 'Count <once>',
    page: `https://surefoot.example/waiting/${sessionId}/${approvalId}`,
  };
  expect(asked).toMatchObject({
    type: 'question.asked',
    data: { ...subject, question: { questionId: ids[0], pausedFor: 'approval', approvalId, toolName: 'find' } },
  });
  expect(ended.data).toMatchObject({
    ...subject,
    question: asked.data['question'],
    ending: { how: 'approved', by: 'ada' },
  });
  expect(later.map(({ type }) => type).toSorted()).toEqual(['question.ended', 'session.completed']);
}, 400_000);

interface Report {
  type: string;
  data: Record<string, unknown>;
}

test('a session that failed is reported by mail to each address, again where the server asks for it', async () => {
  const [soon, gone] = ['ops@acme.test', 'gone@acme.test'];
  smtp.refuse(soon, { code: 451, says: 'Come again later' });
  smtp.refuse(gone, { code: 550, says: 'No such user' });
  const { sessionId } = await stack.client.start({
    name: 'Order the tent',
    steps: [`Open ${stack.shop}/parts/counter`, 'Click Nonesuch'],
    config: { ...QUICK, report: { mail: [soon, gone] } },
  });
  expect(await endOf(stack, sessionId, 240_000)).toBe('FAILED');
  const mails = await eventually(
    'both mails have an end',
    async () => {
      const { mails: found } = await stack.client.get(sessionId);
      return found.some(({ status }) => status === 'pending') ? undefined : found;
    },
    120_000,
  );
  expect(mails).toEqual<MailDelivery[]>([
    { to: soon, status: 'delivered', attempts: 2, warning: null },
    { to: gone, status: 'failed', attempts: 1, warning: expect.stringContaining('No such user') },
  ]);
  const { error, webhook } = await stack.client.get(sessionId);
  const [first, ...others] = await smtp.mails();
  expect([first!.to, others, webhook]).toEqual([soon, [], null]);
  const { subject, text } = first!.mail;
  expect(subject).toBe('Failed: Order the tent');
  expect(text).toContain('In step 2 of 2: Click Nonesuch');
  expect(text!.replace(/\s+/g, ' ')).toContain(error!.message.replace(/\s+/g, ' ').slice(0, 60));
  expect(text).toContain(`https://surefoot.example/sessions/${sessionId}`);
  const kept = [...(await everyRow(stack.databaseUrl)), ...filesIn(join(stack.home, 'logs'))];
  expect(kept.filter((each) => /smtp( |%20)pass/.test(each))).toEqual([]);
}, 400_000);

test('a chat gets what its incoming webhooks take', async () => {
  const { sessionId } = await run(urlOf('/chat'), {
    config: { ...QUICK, webhook: { url: urlOf('/chat'), format: 'slack' } },
  });
  expect(await settled(sessionId)).toMatchObject({ status: 'delivered' });
  expect(JSON.parse(of('/chat')[0]!.body)).toMatchObject({
    text: expect.stringMatching(/^Completed: Open http/),
    blocks: expect.arrayContaining([
      { type: 'section', text: { type: 'plain_text', text: 'Steps done: 1.', emoji: false } },
    ]),
  });
}, 400_000);
