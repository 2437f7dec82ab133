/** How a step of a vendor's model is judged without a call of its own: in the next step's first call, or by its one command. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createEngineActivities } from '../../../activities/engine-worker';
import type { DecideInput, DecideOutput } from '../../../activities/signatures/engine-activities';
import { createPricing } from '../../../activities/engine/models/calls/prices';
import { createModelResolver } from '../../../activities/engine/models/resolve-model';
import type { PageNode, PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import { EFFECT_CLASS } from '../../../contracts/commands/commands';
import type { CommandEvidence } from '../../../contracts/commands/evidence';
import { sessionUsage } from '../../../contracts/models/usage';
import type { Store } from '../../../store/store';
import { aCommand, aPlan, aReply, aSession } from '../../support/builders';
import { aToolRegistry } from '../../support/engine-tools';
import { anObservedCommand } from '../../support/evidence';
import { geminiAnswers } from '../../support/model-server/gemini';
import { startModelServer, type ModelServer } from '../../support/model-server/server';
import { startTestStack, type TestStack } from '../../support/stack';

let stack: TestStack;
let store: Store;
let server: ModelServer;
beforeAll(async () => {
  [stack, server] = await Promise.all([startTestStack({ parts: ['postgres'] }), startModelServer()]);
  store = await stack.store();
});
afterAll(async () => {
  await server.stop();
  await stack.stop();
});

const runId = 'run-1';
const model = 'vertexai/gemini-2.5-flash';
const outbox = { records: [], patch: {}, stepResults: [] };
const shop: PageSnapshot = {
  snapshotId: 'before',
  url: 'https://shop.test/bean',
  title: 'Bean',
  tabs: [],
  nodes: [{ role: 'button', name: 'Add to cart', ref: 'e1' }],
};
const added: PageSnapshot = {
  ...shop,
  snapshotId: 'after',
  nodes: [
    { role: 'button', name: 'Add to cart', ref: 'e2' },
    { role: 'status', text: 'In your cart', ref: 'e3', since: 'new' },
    { role: 'link', name: 'Checkout', ref: 'e4' },
  ],
};
const POSTED = anObservedCommand({ requests: [{ method: 'POST', url: 'https://shop.test/cart', status: 201 }] });
const ADD = aReply({ commands: [aCommand('CLICK_ELEMENT', { selector: 'ref=e1' })] });

async function aSessionOf(steps: (string | object)[]): Promise<string> {
  const plan = aPlan({ steps, config: { aiConfig: { model } } });
  const sessionId = await aSession(store, { plan, runId, isActive: true });
  await store.memory.saveSnapshot(sessionId, {}, shop);
  return sessionId;
}

async function decide(sessionId: string, stepIndex: number, turn: number): Promise<DecideOutput> {
  const activities = createEngineActivities({
    store,
    ...aToolRegistry(store),
    resolveModel: createModelResolver({
      VERTEX_PROJECT: 'acme',
      VERTEX_API_ENDPOINT: server.host,
      VERTEX_ACCESS_TOKEN: 't',
    }),
    pricing: createPricing(undefined),
    defaultModel: model,
    hasSearchAttributes: false,
    pauseReleaseMs: 0,
    requestCancel: async () => {},
  });
  const { plan } = (await store.sessions.get(sessionId))!;
  const input: DecideInput = { sessionId, stepIndex, turn, step: plan.steps[stepIndex]!, mayAct: true, outbox };
  const environment = new MockActivityEnvironment(
    { workflowExecution: { workflowId: sessionId, runId } },
    { logger: new DefaultLogger('ERROR') },
  );
  return (await environment.run(activities.decide, input)) as DecideOutput;
}

/** Runs the commands of a reply, as the browser worker would: into the journal, then a snapshot. */
async function run(
  sessionId: string,
  stepIndex: number,
  turn: number,
  { commands }: DecideOutput,
  { evidence = POSTED, page = added }: { evidence?: CommandEvidence; page?: PageSnapshot } = {},
): Promise<void> {
  for (const [position, command] of commands.entries()) {
    const { commandId, action, parameters, target } = command;
    const effect = EFFECT_CLASS[action];
    const place = { commandId, stepIndex, turn, position, pageUrl: page.url };
    const intent = { ...place, action, parameters, effect, ...(target === undefined ? {} : { target: { ...target } }) };
    await store.journal.intend(sessionId, { runId }, intent, []);
    const response = { success: true, commandId, screenshotId: '', duration: 1 };
    await store.journal.finish(sessionId, { runId }, { commandId, status: 'done', response, evidence }, []);
  }
  await store.memory.saveSnapshot(sessionId, {}, page);
}

