/** The answer of a question in a mailbox: a real IMAP server, and the store. */
import { randomUUID } from 'node:crypto';
import type { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createMailboxActivities } from '../../../activities/engine/mailbox/look-in-mailbox';
import type { LookInMailboxOutput } from '../../../activities/signatures/mailbox-activities';
import type { MailboxInput } from '../../../contracts/sessions/mailbox';
import type { SecretInput } from '../../../contracts/sessions/secrets';
import type { Store } from '../../../store/store';
import { aPlan } from '../../support/builders';
import { startMailServer, type MailServer } from '../../support/mail-server';
import { useStoreSession } from '../../support/store-session';

const ORIGIN = 'https://acme.test';
let store: Store;
/** All that a test delivers comes behind this, however busy the machine is. */
let begunAt: string;
let mail: MailServer;
useStoreSession((ready) => ({ store } = ready));
beforeEach(async () => {
  mail = await startMailServer();
  begunAt = new Date().toISOString();
});
afterEach(() => mail.close());

interface Question {
  sessionId: string;
  look(questionId?: string): Promise<LookInMailboxOutput | string>;
  given: { questionId: string; value: string }[];
}

async function aQuestion(
  more: Partial<MailboxInput> = {},
  secret: Partial<SecretInput> = {},
  reported: string[] = [],
): Promise<Question> {
  const { port, user } = mail;
  const mailbox = { host: '127.0.0.1', port, tls: false, user, password: { value: mail.password }, from: '@acme.test' };
  const asked = { ...mailbox, ...more };
  const code = { ask: 'The code', origins: [ORIGIN], mailbox: asked, ...secret };
  const plan = aPlan({ steps: ['Type the code'], secrets: { code } });
  const sessionId = randomUUID();
  const { value } = asked.password;
  const values = value === undefined ? {} : { code: value };
  await store.sessions.create({ sessionId, workflowId: sessionId, plan, secretValues: values });
  const given: Question['given'] = [];
  const { lookInMailbox } = createMailboxActivities({
    store,
    env: { MAIL_PASSWORD: mail.password },
    readReference: async () => mail.password,
    answerSecret: async (_, answer) => void given.push(answer),
  });
  const look: Question['look'] = async (questionId = 'c1.code') => {
    const input = { sessionId, alias: 'code', questionId, askedAt: begunAt, reported };
    const environment = new MockActivityEnvironment(
      { workflowExecution: { workflowId: sessionId, runId: 'run-1' } },
      { logger: new DefaultLogger('ERROR') },
    );
    const looking: Promise<LookInMailboxOutput> = environment.run(() => lookInMailbox(input));
    return await looking.catch(({ message, nonRetryable, category }: ApplicationFailure) => {
      if (nonRetryable !== true && category === 'BENIGN') return message;
      throw new Error(`It fails: ${message}`);
    });
  };
  return { sessionId, look, given };
}

test.each([
  ['in a sentence', 'Hello Ada,\n\nyour code is 482913. It ends in 10 minutes, on 2026-11-28 at 10:15.\n', '482913'],
  ['alone in its line', 'Your code:\n\n482 913\n\nOrder 88731 of 12.50 EUR. Call +49 30 901820 for help.', '482913'],
  ['behind a prefix', 'G-482913 is your verification code.\n\nAcme, 10115 Berlin', '482913'],
  ['of letters and digits', 'Enter the code K48Z-39QA to go on.', 'K48Z-39QA'],
  ['beside an address', 'Use 482913, or open https://acme.test/x/777777?y=888888', '482913'],
  [
    'in markup, a digit a cell',
    '<html><head><title>1111</title><style>.a{width:600000px}</style></head><body><!-- 222222 --><p>Your&nbsp;code</p><table><tr><td><b>4</b></td><td>8</td><td>2</td><td>9</td></tr></table><p style="color:#123456">&copy; 2026 Acme</p></body></html>',
    '4829',
  ],
  ['split by markup', '<p>Use <span>482</span><span>913</span> as the code</p>', '482913'],
])('a code %s is found, and given as the answer', async (_, body, code) => {
  const question = await aQuestion();
  mail.deliver({ body });
  expect(await question.look()).toEqual({});
  expect(question.given).toEqual([{ questionId: 'c1.code', value: code }]);
});

