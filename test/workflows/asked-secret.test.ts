/** A command that needs the value of a secret that a person has: the session asks, waits, and runs the batch again. */
import type { WorkflowUpdateFailedError } from '@temporalio/client';
import type { RunCommandsInput } from '../../activities/signatures/browser-activities';
import { eventually } from '../support/eventually';
import { aLease, planned, ran, says, type Script } from '../support/fake-activities';
import { useWorkflowHarness, type Session } from '../support/workflow-harness';

const harness = useWorkflowHarness();

const asks = { alias: 'code', commandId: 'c1' };
const questionId = 'c1.code';
const needsCode = async (input: RunCommandsInput) => ({ ...ran(input, 'done', true), asks });
const secrets = { code: { ask: 'The code by SMS', within: '10m', origins: ['https://shop.test'] } };

function start(runCommands: Script['runCommands'], more: Partial<Script> = {}, secret: object = {}): Promise<Session> {
  return harness.start(
    { steps: ['Type the code'], secrets: { code: { ...secrets.code, ...secret } } },
    { decide: [says('PROCEED', [planned('c1')]), says('PROCEED')], runCommands: runCommands ?? [], ...more },
  );
}

/** As the service sends it: the id of the update is that of the message. */
const answerAs = (session: Session, messageId: string, input: object = { messageId, questionId }) =>
  session.handle.executeUpdate('answerSecret', { updateId: messageId, args: [input] as [object] });

const refusalOf = (sent: Promise<unknown>): Promise<string | undefined> =>
  sent.then(
    () => undefined,
    (error: unknown) => (error as WorkflowUpdateFailedError).cause?.message,
  );

const batches = (session: Session) => session.seen.batches.length;

test('the question is in the row and in the log, the first answer counts, and the batch is run again', async () => {
  const session = await start([needsCode]);
  await session.published('WORKFLOW_PAUSED');
  const asked = session.seen.log.find(({ type }) => type === 'WORKFLOW_PAUSED')!;
  const secret = { questionId, alias: 'code', ask: 'The code by SMS', as: 'code', origins: ['https://shop.test'] };
  expect(asked.data.details).toMatchObject({ pausedFor: 'secret', secret });
  expect(asked.data.message).toContain(`surefoot answer ${session.workflowId}`);
  expect(session.seen.patches.at(-1)).toMatchObject({ status: 'PAUSED', waitingFor: { pausedFor: 'secret', secret } });
  expect(await refusalOf(answerAs(session, 'm0', { messageId: 'm0', questionId: 'c0.code' }))).toContain(
    'not waiting for it',
  );
  expect(await refusalOf(answerAs(session, 'm1', { questionId, value: '123456' }))).toContain(
    'a history would keep it',
  );
  expect(await refusalOf(answerAs(session, 'm2', { messageId: 'other', questionId }))).toContain(
    'a history would keep it',
  );
  await session.handle.signal('answerSecret', { questionId, value: '654321' });
  expect(await refusalOf(session.handle.executeUpdate('resume'))).toContain('The code by SMS');
  const settled = await Promise.allSettled([answerAs(session, 'm3'), answerAs(session, 'm4')]);
  expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  await session.keepHistory('asked-secret');
  expect(batches(session)).toBe(2);
  expect(session.seen.patches.find(({ waitingFor }) => waitingFor === null)).toMatchObject({ status: 'ACTIVE' });
});

test('without an answer in time the step fails, and says what was asked', async () => {
  const session = await start([needsCode], {}, { within: '1s' });
  expect(await session.failure()).toMatchObject({
    message: expect.stringContaining(
      'Nobody has answered within 1s what was asked for ${code}: The code by SMS',
    ) as string,
  });
  expect(batches(session)).toBe(1);
  expect(session.seen.patches.find(({ waitingFor }) => waitingFor === null)).toMatchObject({ status: 'ACTIVE' });
});

const mailbox = { host: 'imap.test', user: 'robot', password: { env: 'MAIL' }, from: '@shop.test' };

test('a mailbox is looked into until it answers, and what is wrong with it is reported once', async () => {
  const trouble = { kind: 'unreachable', isFinal: false, message: 'The server is away.' };
  const reported: unknown[] = [];
  const session = await start(
    [needsCode],
    { lookInMailbox: [{ trouble }, async (input) => (reported.push(input.reported), {})] },
    { mailbox },
  );
  await eventually('it has looked twice', () => reported.length === 1);
  const asked = session.seen.log.find(({ type }) => type === 'WORKFLOW_PAUSED')!;
  expect(asked.data.message).toContain('The engine looks for it in the mailbox robot at imap.test too.');
  expect(reported).toEqual([['unreachable']]);
  await answerAs(session, 'm1', { messageId: 'm1', questionId, isFromMailbox: true });
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  const messages = session.seen.log.map(({ data }) => data.message ?? data.warning?.message);
  expect(messages).toContain('The server is away. A person can answer.');
  expect(messages).toContain('What was asked for ${code} has come to the mailbox robot at imap.test.');
});

test('a person answers while a mailbox is looked into, and one that refuses is in the reason of a failure', async () => {
  const trouble = { kind: 'refused', isFinal: true, message: 'It has refused the password.' };
  const looks = Promise.withResolvers<void>();
  const never = async (_: unknown, { signal }: { signal: AbortSignal }) => {
    looks.resolve();
    return await new Promise<never>((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason)));
  };
  const session = await start([needsCode], { lookInMailbox: [never] }, { mailbox });
  await looks.promise;
  await answerAs(session, 'm1');
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  const refused = await start([needsCode], { lookInMailbox: [{ trouble }] }, { mailbox, within: '2s' });
  expect(await refused.failure()).toMatchObject({
    message: expect.stringContaining('The code by SMS It has refused the password.') as string,
  });
  expect(refused.seen.calls.filter((call) => call.startsWith('lookInMailbox'))).toHaveLength(1);
});

test('a wait that lasts releases the browser; on a page that has changed the model decides anew', async () => {
  const session = await start([needsCode], {
    decide: [says('PROCEED', [planned('c1')]), says('PROCEED', [planned('c2')]), says('PROCEED')],
    acquireBrowser: [async () => aLease(), async () => aLease({ epoch: 2, isPageChanged: true })],
    pauseReleaseMs: 20,
  });
  const news = () => session.seen.log.flatMap(({ data }) => (data.details?.['browser'] as unknown) ?? []);
  await eventually('the browser is released', () => news().includes('given-back'));
  await answerAs(session, 'm1');
  expect(await session.handle.result()).toMatchObject({ status: 'COMPLETED' });
  expect(session.seen.batches.map(({ lease, commands }) => [lease.epoch, commands[0]?.commandId])).toEqual([
    [1, 'c1'],
    [2, 'c2'],
  ]);
});
