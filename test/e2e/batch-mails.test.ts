/** A batch that ends with failed rows is reported by mail, by the whole product to a real SMTP server; a worker is killed. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApiClient } from '../../client/http/api-client';
import { runCli } from '../cli/cli-process';
import { eventually } from '../support/eventually';
import { killAndAwait } from '../support/kill';
import { startSmtpServer, type SmtpServer } from '../support/smtp-server';
import { startWholeStack, type WholeStack } from '../support/whole-stack';

let stack: WholeStack;
let smtp: SmtpServer;
let mailSettings: Record<string, string>;
beforeAll(async () => {
  smtp = await startSmtpServer();
  mailSettings = { SUREFOOT_SMTP_URL: smtp.url, SUREFOOT_MAIL_FROM: 'surefoot@acme.test' };
  const wanted = /^(engine-1|keeper|browser-1|shop|api)$/;
  stack = await startWholeStack(
    { ...mailSettings, SUREFOOT_PAGE_URL: 'https://surefoot.example/' },
    { wants: (name) => wanted.test(name) },
  );
}, 180_000);
afterAll(async () => {
  await smtp.close();
  await stack.stop();
}, 60_000);

const api = () => createApiClient(stack.api);
const request = (more: object = {}) => ({
  steps: [`Open ${stack.shop}/parts/counter`, 'Click "${button}"'],
  config: { executorConfig: { screenshotsEnabled: false }, ...more },
});
const mailsTo = async (address: string) => (await smtp.mails()).flatMap(({ to, mail }) => (to === address ? mail : []));

async function endOf(id: string) {
  return await eventually(
    `the end of ${id} and of its mails`,
    async () => {
      const batch = await api().showBatch(id);
      return batch.endedAt === undefined || batch.mails.some(({ status }) => status === 'pending') ? undefined : batch;
    },
    240_000,
  );
}

test('a batch with failed rows sends one mail that says which and why; its sessions send none', async () => {
  const file = join(stack.home, 'count.json');
  writeFileSync(file, JSON.stringify(request()));
  const csv = 'button\nAdd one\nNonesuch\n""\nNo such either\n';
  const { exitCode, stdout, stderr } = await runCli(
    ['batch', 'start', file, '--rows', '-', '--id', 'may', '--mail-on-failure', 'ops@acme.test'],
    {
      input: csv,
      env: {
        ...mailSettings,
        SUREFOOT_HOME: stack.home,
        DATABASE_URL: stack.databaseUrl,
        TEMPORAL_ADDRESS: stack.temporalAddress,
      },
    },
  );
  expect([exitCode, stdout, stderr]).toEqual([0, expect.stringContaining('The batch may is started'), '']);
  expect(await endOf('may')).toMatchObject({
    rows: { completed: 1, failed: 2, invalid: 1 },
    mails: [{ to: 'ops@acme.test', status: 'delivered', attempts: 1, warning: null }],
  });
  const [mail, ...others] = await mailsTo('ops@acme.test');
  expect([mail!.subject, others]).toEqual(['Failed: 3 of 4 rows of may', []]);
  const text = mail!.text!.replace(/\s+/g, ' ');
  expect(text).toContain('Of 4 rows: 1 completed, 2 failed, 0 already done, 1 invalid.');
  const failed = (await api().listBatchRows('may')).filter(({ state }) => state !== 'completed');
  for (const { row, reason } of failed)
    expect(text).toContain(`Row ${row}: ${reason!.replace(/\s+/g, ' ').slice(0, 60)}`);
  expect(text).toContain(`https://surefoot.example/sessions/${failed[0]!.sessionId}`);
  expect(text).toContain('surefoot batch show may');
}, 400_000);

test('a mail that is with the server when its worker is killed arrives, under the same Message-ID', async () => {
  const [ops, own] = ['held@acme.test', 'row@acme.test'];
  const isHeld = smtp.hold(ops);
  await api().startBatch({
    id: 'june',
    rows: [{ button: 'Nonesuch' }, { button: 'Add one' }],
    // What the request says of its sessions holds for each of them.
    request: request({ report: { mail: [own] } }),
    report: { mail: [ops] },
  });
  await isHeld;
  await killAndAwait(stack, ['engine-1']);
  expect(await endOf('june')).toMatchObject({ mails: [{ to: ops, status: 'delivered', attempts: 2 }] });
  const mails = await mailsTo(ops);
  expect(mails.map(({ subject }) => subject)).toEqual(Array(2).fill('Failed: 1 of 2 rows of june'));
  expect(new Set(mails.map(({ messageId, text }) => `${messageId} ${text}`)).size).toBe(1);
  const [first] = await eventually(
    'the mail of the row',
    async () => {
      const found = await mailsTo(own);
      return found.length > 0 ? found : undefined;
    },
    60_000,
  );
  expect(first!.subject).toMatch(/^Failed: Open http/);
}, 400_000);
