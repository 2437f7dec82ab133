/**
 * Real sessions in a real Chromium, led over HTTP by models that are weak in the ways in which served models are: what they
 * mean is done where it is clear, and no session ends COMPLETED that has not done what it was to do.
 */
import { randomUUID } from 'node:crypto';
import { createApiClient } from '../../client/http/api-client';
import { startWeakModels } from '../support/model-server/weak-models';
import { endOf, ONE_OF_EACH, startWholeStack, type WholeStack } from '../support/whole-stack';

const json = (value: unknown): string => JSON.stringify(value);

let stack: WholeStack;
let server: Awaited<ReturnType<typeof startWeakModels>>;
beforeAll(async () => {
  server = await startWeakModels(MODELS);
  const small = { vendor: 'ai:openai-compatible', model: 'reads a step', baseURL: server.url, profile: 'small' };
  stack = await startWholeStack(
    { OPENAI_COMPATIBLE_BASE_URL: server.url, SUREFOOT_CONNECTIONS: json({ small }) },
    ONE_OF_EACH,
  );
}, 240_000);
afterAll(async () => {
  await stack.stop();
  await server.stop();
}, 60_000);

const reply = (action: string, commands: unknown = [], message = 'It is done.'): string =>
  json({ reasoning: { analysis: 'I see it.', confidence: 0.9 }, decision: { action, message }, commands });
const hasTried = (prompt: string): boolean => prompt.includes('# Past attempts');
const addressIn = (prompt: string): string => /https?:\/\/[^\s"]+?\/(?:parts|login)[^\s"]*/.exec(prompt)![0];
const call = (name: string, args: object): string => json({ name, arguments: args });
const SIGN_IN = [
  { action: 'INPUT_TEXT', parameters: { selector: 'Username', text: 'ada' } },
  { action: 'INPUT_TEXT', parameters: { selector: 'Password', text: 'babbage' } },
  { action: 'CLICK_ELEMENT', parameters: { selector: 'Sign in' } },
];
const ADD = { action: 'click element', element: 'Add one' };

/** Says a step in words first, and leads rightly where those are not followed. */
const leadsAfter = (step: string, prompt: string): string =>
  !prompt.includes('# Commands')
    ? json({ step })
    : hasTried(prompt)
      ? reply('done', undefined, 'The Count is 1.')
      : reply('act', [ADD]);