const answers = (reply: object) => geminiAnswers({ text: JSON.stringify(reply) });
const promptOf = (at: number): string =>
  (server.heard.at(at)!.body['contents'] as { parts: { text: string }[] }[])[0]!.parts[0]!.text;
const callsOf = async (sessionId: string) => sessionUsage(await store.modelCalls.usageOf(sessionId)).calls;

const GOALS = ['Get a bean into the basket somehow', 'Come to where it is paid for'];
const beginNext = (change: object = {}) => ({
  ...aReply({ message: 'The bean is in the cart.', commands: [aCommand('CLICK_ELEMENT', { selector: 'ref=e4' })] }),
  context: { forStep: 2, memory: 'The bean costs 5 EUR.' },
  ...change,
});

describe('the judgement of a step is merged into the first call of the next', () => {
  test('one reply completes a step and gives the commands of the next, whose first decision is no call', async () => {
    const sessionId = await aSessionOf(GOALS);
    server.play(answers(ADD), answers(beginNext()));
    await run(sessionId, 0, 0, await decide(sessionId, 0, 0));
    expect(await decide(sessionId, 0, 1)).toMatchObject({
      decision: 'PROCEED',
      message: 'The bean is in the cart.',
      commands: [],
    });
    expect(promptOf(0)).not.toContain('# Next step');
    expect(promptOf(1)).toContain(`# Next step, number 2\n${GOALS[1]}\nIf the page shows that step 1 is done, begin`);

    const begun = await decide(sessionId, 1, 0);
    expect(begun).toMatchObject({
      decision: 'PROCEED',
      commands: [{ commandId: `${sessionId}.1.0.0`, target: { role: 'link', name: 'Checkout' } }],
    });
    expect(server.heard).toHaveLength(2);
    expect(await callsOf(sessionId)).toBe(2);
    // A repeated attempt gives the same; the tokens are billed once, to the call that was made.
    expect(await decide(sessionId, 1, 0)).toEqual(begun);
    const replies = (await store.log.read(sessionId, 0, 500)).flatMap(({ stepIndex, turn, facts }) =>
      facts?.kind === 'reply' ? [[stepIndex, turn, facts.billedCalls, facts.usage.inputTokens]] : [],
    );
    expect(replies).toEqual([
      [0, 0, 1, 1200],
      [0, 1, 1, 1200],
      [1, 0, 0, 0],
    ]);
    // The next step's own judgement sees its commands, and the note of the step before.
    await run(sessionId, 1, 0, begun, { page: { ...added, snapshotId: 'paying', url: 'https://shop.test/pay' } });
    server.play(answers(aReply({})));
    await decide(sessionId, 1, 1);
    expect(promptOf(0)).toContain('you noted: The bean costs 5 EUR.');
    expect(promptOf(0)).toContain('1. You decided done');
    expect(promptOf(0)).not.toContain('# Next step');
  });

  test('a reply that is not sure of the step before begins nothing', async () => {
    const sessionId = await aSessionOf(GOALS);
    const unsure = beginNext();
    unsure.reasoning.confidence = 0.5;
    server.play(answers(ADD), answers(unsure));
    await run(sessionId, 0, 0, await decide(sessionId, 0, 0));
    expect(await decide(sessionId, 0, 1)).toMatchObject({ decision: 'PROCEED', confidence: 0.5, commands: [] });
    server.play(answers(aReply({})));
    expect(await decide(sessionId, 1, 0)).toMatchObject({ commands: [] });
    expect(server.heard).toHaveLength(1);
  });

  test('commands that were decided for another page are dropped: the next step asks anew', async () => {
    const sessionId = await aSessionOf(GOALS);
    server.play(answers(ADD), answers(beginNext()));
    await run(sessionId, 0, 0, await decide(sessionId, 0, 0));
    await decide(sessionId, 0, 1);
    // As after a pause that has released the browser.
    await store.memory.saveSnapshot(sessionId, {}, { ...shop, snapshotId: 'restored' });
    server.play(answers(aReply({ message: 'Here it starts.' })));
    expect(await decide(sessionId, 1, 0)).toMatchObject({ message: 'Here it starts.', commands: [] });
  });

  test('the number of a step that can not be begun yet goes back as a fault', async () => {
    const sessionId = await aSessionOf(GOALS);
    const early = { ...ADD, context: { forStep: 2 } };
    server.play(answers(early), answers(ADD));
    expect(await decide(sessionId, 0, 0)).toMatchObject({ commands: [{ commandId: `${sessionId}.0.0.0` }] });
    expect(JSON.stringify(server.heard.at(-1)!.body)).toContain('context.forStep: expected 1, got 2');
  });

  test.each([
    ['a task', { task: GOALS[1]! }],
    ['a step of another model', { instruction: GOALS[1]!, aiConfig: { model: 'rules' } }],
  ])('%s is not begun ahead', async (_, next) => {
    const sessionId = await aSessionOf([GOALS[0]!, next]);
    server.play(answers(ADD), answers(aReply({})));
    await run(sessionId, 0, 0, await decide(sessionId, 0, 0));
    await decide(sessionId, 0, 1);
    expect(promptOf(1)).not.toContain('# Next step');
  });
});

