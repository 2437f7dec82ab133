/** Whether a click did anything, where the page changes by itself: the whole step with `rules` on pages in a real Chrome. */
import { createRulesModel } from '../../../activities/models/rules/rules-model';
import type { PastIteration } from '../../../activities/models/port';
import { durableTarget, refIn } from '../../../activities/page-text/durable-target';
import { AIResponseSchema, type AIResponse } from '../../../contracts/models/ai-response';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import type { StagedSession } from '../../support/browser-session';

let stage: BrowserStage;
let session: StagedSession;
beforeAll(async () => {
  stage = await openBrowserStage();
  session = await stage.newSession();
});
afterAll(() => stage.stop());

async function endOf(instruction: string): Promise<AIResponse['decision'] & { iterations: number }> {
  const pastIterations: PastIteration[] = [];
  for (;;) {
    const snapshot = await session.look();
    const place = { stepIndex: 0, iteration: pastIterations.length, maxIterations: 5, mayAct: true };
    const { signal } = new AbortController();
    const asked = createRulesModel().decide(
      { ...place, instruction, pastIterations, snapshot, variables: [] },
      { signal },
    );
    const reply = AIResponseSchema.parse((await asked).reply);
    const { decision, reasoning, commands, context } = reply;
    if (commands.length === 0) return { ...decision, iterations: pastIterations.length };
    const planned = session.plan(
      commands.map(({ action, parameters }) => {
        const ref = refIn(parameters.selector ?? '');
        const target = ref === undefined ? undefined : durableTarget(snapshot, ref);
        return { action, parameters, ...(target === undefined ? {} : { target }) };
      }),
    );
    await session.did(planned);
    const journal = await session.journal();
    const outcomes = planned.map(({ commandId, action, parameters }) => {
      const { evidence } = journal.find((entry) => entry.commandId === commandId)!;
      return { action, parameters, status: 'done' as const, ...(evidence === undefined ? {} : { evidence }) };
    });
    pastIterations.push({ decision, reasoning, commands, context, outcomes });
  }
}

/** Words, figures or a picture that are others at every look. */
const CLOCK = `<p id=clock></p><script>setInterval(() => clock.textContent = Math.round(performance.now()) + ' ms', 20)</script>`;
const CAROUSEL = `<p id=slide></p><script>
  let turn = 0;
  const word = (n) => (n < 26 ? '' : word(Math.floor(n / 26) - 1)) + String.fromCharCode(97 + (n % 26));
  setInterval(() => slide.textContent = 'On to ' + word(turn++), 20);
</script>`;
const GALLERY = `<canvas id=gallery width=200 height=100></canvas><script>
  let hue = 0;
  setInterval(() => { const c = gallery.getContext('2d'); c.fillStyle = 'hsl(' + (hue += 17) + ' 90% 50%)'; c.fillRect(0, 0, 200, 100); }, 20);
</script>`;
const LIVE = `<button onclick="said.textContent = 'Kept'">Keep</button><p id=said>Draft</p>`;
const DEAD = '<button onclick="void 0">Keep</button>';
const REVERTED = `<button onclick="said.textContent = 'Kept'; queueMicrotask(() => said.textContent = 'Draft')">Keep</button><p id=said>Draft</p>`;

test.each([
  ['does nothing beside a clock', DEAD + CLOCK, 'changes only by itself'],
  ['does nothing beside a carousel of words', DEAD + CAROUSEL, 'changes only by itself'],
  ['does nothing beside a carousel of pictures', `<div>${DEAD}${GALLERY}</div>`, 'changes only by itself'],
  ['is taken back at once', REVERTED, 'reads as before'],
  ['is taken back at once, beside a clock', REVERTED + CLOCK, 'changes only by itself'],
])('a click that %s completes no step', async (name, html, message) => {
  await session.open(stage.page(`/dead/${name.replaceAll(/\W+/g, '-')}`, html));
  expect(await endOf('click Keep')).toMatchObject({ action: 'ABORT', message: expect.stringContaining(message) });
});

test.each([
  ['a clock', CLOCK],
  ['a carousel of words', CAROUSEL],
])('a click that changes the page beside %s completes its step', async (name, html) => {
  await session.open(stage.page(`/live/${name.replaceAll(/\W+/g, '-')}`, LIVE + html));
  expect(await endOf('click Keep')).toMatchObject({ action: 'PROCEED' });
});
