/**
 * Steps that do something only where the page shows it, or again until it does: led once by a model that answers over HTTP
 * (bench/characters), then replayed by what the page shows on the day.
 */
import { randomUUID } from 'node:crypto';
import { startCharacterServer, type CharacterServer } from '../../bench/characters/server';
import { createRecipes } from '../../service/recipes/recipes';
import type { Recipe } from '../../contracts/recipes/recipe';
import type { ReplayMode } from '../../contracts/recipes/replay-mode';
import { isOpen } from '../../contracts/sessions/session';
import type { StartRequest } from '../../contracts/sessions/start-request';
import { armFaults, faultsFired, FAULTS_BY_FILE } from '../../runtime/fault-point';
import { sessionIdFromKey } from '../../store/sessions/session-id';
import { eventually } from '../support/eventually';
import { newPlaywrightFolder, type PlaywrightFolder } from '../support/playwright-runner';
import { startSite, type TestSite } from '../support/sites';
import { endOf, ONE_OF_EACH, startWholeStack, type WholeStack } from '../support/whole-stack';

/** `?banner=yes` asks about cookies, as a site does on some days. */
const HOME = `<title>Home</title><main><h1>Welcome</h1><p>All the news</p></main><script>
  const query = new URLSearchParams(location.search);
  if (query.get('banner') === 'yes') {
    document.body.insertAdjacentHTML('beforeend',
      '<div role="dialog" aria-label="Cookies"><p>We use cookies</p><button>Accept cookies</button></div>');
    document.querySelector('button').onclick = async () => {
      await fetch('/accepted?run=' + query.get('run'), { method: 'POST' });
      document.querySelector('[role=dialog]').remove();
    };
  }
</script>`;

/** A list of `?pages=N`. */
const LIST = `<title>List</title><main><h1>List</h1><p id="place"></p><button>Next</button></main><script>
  const query = new URLSearchParams(location.search);
  let page = 1;
  const show = () => {
    place.textContent = page < Number(query.get('pages')) ? 'Part ' + 'abcdefghijklmnopqrstuvwxyz'[page - 1] : 'End of the list';
  };
  show();
  document.querySelector('button').onclick = async () => {
    await fetch('/pressed?run=' + query.get('run'), { method: 'POST' });
    page += 1;
    show();
  };
</script>`;

let site: TestSite;
let model: CharacterServer;
let stack: WholeStack;
let folder: PlaywrightFolder;
beforeAll(async () => {
  folder = newPlaywrightFolder();
  site = await startSite({ '/home': HOME, '/list': LIST, '/accepted': 'ok', '/pressed': 'ok' });
  model = await startCharacterServer((text) => Math.ceil(text.length / 4));
  stack = await startWholeStack({ ...FAULTS_BY_FILE, OPENAI_COMPATIBLE_BASE_URL: model.url }, ONE_OF_EACH);
}, 120_000);
afterAll(async () => {
  await stack.stop();
  await model.stop();
  site.close();
  folder.remove();
}, 60_000);

interface Ended {
  sessionId: string;
  status: string;
  message: string | undefined;
  /** Calls of the model. */
  calls: number;
  /** Requests of this session that change something. */
  sent: number;
  /** How often a person was asked what became of a command. */
  questions: number;
}

/** Opens a page, does one step on it while processes die at these points, and counts what the page has sent. */
async function run(
  page: 'home' | 'list',
  query: string,
  step: string,
  replay: ReplayMode,
  faults = '',
): Promise<Ended> {
  const label = randomUUID();
  const before = model.heard.length;
  armFaults(stack.home, faults, sessionIdFromKey('default', label));
  const request: StartRequest = {
    steps: [`Open \${${page}}`, step],
    variables: { [page]: `${site.url}/${page}?${query}&run=${label}` },
    config: {
      replay,
      maxIterations: 40,
      retryOnFailure: false,
      executorConfig: { screenshotsEnabled: false },
      ...(replay === 'only' ? {} : { aiConfig: { model: 'ai:openai-compatible/forgetful' } }),
    },
  };
  const { sessionId } = await stack.client.start(request, { idempotencyKey: label });
  const [status, questions] = await Promise.all([endOf(stack, sessionId), answerUnknown(sessionId)]);
  const { error } = await stack.client.get(sessionId);
  const sent = site.asked.filter((each) => each.startsWith('POST') && each.includes(label)).length;
  return { sessionId, status, message: error?.message, calls: model.heard.length - before, sent, questions };
}