test('a command on one of several equal elements keeps the words of its row for later requests', async () => {
  const sessionId = await aSessionOf(GOALS);
  const row = (name: string, ref: string) => ({
    role: 'row',
    ref: `r${ref}`,
    children: [
      { role: 'cell', text: name, ref: `c${ref}` },
      { role: 'button', name: 'Remove', ref },
    ],
  });
  await store.memory.saveSnapshot(sessionId, {}, { ...shop, nodes: [row('Bean', 'e7'), row('Shoe', 'e8')] });
  server.play(answers(aReply({ commands: [aCommand('CLICK_ELEMENT', { selector: 'ref=e8' })] })), answers(aReply({})));
  await run(sessionId, 0, 0, await decide(sessionId, 0, 0));
  await decide(sessionId, 0, 1);
  expect(promptOf(1)).toMatch(/CLICK_ELEMENT .*Remove.* \(in “Shoe”\): done/);
});

describe('a step whose instruction is one command long is judged without a call', () => {
  const judgedAfter = async (instruction: string, change: { evidence?: CommandEvidence; page?: PageSnapshot } = {}) => {
    const sessionId = await aSessionOf([instruction]);
    server.play(answers(ADD), answers(aReply({ message: 'I have looked.' })));
    await run(sessionId, 0, 0, await decide(sessionId, 0, 0), change);
    const judged = await decide(sessionId, 0, 1);
    return { judged, calls: server.heard.length };
  };

  test('by the rules, where its effect shows', async () => {
    const { judged, calls } = await judgedAfter('Click "Add to cart"');
    expect(judged).toMatchObject({ decision: 'PROCEED', commands: [], model: 'rules', validation: 'passed' });
    expect(calls).toBe(1);
  });

  test('by the rules, where the click sent nothing and the page says that it was changed by it', async () => {
    const nodes = added.nodes.map((node) => ({ ...(node as PageNode), changedByClick: true as const }));
    const quiet = { evidence: anObservedCommand(), page: { ...added, nodes } };
    expect((await judgedAfter('Click "Add to cart"', quiet)).calls).toBe(1);
  });

  test.each([
    ['the instruction wants more', 'Click "Add to cart" and open the cart', {}],
    ['the command acted on something else', 'Click "Buy now"', {}],
    ['what has changed may change by itself', 'Click "Add to cart"', { evidence: anObservedCommand() }],
    ['the page reads as before', 'Click "Add to cart"', { page: { ...shop, isUnchanged: true as const } }],
    [
      'the server refused',
      'Click "Add to cart"',
      { evidence: anObservedCommand({ requests: [{ method: 'POST', url: 'https://shop.test/cart', status: 409 }] }) },
    ],
    [
      'a message came with it',
      'Click "Add to cart"',
      {
        page: {
          ...added,
          nodes: [...added.nodes, { role: 'alert', text: 'Sold out', ref: 'e9', since: 'new' as const }],
        },
      },
    ],
  ])('the model judges where %s', async (_, instruction, change) => {
    const { judged, calls } = await judgedAfter(instruction, change);
    expect(judged).toMatchObject({ message: 'I have looked.', model });
    expect(calls).toBe(2);
  });
});

describe('a model that takes a step as done although the page says otherwise', () => {
  test('is shown the evidence once, and fails the step when it insists', async () => {
    const sessionId = await aSessionOf(GOALS);
    const refused = { method: 'POST', url: 'https://shop.test/cart', status: 409 };
    const evidence = anObservedCommand({ urlBefore: shop.url, urlAfter: shop.url, requests: [refused] });
    server.play(answers(ADD), answers(aReply({ message: 'It is done.' })), answers(aReply({ message: 'It is done!' })));
    await run(sessionId, 0, 0, await decide(sessionId, 0, 0), { evidence });
    expect(await decide(sessionId, 0, 1)).toMatchObject({ decision: 'PROCEED', commands: [], validation: 'failed' });
    expect(await decide(sessionId, 0, 2)).toMatchObject({
      decision: 'ABORT',
      message: expect.stringContaining('https://shop.test/cart was answered with 409'),
    });
    expect(promptOf(-1)).toContain('does not count as done: POST https://shop.test/cart');
  });
});
