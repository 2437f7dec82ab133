/** A mail that a session has failed: what it says, and what becomes of it at a real SMTP server. */
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { batchFailureMail, failureMail } from '../../../activities/engine/webhooks/failure-mail';
import { sendMail } from '../../../activities/engine/webhooks/send-mail';
import type { Batch, BatchRow } from '../../../contracts/batches/batch';
import type { SessionRow } from '../../../store/sessions/sessions';
import { startSmtpServer, type SmtpServer } from '../../support/smtp-server';

const TO = 'ops@acme.test';
const from = 'surefoot@acme.test';
const MAIL = {
  id: 'may:7-mail-1',
  to: TO,
  at: new Date('2026-01-02T03:04:05Z'),
  subject: 'Failed: Café',
  text: 'Why: …',
};
const never = new AbortController().signal;

let smtp: SmtpServer;
beforeAll(async () => {
  smtp = await startSmtpServer();
});
afterAll(() => smtp.close());

const send = (server: string | undefined = smtp.url) => sendMail({ server, from, recipients: [] }, MAIL, never);

test('a mail says which session failed, why, what to do and where to look, each on one line', () => {
  const row = {
    sessionId: 's',
    plan: { name: 'Order\r\nBcc: all@acme.test', steps: [{ instruction: 'Open x' }, { instruction: 'Click "Buy"' }] },
    error: { code: 'SP013', message: 'No button\n"Buy"\u0007 is shown', suggestedAction: 'Write the step anew.' },
    createdAt: new Date('2026-01-02T03:00:00Z'),
    currentStep: 1,
  } as unknown as SessionRow;
  const failure = { completedSteps: 1, failedAt: MAIL.at, pageUrl: 'https://surefoot.test' };
  const { subject, text } = failureMail(row, failure);
  expect(subject).toBe('Failed: Order Bcc: all@acme.test');
  expect(text.split('\n\n')).toEqual([
    'The session “Order Bcc: all@acme.test” has failed.',
    expect.stringMatching(/^Why: No button "Buy".* is shown \(SP013\)$/),
    'In step 2 of 2: Click "Buy"',
    'What to do: Write the step anew.',
    'Look at it: https://surefoot.test/sessions/s\nIn a terminal: surefoot show s',
    'Done: 1 of 2 steps. Begun 2026-01-02 03:00:00 UTC, failed 2026-01-02 03:04:05 UTC.\n',
  ]);
  expect(failureMail(row, { ...failure, pageUrl: undefined }).text).not.toContain('Look at it');
});

test('a mail of a batch says how many rows failed, and of the first ten which, why and where to look', () => {
  const failed = Array.from({ length: 12 }, (_, index) => ({
    row: 12 - index,
    state: 'failed',
    sessionId: `s${12 - index}`,
    reason: 'No button\r\n"Pay"',
  })) as BatchRow[];
  const rows = { completed: 5, failed: 12, 'already-done': 2, invalid: 1, cancelled: 0, running: 0, waiting: 0 };
  const batch = { id: 'may', state: 'completed', total: 20, rows, createdAt: MAIL.at, endedAt: MAIL.at } as Batch;
  const { subject, text } = batchFailureMail(batch, { failed, pageUrl: 'https://surefoot.test' });
  expect(subject).toBe('Failed: 13 of 20 rows of may');
  const time = '2026-01-02 03:04:05 UTC';
  expect(text.split('\n\n')).toEqual([
    'The batch “may” has ended with failed rows.',
    'Of 20 rows: 5 completed, 12 failed, 2 already done, 1 invalid.',
    ...Array.from({ length: 10 }, (_, index) => index + 1).map(
      (row) => `Row ${row}: No button "Pay"\nhttps://surefoot.test/sessions/s${row}`,
    ),
    '… and 3 more.',
    'In a terminal: surefoot batch show may\nRun those that failed again: surefoot batch retry may',
    `Begun ${time}, ended ${time}.\n`,
  ]);
});

test('a server that takes a mail gets it with an id that is the same in every attempt', async () => {
  for (let attempt = 0; attempt < 2; attempt++) expect(await send()).toEqual({ kind: 'taken' });
  const mails = await smtp.mails();
  expect(mails.map(({ to, mail }) => [to, mail.from?.address, mail.messageId, mail.subject, mail.date])).toEqual(
    Array(2).fill([TO, from, '<may-7-mail-1@acme.test>', 'Failed: Café', '2026-01-02T03:04:05.000Z']),
  );
});

test('a mail is tried again unless the server says for good that it takes none for the address', async () => {
  smtp.refuse(TO, { code: 451, says: 'Come again later' }, { code: 550, says: 'No such user' });
  expect(await send()).toEqual({ kind: 'missed', reason: expect.stringContaining('Come again later') });
  expect(await send()).toEqual({ kind: 'refused', reason: expect.stringContaining('No such user') });
});

test('a password that the server refuses, and one that it repeats, are in no reason', async () => {
  const end = await send(smtp.url.replace('4711', '9999'));
  expect(end).toEqual({ kind: 'missed', reason: expect.stringMatching(/^127\.0\.0\.1:\d+: .*535/) });
  expect(JSON.stringify(end)).not.toMatch(/9999|smtp pass/);
});

test('a server that is not there, and one that is no mail server, are tried again', async () => {
  const strange = createServer(
    (socket) =>
      void socket
        .on('error', () => {})
        .resume()
        .end('HTTP/1.1 400 Bad Request\r\n\r\n'),
  );
  strange.listen(0, '127.0.0.1');
  await once(strange, 'listening');
  const { port } = strange.address() as AddressInfo;
  expect(await send(`smtps://u:secret@127.0.0.1:${port}`)).toMatchObject({ kind: 'missed' });
  expect(await send(`smtp://u:secret@127.0.0.1:${port}`)).toMatchObject({ kind: 'missed' });
  await new Promise((resolve) => strange.close(resolve));
  expect(await send(`smtp://127.0.0.1:${port}`)).toEqual({
    kind: 'missed',
    reason: expect.stringContaining('ECONNREFUSED'),
  });
  expect(await sendMail({ server: undefined, from, recipients: [] }, MAIL, never)).toMatchObject({ kind: 'missed' });
});