/** Says that what nobody knows of has happened, until the session has ended; resolves to how often that was asked. */
async function answerUnknown(sessionId: string): Promise<number> {
  const answered = new Set<string>();
  await eventually(
    `the end of ${sessionId}`,
    async () => {
      for (const asked of await stack.client.approvals(sessionId)) {
        if (asked.kind !== 'unknown-outcome' || answered.has(asked.unknown.commandId)) continue;
        await stack.client.resolveUnknown(sessionId, { commandId: asked.unknown.commandId, happened: true });
        answered.add(asked.unknown.commandId);
      }
      return !isOpen((await stack.client.get(sessionId)).session.status);
    },
    120_000,
  );
  return answered.size;
}

async function recipeFrom({ sessionId }: Ended): Promise<Recipe> {
  const recipes = createRecipes({ store: stack.engineStore });
  return await eventually(`the recipe of ${sessionId}`, async () =>
    (await recipes.list()).find(({ source }) => source.sessionId === sessionId && source.stepIndex === 1),
  );
}

/** The recipes of a session as a test pass under Playwright's runner, on a page that needs as many commands. */
async function expectExported(page: 'home' | 'list', { sessionId }: Ended, query: string, sent: number): Promise<void> {
  const recipes = createRecipes({ store: stack.engineStore });
  const all = await recipes.list();
  const own = all
    .filter(({ key }) => key.variables.includes(page))
    .sort((one, other) => one.source.stepIndex - other.source.stepIndex);
  expect(own.at(-1)!.source.sessionId).toBe(sessionId);
  const text = await recipes.export(
    own.map(({ recipeId }) => recipeId),
    'playwright',
  );
  const label = randomUUID();
  const result = await folder.run(text, {
    [`TEST_${page.toUpperCase()}`]: `${site.url}/${page}?${query}&run=${label}`,
  });
  expect(result).toMatchObject({ code: 0, output: expect.stringContaining('1 passed') });
  expect(site.asked.filter((each) => each.startsWith('POST') && each.includes(label))).toHaveLength(sent);
}

const DONE = { status: 'COMPLETED', message: undefined, questions: 0 };

test('what a step does only where the page shows it is replayed by the page, and learnt when needed', async () => {
  const step = 'If "Accept cookies" is shown, click it';
  const first = await run('home', 'banner=no', step, 'prefer');
  expect(first).toMatchObject({ ...DONE, sent: 0 });
  expect(first.calls).toBeGreaterThan(0);
  const [unneeded] = (await recipeFrom(first)).rounds;
  expect(unneeded).toMatchObject({ commands: [], when: { text: 'Accept cookies', isControl: true } });
  expect(await run('home', 'banner=no', step, 'only')).toMatchObject({ ...DONE, sent: 0, calls: 0 });

  const unknown = await run('home', 'banner=yes', step, 'only');
  expect(unknown).toMatchObject({ status: 'FAILED', sent: 0, calls: 0 });
  expect(unknown.message).toContain('nobody has shown it yet what to do then');

  const taught = await run('home', 'banner=yes', step, 'prefer');
  expect(taught).toMatchObject({ ...DONE, sent: 1 });
  const learnt = await recipeFrom(taught);
  expect(learnt).toMatchObject({ version: 2, status: 'promoted' });
  expect(learnt.rounds).toMatchObject([
    {
      when: { text: 'Accept cookies', isControl: true },
      commands: [{ action: 'CLICK_ELEMENT', target: { role: 'button', name: 'Accept cookies' } }],
      after: { isOver: true },
    },
  ]);

  expect(await run('home', 'banner=yes', step, 'only')).toMatchObject({ ...DONE, sent: 1, calls: 0 });
  expect(await run('home', 'banner=no', step, 'only')).toMatchObject({ ...DONE, sent: 0, calls: 0 });
  for (const banner of ['yes', 'no'])
    await expectExported('home', taught, `banner=${banner}`, banner === 'yes' ? 1 : 0);
}, 240_000);

