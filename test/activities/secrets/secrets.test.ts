import { setTimeout as delay } from 'node:timers/promises';
import { captureDom } from '../../../activities/browser/pages/capture';
import { withMaskedSecrets } from '../../../activities/browser/pages/screenshots/mask';
import { loadSessionValues } from '../../../activities/secrets/session-values';
import { capturePng } from '../../../activities/browser/pages/screenshots/png';
import { SECRET_MARK } from '../../../contracts/sessions/resources';
import { a, type SessionFacts, type StagedSession } from '../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';

let stage: BrowserStage;
beforeAll(async () => {
  stage = await openBrowserStage();
  Object.assign(stage.env, { SHOP_PASSWORD: SECRET, SHOP_PIN: '7%', SHOP_LONG: `${SECRET} and more` });
});
afterAll(() => stage.stop());

const SECRET = `s3cret <"word" & 'more'>/ü`;
const VARIABLES = { password: { env: 'SHOP_PASSWORD' }, pin: { env: 'SHOP_PIN' }, long: { env: 'SHOP_LONG' } };
/** Pieces that show it through any escaping. */
const PIECES = ['s3cret', 'and more'];

/** One session for all that need the same facts, and ask no more of it than what must hold after any of them. */
function sharing(facts: SessionFacts): (path: string) => Promise<StagedSession> {
  let shared: StagedSession | undefined;
  return async (path) => {
    shared ??= await stage.newSession(facts);
    await shared.open(path);
    return shared;
  };
}
const on = sharing({ variables: VARIABLES });
const onWithoutSecrets = sharing({});

async function everythingStored(session: StagedSession): Promise<string> {
  const [log, journal, snapshot, variables, doms] = await Promise.all([
    session.log(),
    session.journal(),
    session.look(),
    stage.store.variables.ofSession(session.sessionId),
    session.artifacts('dom'),
  ]);
  return JSON.stringify([log, journal, snapshot, variables, doms.map(String)]);
}

function expectNoSecret(text: string): void {
  for (const piece of PIECES) expect(text).not.toContain(piece);
}

const SEARCH = { pattern: 's3cret', folds: [] };

test('a secret typed into a password field and a plain one is published nowhere', async () => {
  const session = await stage.newSession({ variables: VARIABLES });
  await session.open('/parts/form');
  const output = await session.run([
    a('INPUT_TEXT', { selector: '[name=secret]', text: '${password}' }),
    a('INPUT_TEXT', { selector: '#name', text: '${password}' }),
    a('INPUT_TEXT', { selector: '#notes', text: '${long}' }),
    a('INPUT_TEXT', { selector: '#filter', text: '${pin}' }),
    a('CLICK_ELEMENT', { selector: 'role=button[name="Send"]' }),
    a('SAVE_VARIABLE', { selector: '#name', variableName: 'seen' }),
    a('SAVE_VARIABLE', { selector: '[name=secret]', variableName: 'hidden' }),
    a('SAVE_VARIABLE', { selector: '#filter', variableName: 'short' }),
  ]);
  const missed = await session.run([a('EXPECT', { text: 'nowhere to be seen ${password}' })], { timeoutMs: 500 });
  expect(await session.page().inputValue('[name=secret]')).toBe(SECRET);
  expect(output.outcomes.map(({ status }) => status)).toEqual(Array<string>(8).fill('done'));
  expect(missed.outcomes).toMatchObject([{ status: 'failed' }]);
  expectNoSecret(JSON.stringify([output, missed]));
  const stored = await everythingStored(session);
  expectNoSecret(stored);
  expect(stored).toContain(SECRET_MARK);
  for (const name of ['seen', 'hidden', 'short']) expect(await session.variable(name)).toBe(SECRET_MARK);
  const state = await session.keepFailure();
  expectNoSecret(JSON.stringify(state));
  expectNoSecret(await everythingStored(session));
  expect(await session.artifacts('trace')).toEqual([]);
});

test('a secret in an address or a title is redacted there', async () => {
  const session = await on(
    stage.page(
      '/search',
      '<form><label>Search <input name="q"></label></form><script>document.title = location.search</script>',
    ),
  );
  await session.did([
    a('INPUT_TEXT', { selector: 'input', text: '${password}' }),
    a('PRESS_KEY', { key: 'Enter', selector: 'input' }),
    a('GET_DOM'),
  ]);
  expect(session.page().url()).toContain('s3cret');
  expectNoSecret(await everythingStored(session));
});

