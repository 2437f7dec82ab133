/** The demo as one explicit task: rules decides, the tools plan, a real Chrome does it, turn by turn. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { ModelTurnInput, ModelTurnOutput } from '../../../activities/signatures/task-activities';
import { createEngineActivities } from '../../../activities/engine-worker';
import { createPricing } from '../../../activities/engine/models/calls/prices';
import { createModelResolver } from '../../../activities/engine/models/resolve-model';
import type { CallEnd } from '../../../contracts/tools/planned-call';
import type { StagedSession } from '../../support/browser-session';
import { aStepFor } from '../../support/builders';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import { aToolRegistry } from '../../support/engine-tools';

let stage: BrowserStage;
beforeAll(async () => (stage = await openBrowserStage()));
afterAll(() => stage.stop());

const demo = JSON.parse(readFileSync(join(__dirname, '../../../examples/demo-session.json'), 'utf8')) as {
  steps: string[];
};

/** As the workflow reports a call whose browser was lost before it began. */
const LEFT_OUT = {
  status: 'error',
  message: 'Error: The browser was lost. This was not done.',
  isSkipped: true,
} as const;

/** Runs the calls of each turn in their order, as the workflow does, and resolves to the answer. */
async function runTask(
  session: StagedSession,
  task: string,
  leavesOut: (position: number) => boolean = () => false,
): Promise<{ answer: ModelTurnOutput; tools: string[] }> {
  const { sessionId, runId } = session;
  const activities = createEngineActivities({
    store: stage.store,
    resolveModel: createModelResolver({}),
    pricing: createPricing(undefined),
    ...aToolRegistry(stage.store, [], stage.env),
    defaultModel: 'rules',
    hasSearchAttributes: false,
    pauseReleaseMs: 0,
    requestCancel: async () => {},
  });
  const tools: string[] = [];
  let ends: CallEnd[] = [];
  for (let turn = 0; turn < 50; turn += 1) {
    const step = aStepFor('rules', { task });
    const outbox = { records: [], patch: {}, stepResults: [] };
    const input: ModelTurnInput = { sessionId, stepIndex: 0, turn, step, ends, notes: [], outbox };
    const info = {
      workflowExecution: { workflowId: sessionId, runId },
      activityId: `${turn}`,
      heartbeatTimeoutMs: 1000,
    };
    const environment = new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR') });
    const output: ModelTurnOutput = await environment.run(activities.runModelTurn, input);
    if (output.kind === 'answer') return { answer: output, tools };
    ends = [];
    for (const { callId, name, run } of output.calls) {
      tools.push(name);
      if (leavesOut(tools.length)) {
        ends.push({ callId, ...LEFT_OUT });
        continue;
      }
      if (run.kind !== 'browser') throw new Error(`${name} is not planned: ${JSON.stringify(run)}`);
      const { outcomes } = await session.run([run.command], { turn });
      ends.push({ callId, status: outcomes[0]?.status === 'done' ? 'success' : 'error' });
    }
  }
  throw new Error(`The task did not end: ${tools.join(', ')}`);
}

test('signs in, orders once and reads the order number, and no request to the model has a password', async () => {
  stage.env['SHOP_PASSWORD'] = 'lovelace';
  const variables = { shop: stage.shop.url, password: { env: 'SHOP_PASSWORD' } };
  const session = await stage.newSession({ variables });
  const [first, ...rest] = demo.steps;
  const { answer, tools } = await runTask(session, [`${first}?run=${session.sessionId}`, ...rest].join('.\n'));
  expect(answer.text).toMatch(/^All that was asked is done; the page is .*\norder_number: \S+/);
  expect(tools.slice(0, 4)).toEqual(['navigate', 'form_input', 'form_input', 'computer']);
  const orders = (await session.journal()).filter(({ target }) => target?.['name'] === 'Place order');
  expect(orders).toMatchObject([{ action: 'CLICK_ELEMENT', status: 'done' }]);
  expect(JSON.stringify(await session.log())).not.toContain('lovelace"');
});

test('a click that changes nothing that was expected ends the task in words that say so', async () => {
  const session = await stage.newSession();
  const { answer, tools } = await runTask(
    session,
    `Open ${session.url('/parts/counter')}, click "Add one", then expect "Launched"`,
  );
  expect(tools).toEqual(['navigate', 'computer', 'wait']);
  expect(answer.text).toMatch(/^I could not do this: .*Launched/);
  expect(session.count()).toBe(1);
});

test('calls that were left out because the browser was lost before them are called again, each once', async () => {
  const session = await stage.newSession();
  const task = `Open ${session.url('/parts/counter')}, click "Add one", then expect "1"`;
  const { answer, tools } = await runTask(session, task, (position) => position === 1 || position === 3);
  expect(tools).toEqual(['navigate', 'navigate', 'computer', 'computer']);
  expect(answer.text).toMatch(/^All that was asked is done/);
  expect(session.count()).toBe(1);
});
