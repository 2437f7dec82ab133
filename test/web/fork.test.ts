/** A session is forked, and a conversation is written to, from the page, on the real API, database and Temporal. */
import { SessionStatus } from '../../contracts/sessions/session';
import { aSession, endSession } from '../api/fixture';
import { eventually } from '../support/eventually';
import { violations } from './axe';
import { PAGE_KEY, startPageStage, type PageStage } from './page-stage';

let stage: PageStage;
let address: string;
beforeAll(async () => {
  stage = await startPageStage();
  address = await stage.at();
}, 60_000);
afterAll(() => stage.stop());

test('an ended session starts again with other words, and says where the past of a step is not kept', async () => {
  const id = await aSession(stage.store, { name: 'Buy it', steps: ['Open http://127.0.0.1/one', 'Click "Buy"'] });
  await stage.store.log.append(id, [], { patch: { status: SessionStatus.ACTIVE, currentStep: 1 } });
  await endSession(stage.store, id, SessionStatus.FAILED);
  const page = await stage.open(`${address}/sessions/${id}#sign-in=${PAGE_KEY}`);
  await page.getByRole('button', { name: 'Fork at step 2…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'A new session from a step of this one' });
  await dialog.getByRole('button', { name: 'Start it' }).press('Enter');
  await dialog.getByText(`No checkpoint is kept of session ${id} before step 2`).waitFor();
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Close' }).press('Enter');

  await page.getByRole('button', { name: 'Start again…' }).press('Enter');
  expect(await dialog.getByText('No checkpoint').count()).toBe(0);
  await dialog.getByLabel('Steps from there on').fill('Open http://127.0.0.1/${where}\nClick "Sell"');
  await dialog.getByText('Variables that differ').click();
  await dialog.getByRole('button', { name: 'Add' }).first().click();
  await dialog.getByLabel('Variable 1: Name').fill('where');
  await dialog.getByLabel('Variable 1: Value').fill('two');
  await dialog.getByRole('button', { name: 'Start it' }).press('Enter');
  await page.waitForURL((url) => url.pathname.startsWith('/sessions/') && !url.pathname.endsWith(id));
  const forkId = page.url().split('/').at(-1)!;
  const forked = await stage.store.sessions.get(forkId);
  expect(forked?.plan).toMatchObject({
    name: 'Buy it',
    steps: [{ instruction: 'Open http://127.0.0.1/${where}' }, { instruction: 'Click "Sell"' }],
    variables: { where: 'two' },
    metadata: { forkedFrom: { sessionId: id, step: 1 } },
  });
  await page.getByRole('button', { name: 'Fork…' }).waitFor();
}, 60_000);

test('what is written to a conversation is its next task, where another session takes a step', async () => {
  const start = async (config: object): Promise<string> =>
    (await stage.parts.sessions.start({ steps: [{ task: 'Say hello' }], config })).sessionId;
  const id = await start({ agent: { stayOpen: true } });
  const page = await stage.open(`${address}/sessions/${id}#sign-in=${PAGE_KEY}`);
  await page.getByLabel('A message').fill('And goodbye');
  const answered = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('button', { name: 'Send' }).press('Enter');
  const input = await eventually('the message is stored', async () => {
    const [message] = await stage.store.controlMessages.ofSession(id);
    return message && (await stage.store.controlMessages.get(message.messageId))?.input;
  });
  expect(JSON.stringify(input)).toContain('And goodbye');
  expect(input).toMatchObject({ steps: [{ task: 'And goodbye' }] });
  // No worker takes it: the API answers once it has given up, and nothing of it outlives the test.
  await answered;
  await page.goto(`${address}/sessions/${await start({})}`);
  await page.getByLabel('A further step').waitFor();
}, 60_000);