test('the value of a password field is redacted in the snapshot, the DOM and a saved variable', async () => {
  const session = await onWithoutSecrets(
    stage.page(
      '/prefilled',
      '<label>Password <input type="password" value="from-the-server"></label><p>from-the-server</p>',
    ),
  );
  await session.did([a('SAVE_VARIABLE', { selector: 'input', variableName: 'found' })]);
  expect(await everythingStored(session)).not.toContain('from-the-server');
  expect(await session.variable('found')).toBe(SECRET_MARK);
});

test('a snapshot keeps its structure whatever the secret is', async () => {
  const session = await onWithoutSecrets('/parts/form');
  for (const password of ['name', 'true', 'textbox', '"role":']) {
    await session.did([a('INPUT_TEXT', { selector: '[name=secret]', text: password })]);
    expect(await session.target('textbox', 'Notes')).toMatchObject({ role: expect.any(String) as string });
  }
});

test('an environment variable that is not set is an error that names it', async () => {
  const session = await stage.newSession({ variables: { token: { env: 'NOT_SET_HERE' } } });
  await session.open('/parts/form');
  const { outcomes } = await session.run([a('INPUT_TEXT', { selector: '#name', text: '${token}' })]);
  expect(outcomes).toMatchObject([{ status: 'failed', code: 'SM002' }]);
  expect(outcomes[0]?.message).toContain('NOT_SET_HERE');
});

test('keeps no trace of a later step when a secret was typed before, also by another worker', async () => {
  const session = await stage.newSession({ variables: VARIABLES });
  await session.open('/parts/form');
  await session.did([a('INPUT_TEXT', { selector: '#name', text: '${password}' })]);
  await session.did([a('CLICK_ELEMENT', { selector: 'role=button[name="Send"]' })], { stepIndex: 1 });
  await session.keepFailure();
  await session.did([a('CLICK_ELEMENT', { selector: 'role=button[name="Send"]' })], { stepIndex: 1, worker: 'second' });
  await session.keepFailure('second');
  expect(await session.artifacts('trace')).toEqual([]);
});

test('screenshots that never come do not hold up later ones, and what was masked is shown again', async () => {
  const session = await on('/parts/form');
  await session.run([a('INPUT_TEXT', { selector: '#name', text: '${password}' })]);
  const attachment = session.attachment();
  // Either is given up after 4 s, so the third waits for its turn for longer than it may take.
  const lost = [1, 2].map(() => withMaskedSecrets(attachment, SEARCH, 30_000, () => new Promise(() => {})));
  const hidden: (string | null)[] = [];
  const next = withMaskedSecrets(attachment, SEARCH, 7000, async () => {
    hidden.push(await session.page().getAttribute('#name', 'style'));
  });
  const ends = await Promise.allSettled(lost);
  expect(ends.map((end) => end.status === 'rejected' && String(end.reason))).toEqual(
    lost.map(() => expect.stringContaining('no answer')),
  );
  await next;
  expect(hidden).toEqual([expect.stringContaining('disc')]);
  expect(await session.page().getAttribute('#name', 'style')).toBeNull();
});

test('[S1.R11] a form that navigates during its captures loses neither the screenshot nor the DOM', async () => {
  const session = await on('/login');
  const [attachment, page] = [session.attachment(), session.page()];
  const cdp = await attachment.cdp(page);
  const values = await loadSessionValues(stage.store, session.sessionId, stage.env);
  for (let tried = 0; tried < 6; tried += 1) {
    const left = page.waitForNavigation();
    const submitted = page.evaluate(() => document.forms[0]!.submit());
    await delay(tried * 4);
    const [picture, plain, { dom }] = await Promise.all([
      withMaskedSecrets(attachment, SEARCH, 30_000, () => capturePng(cdp)),
      capturePng(cdp),
      captureDom(attachment, values),
    ]);
    expect([picture, plain].map((data) => data.slice(0, 8))).toEqual(['iVBORw0K', 'iVBORw0K']);
    expect(dom).toContain('<html');
    await Promise.all([left, submitted]);
  }
});
