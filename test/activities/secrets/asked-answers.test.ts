/** Codes that a person has, at a real page: asked for where they can be typed, and used by one command. */
import { randomUUID } from 'node:crypto';
import { questionIdOf } from '../../../contracts/approvals/asked-secret';
import { SessionStatus } from '../../../contracts/sessions/session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import { a, type StagedSession } from '../../support/browser-session';
import { startSentCodeSite, type SentCodeSite } from '../../support/sent-code-site';

let stage: BrowserStage;
let site: SentCodeSite;
beforeAll(async () => {
  stage = await openBrowserStage();
  site = await startSentCodeSite();
});
afterAll(async () => {
  site.close();
  await stage.stop();
});

const TYPED = a('INPUT_TEXT', { selector: '#code', text: '${code}' });
const VERIFIED = a('CLICK_ELEMENT', { selector: 'role=button[name="Verify"]' });

async function onSite(secret: object = {}): Promise<StagedSession> {
  const session = await stage.newSession({
    secrets: { code: { ask: 'The code by SMS', origins: [site.url], ...secret } },
  });
  await session.open(site.url);
  return session;
}

/** As the service and the workflow leave an answer in the store. */
async function answered({ sessionId }: StagedSession, commandId: string, value: string): Promise<void> {
  const questionId = questionIdOf(commandId, 'code');
  const sealed = stage.store.secrets.sealAnswer(sessionId, questionId, value);
  const messageId = randomUUID();
  const input = { questionId, alias: 'code', sealed };
  await stage.store.controlMessages.create(
    { messageId, sessionId, name: 'answerSecret', requestHash: 'h', input },
    1000,
  );
  const answer = { status: SessionStatus.ACTIVE, pauseRequested: false, totalSteps: 1 };
  await stage.store.controlMessages.settle(messageId, { state: 'applied', answer });
}

test('the batch stops before the command that needs it, goes on with the answer, and the next asks anew', async () => {
  site.codes.add('77-1234');
  const session = await onSite();
  const asking = await session.run([TYPED, VERIFIED]);
  const { commandId, alias } = asking.asks!;
  expect(asking).toMatchObject({ isInterrupted: true, outcomes: [{ commandId, status: 'skipped' }, {}] });
  expect(alias).toBe('code');
  await answered(session, commandId, '77-1234');
  const [redacted] = await stage.store.secrets.ofSession(session.sessionId);
  expect(redacted?.source).toMatchObject({ kind: 'person', answers: [{ value: '77-1234' }] });
  await session.did([TYPED, VERIFIED, a('EXPECT', { text: 'Signed in' })]);
  expect(site.arrived).toEqual([{ value: '77-1234', isRight: true }]);
  await session.open(site.url);
  const again = await session.run([TYPED]);
  expect(again.asks).toMatchObject({ alias: 'code' });
  expect(again.asks!.commandId).not.toBe(commandId);
});

test('nobody is asked where it could not be typed: another origin, no field, another use', async () => {
  const elsewhere = await onSite({ origins: ['https://shop.example'] });
  const session = await onSite();
  for (const [on, draft, message] of [
    [elsewhere, TYPED, 'only typed into fields of https://shop.example'],
    [session, a('INPUT_TEXT', { selector: '#none', text: '${code}' }), '#none'],
    [session, a('EXPECT', { text: '${code}' }), 'only ever typed into a field'],
    [session, a('OPEN_PAGE', { url: '${code}' }), 'only ever typed into a field'],
  ] as const) {
    const { asks, outcomes } = await on.run([draft], { timeoutMs: 500 });
    expect(asks).toBeUndefined();
    expect(outcomes).toMatchObject([{ status: 'failed', message: expect.stringContaining(message) as string }]);
  }
});

test('a browser that is restored does not get the code back into its field', async () => {
  const session = await onSite();
  await answered(session, 'earlier', '31-9988');
  await session.did([TYPED]);
  expect(await session.page().inputValue('#code')).toBe('31-9988');
  await session.releaseBrowser();
  await session.acquire('second');
  expect(await session.page('second').inputValue('#code')).toBe('');
});