test('a repetition looks before each time, and is done as often as the page needs, within its bound', async () => {
  const step = 'Repeat "Next" until "End of the list" is shown';
  const first = await run('list', 'pages=3', step, 'prefer');
  expect(first).toMatchObject({ ...DONE, sent: 2 });
  const [round] = (await recipeFrom(first)).rounds;
  expect(round).toMatchObject({ until: { text: 'End of the list' }, most: 20 });
  expect(round!.commands).toHaveLength(1);

  const longer = await run('list', 'pages=6', step, 'only');
  expect(longer).toMatchObject({ ...DONE, sent: 5, calls: 0 });
  const journal = await stack.engineStore.journal.ofStep(longer.sessionId, 1);
  const presses = journal.filter(({ action }) => action === 'CLICK_ELEMENT');
  expect(new Set(presses.map(({ turn }) => turn)).size).toBe(5);
  expect(presses.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'done'));

  expect(await run('list', 'pages=1', step, 'only')).toMatchObject({ ...DONE, sent: 0, calls: 0 });
  const endless = await run('list', 'pages=25', step, 'only');
  expect(endless).toMatchObject({ status: 'FAILED', sent: 20, calls: 0 });
  expect(endless.message).toContain('not yet “End of the list” is shown');
  for (const pages of [1, 4]) await expectExported('list', first, `pages=${pages}`, pages - 1);

  const bounded = 'Repeat "Next" at most 3 times until "End of the list" is shown';
  const third = await run('list', 'pages=4', bounded, 'prefer');
  expect(third).toMatchObject({ ...DONE, sent: 3 });
  expect((await recipeFrom(third)).rounds).toMatchObject([{ most: 3 }]);
  expect(await run('list', 'pages=6', bounded, 'only')).toMatchObject({ status: 'FAILED', sent: 3, calls: 0 });
}, 240_000);

test('a repetition by recipe clicks as often as the page needs, though its processes die between', async () => {
  const step = 'Repeat "Next" until you see "End of the list"';
  const first = await run('list', 'pages=3', step, 'prefer');
  expect(first).toMatchObject({ ...DONE, sent: 2 });
  await recipeFrom(first);

  // The first passing of each point belongs to the step that opens the page.
  const points = ['after-intent:3', 'after-outcome:4', 'after-reply:6', 'before-intent:7'];
  const faults = points.map((point) => `kill@${point}`).join();
  const killed = await run('list', 'pages=7', step, 'only', faults);
  expect(killed).toMatchObject({ ...DONE, sent: 6, calls: 0 });
  expect(faultsFired(stack.home, killed.sessionId)).toHaveLength(points.length);
  expect(await clicksOf(killed)).toEqual(Array.from({ length: 6 }, () => 'done'));

  // Nobody saw what came of the third click: the step fails, or a person is asked; nobody clicks again for it.
  const unseen = await run('list', 'pages=7', step, 'only', 'kill@after-act:4');
  expect(unseen).toMatchObject({ status: 'FAILED', sent: 3, calls: 0 });
  expect(unseen.message).toContain('nobody saw what came of CLICK_ELEMENT');
  const judged = await run('list', 'pages=7', step, 'prefer', 'kill@after-act:4');
  expect(judged).toMatchObject({ ...DONE, sent: 6, questions: 1 });
  expect(await run('list', 'pages=2', step, 'only')).toMatchObject({ ...DONE, sent: 1, calls: 0 });
}, 240_000);

async function clicksOf({ sessionId }: Ended): Promise<string[]> {
  const entries = await stack.engineStore.journal.ofStep(sessionId, 1);
  return entries.filter(({ action }) => action === 'CLICK_ELEMENT').map(({ status }) => status);
}