const MODELS = {
  'writes its calls as text': (prompt: string, turn: number) =>
    [
      `I go there.\n<tool_call>\n${call('navigate', { url: addressIn(prompt) })}\n</tool_call>`,
      `\`\`\`json\n${call('computer', { action: 'left_click', ref: 'Add one' })}\n\`\`\``,
      'read_page()',
      call('done', { success: 'true', answer: 'The Count is 1.', evidence: 'Count' }),
    ][turn] ?? 'The Count is 1.',
  'says that it is done': () => 'The button was pressed and the order was placed.',
  'breaks off its calls': () => '<tool_call>{"name": "navigate", "arguments": {"url": ',
  'names no page': (prompt: string, turn: number) =>
    turn === 0
      ? call('navigate', { url: addressIn(prompt) })
      : 'Accomplished successfully, everything went swimmingly.',
  'insists on a sign-in': (prompt: string) => reply('PROCEED', hasTried(prompt) ? [] : SIGN_IN),
  'only announces': () => reply('PROCEED', [], 'I will press the button now.'),
  'uses its own words': (prompt: string) =>
    hasTried(prompt)
      ? reply('done', undefined, 'The Count is 1.')
      : `Sure!\n\`\`\`\n${reply('Act', ADD)}\n\`\`\`\nBye {now}.`,
  'saves again and again': () =>
    reply('PROCEED', [{ action: 'SAVE_VARIABLE', parameters: { selector: 'role=heading', variableName: 'title' } }]),
  'goes on without commands': (prompt: string) =>
    hasTried(prompt) ? (/4\. You decided/.test(prompt) ? reply('done') : reply('retry')) : reply('act', [ADD]),
  'reads a step': () => json({ step: 'click "Add one"' }),
  'reads another step': (prompt: string) => leadsAfter('click "Add ten"', prompt),
  'reads a look for the deed': (prompt: string) => leadsAfter("wait until 'Count' is shown", prompt),
  'babbles first': (prompt: string, turn: number) =>
    /- CLICK_ELEMENT \{"/.test(prompt)
      ? reply('done')
      : hasTried(prompt) || turn > 2
        ? reply('act', [ADD])
        : 'I would rather talk.',
} satisfies Record<string, (prompt: string, turn: number) => string>;

async function ledBy(
  model: keyof typeof MODELS,
  step: unknown,
  start: string,
  { before = '', run = '', connection = 'default', agent = {} } = {},
) {
  server.heard.length = 0;
  const { sessionId } = await createApiClient(stack.api).startSession({
    ...(run === '' ? {} : { variables: { run } }),
    steps: typeof step === 'string' ? [`Open ${start}`, step] : [step],
    config: {
      executorConfig: { screenshotsEnabled: false },
      agent: { approvalMode: 'yolo', ...agent },
      investigation: 'never',
      ...(run === '' ? {} : { replay: 'prefer' }),
      aiConfig: { model: `${before}ai:openai-compatible/${model}`, connectionId: connection },
    },
  } as never);
  const status = await endOf(stack, sessionId, 100_000);
  return { status, ...(await stack.client.get(sessionId)) };
}

async function countOf(run: string): Promise<number> {
  const answer = (await (await fetch(`${stack.shop}/admin/counter?run=${run}`)).json()) as { count: number };
  return answer.count;
}

const opensFirst = (play: (prompt: string, turn: number) => string) => (prompt: string, turn: number) => {
  const address = /^# Step \d+\nOpen (\S+)$/m.exec(prompt)?.[1];
  if (address === undefined) return play(prompt, turn);
  return hasTried(prompt) ? reply('done') : reply('act', [{ action: 'OPEN_PAGE', parameters: { url: address } }]);
};
for (const [name, play] of Object.entries(MODELS)) MODELS[name as keyof typeof MODELS] = opensFirst(play) as never;

const INVITED = 'Press the button that adds one';

it('a task led by calls in text is done once, and its answer is what the page shows', async () => {
  const run = randomUUID();
  const task = { task: 'Press "Add one" once and say the count', url: `${stack.shop}/parts/counter?run=${run}` };
  const { status, error, answer } = await ledBy('writes its calls as text', task, '');
  expect({ status, error, count: await countOf(run) }).toEqual({ status: 'COMPLETED', error: null, count: 1 });
  expect(answer).toContain('Count is 1');
}, 120_000);

it.each(['says that it is done', 'breaks off its calls', 'names no page'] as const)(
  'a task of a model that %s does not end COMPLETED',
  async (model) => {
    const run = randomUUID();
    const task = { task: 'Press the button that adds one', url: `${stack.shop}/parts/counter?run=${run}`, maxSteps: 6 };
    const { status } = await ledBy(model, task, '');
    expect({ status, count: await countOf(run) }).toEqual({ status: 'FAILED', count: 0 });
  },
  120_000,
);

it('a step of a model that insists on a sign-in that the page refused fails with the words of the page', async () => {
  const step = 'Sign in as ada';
  const { status, error } = await ledBy('insists on a sign-in', step, `${stack.shop}/login?run=${randomUUID()}`);
  expect({ status, message: error?.message }).toEqual({
    status: 'FAILED',
    message: expect.stringMatching(/401|wrong/i),
  });
}, 120_000);

it('a step of a model that only announces what it will do fails', async () => {
  const run = randomUUID();
  const { status } = await ledBy('only announces', INVITED, `${stack.shop}/parts/counter?run=${run}`);
  expect({ status, count: await countOf(run) }).toEqual({ status: 'FAILED', count: 0 });
}, 120_000);

it.each(['uses its own words', 'goes on without commands', 'babbles first'] as const)(
  'a step of a model that %s is done once',
  async (model) => {
    const run = randomUUID();
    const { status, error } = await ledBy(model, INVITED, `${stack.shop}/parts/counter?run=${run}`);
    expect({ status, error, count: await countOf(run) }).toEqual({ status: 'COMPLETED', error: null, count: 1 });
    expect(new Set(server.heard).size).toBe(server.heard.length);
  },
  120_000,
);

it('a step of a model that saves again and again is done with the first time', async () => {
  const start = `${stack.shop}/parts/counter?run=${randomUUID()}`;
  const { status, variables } = await ledBy('saves again and again', 'Keep the title of the page as title', start);
  expect({ status, saved: variables.map(({ name }) => name) }).toEqual({ status: 'COMPLETED', saved: ['title'] });
}, 120_000);

const PLAIN = 'Could you make the count go up, with the one button for it?';
const calls = (): string[] => server.heard.map((body) => (body.includes('# Commands') ? 'led' : 'read'));

it('with rules first a model reads only the step that they cannot, and a recipe keeps what it has read', async () => {
  for (const expected of [['read'], []]) {
    const run = randomUUID();
    const { status, error } = await ledBy('reads a step', PLAIN, `${stack.shop}/parts/counter?run=\${run}`, {
      before: 'rules,',
      run,
    });
    const count = await countOf(run);
    expect({ status, error, count, calls: calls() }).toEqual({
      status: 'COMPLETED',
      error: null,
      count: 1,
      calls: expected,
    });
  }
}, 120_000);

it.each([
  ['reads another step', 'Would you raise it by one?'],
  ['reads a look for the deed', 'Would you please raise it by one?'],
] as const)(
  'a reading that does not fit page or step is not followed: the model that %s leads',
  async (model, asked) => {
    const run = randomUUID();
    const page = `${stack.shop}/parts/counter?run=\${run}`;
    const { status, error } = await ledBy(model, asked, page, { before: 'rules,', run });
    expect({ status, error, count: await countOf(run), calls: calls() }).toEqual({
      status: 'COMPLETED',
      error: null,
      count: 1,
      calls: ['read', 'read', 'led', 'led'],
    });
    // A reading that is not followed is no attempt.
    expect(server.heard[2]).toContain('This is attempt 1 of');
  },
  120_000,
);

it('a reading that leaves out a value of the step is not followed', async () => {
  const run = randomUUID();
  const start = `${stack.shop}/parts/counter?run=\${run}`;
  const { status } = await ledBy('reads a step', 'Could you make it go up by 7, please?', start, {
    before: 'rules,',
    run,
  });
  expect({ status, count: await countOf(run), first: calls()[0] }).toEqual({
    status: 'FAILED',
    count: 0,
    first: 'read',
  });
}, 120_000);

it('a small model is asked for a reading, and plain steps cost no call', async () => {
  const run = randomUUID();
  const asked = 'Make it one more than it is';
  const start = `${stack.shop}/parts/counter?run=\${run}`;
  const { status, error } = await ledBy('reads a step', asked, start, { connection: 'small', run });
  expect({ status, error, count: await countOf(run), calls: calls() }).toEqual({
    status: 'COMPLETED',
    error: null,
    count: 1,
    calls: ['read'],
  });
}, 120_000);

it('a small model says a task in the words of the rules, also where few turns are left', async () => {
  const run = randomUUID();
  const task = { task: 'Make it one more than it is', url: `${stack.shop}/parts/counter?run=${run}` };
  const { status, error } = await ledBy('reads a step', task, '', { connection: 'small', agent: { maxSteps: 6 } });
  expect({ status, error, count: await countOf(run), asked: server.heard.length }).toEqual({
    status: 'COMPLETED',
    error: null,
    count: 1,
    asked: 1,
  });
}, 120_000);

it('with rules first a task in their words costs no call, and the model leads one that they cannot read', async () => {
  for (const [model, task, answer, isLed] of [
    ['says that it is done', 'Click "Add one" and save the Count as count', 'count: 1', false],
    ['writes its calls as text', 'Press "Add one" once and say the count', 'Count is 1', true],
  ] as const) {
    const run = randomUUID();
    const url = `${stack.shop}/parts/counter?run=${run}`;
    const led = await ledBy(model, { task, url }, '', { before: 'rules,' });
    expect({ status: led.status, error: led.error, count: await countOf(run), isLed: server.heard.length > 0 }).toEqual(
      {
        status: 'COMPLETED',
        error: null,
        count: 1,
        isLed,
      },
    );
    expect(led.answer).toContain(answer);
  }
}, 120_000);

it('a task that rules have begun ends with what they say where the page refuses it', async () => {
  const url = `${stack.shop}/login?run=${randomUUID()}`;
  const task = 'Type "ada" into Username and "babbage" into Password, then click "Sign in"';
  const { status, error } = await ledBy('says that it is done', { task, url }, '', { before: 'rules,' });
  expect({ status, message: error?.message, calls: server.heard.length }).toEqual({
    status: 'FAILED',
    message: expect.stringMatching(/401|wrong/i),
    calls: 0,
  });
}, 120_000);