test('a link of the origins is found in text and markup, and `near` chooses between several', async () => {
  const body = `<p><a href="${ORIGIN}/">Acme</a> <a href="https://evil.test/verify?t=1">x</a> <a class="b" href='${ORIGIN}/verify?t=a1&amp;u=2'>Sign in</a></p>`;
  const question = await aQuestion({}, { as: 'link' });
  mail.deliver({ body });
  expect(await question.look()).toEqual({});
  expect(question.given).toMatchObject([{ value: `${ORIGIN}/verify?t=a1&u=2` }]);
  const second = await aQuestion({}, { as: 'link' });
  mail.deliver({ body: `Sign in: ${ORIGIN}/verify?t=b2.\nNo mail any more: ${ORIGIN}/unsubscribe?t=b3` });
  expect(await second.look()).toMatchObject({ trouble: { kind: 'several' } });
  const third = await aQuestion({ near: '/verify' }, { as: 'link' });
  expect(await third.look()).toEqual({});
  expect(third.given).toMatchObject([{ value: `${ORIGIN}/verify?t=b2` }]);
});

test('mails that are older, of others, or about something else are passed over', async () => {
  const question = await aQuestion({ subject: 'sign in' });
  mail.deliver({ body: 'Your code is 111111', at: new Date(Date.now() - 600_000) });
  mail.deliver({ body: 'Your code is 222222', from: 'Acme <no-reply@acme.test.evil.test>' });
  mail.deliver({ body: 'Your code is 333333', subject: 'Your order' });
  expect(await question.look()).toContain('No mail of @acme.test has come yet');
  mail.deliver({ body: 'Welcome back.' });
  expect(await question.look()).toContain(`have no code for ${ORIGIN}`);
  mail.deliver({ body: 'Your code is 444444' });
  mail.deliver({ body: 'Your code is 555555', subject: 'Sign in again' });
  expect(await question.look()).toEqual({});
  expect(question.given).toMatchObject([{ value: '555555' }]);
});

test('a mail answers one question, and that one again after the death of a worker', async () => {
  const [one, other] = [await aQuestion(), await aQuestion()];
  mail.deliver({ body: 'Your code is 666666' });
  expect([await one.look(), await one.look()]).toEqual([{}, {}]);
  expect(one.given.map(({ value }) => value)).toEqual(['666666', '666666']);
  expect(await other.look()).toContain('No mail');
  expect(await one.look('c2.code')).toContain('No mail');
  mail.deliver({ body: 'Your code is 777777' });
  expect([await other.look(), other.given]).toEqual([{}, [{ questionId: 'c1.code', value: '777777' }]]);
});

test('a newest mail with several codes is left to a person, unless `near` says which', async () => {
  const body = 'The code of Ada is 111111.\nThe code of Bob is 222222.';
  const question = await aQuestion();
  mail.deliver({ body });
  const { trouble } = (await question.look()) as LookInMailboxOutput;
  expect(trouble).toMatchObject({ kind: 'several', isFinal: false });
  expect(trouble!.message).toContain('has 2 that may be the code, so a person answers');
  expect(trouble!.message).not.toMatch(/\d{6}/);
  expect(await (await aQuestion({}, {}, ['several'])).look()).toContain('has 2 that may be the code');
  const named = await aQuestion({ near: 'code of Bob' });
  expect(await named.look()).toEqual({});
  expect([question.given, named.given]).toMatchObject([[], [{ value: '222222' }]]);
});

test('what is wrong with a mailbox comes back as a sentence without its password', async () => {
  const of = async (more: Partial<MailboxInput>) => (await (await aQuestion(more)).look()) as LookInMailboxOutput;
  const name = `${mail.user} at 127.0.0.1`;
  expect(await of({ password: { value: 'wrong-pass-9' } })).toEqual({
    trouble: {
      kind: 'refused',
      isFinal: true,
      message: expect.stringContaining(`the mailbox ${name} has refused the user or the password`) as string,
    },
  });
  expect(await of({ password: { env: 'NONE' } })).toMatchObject({
    trouble: { isFinal: true, message: expect.stringContaining('NONE is not set at the engine worker') as string },
  });
  expect(await of({ password: { env: 'MAIL_PASSWORD' }, folder: 'Codes' })).toMatchObject({
    trouble: { isFinal: true, message: `There is no folder Codes in the mailbox ${name}.` },
  });
  expect(await of({ port: 1 })).toEqual({
    trouble: { kind: 'unreachable', isFinal: false, message: expect.stringContaining('ECONNREFUSED') as string },
  });
  const all = JSON.stringify(await of({ password: { value: 'wrong-pass-9' } }));
  expect(all).not.toContain('wrong-pass-9');
});
