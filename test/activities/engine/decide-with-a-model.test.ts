/** One decision of a vendor's model, whole: the activity, the SDK, the wire, the log, the bill. */
import { CancelledFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createEngineActivities } from '../../../activities/engine-worker';
import type { DecideInput, DecideOutput } from '../../../activities/signatures/engine-activities';
import { createPricing } from '../../../activities/engine/models/calls/prices';
import { createModelResolver } from '../../../activities/engine/models/resolve-model';
import { CALL_HELD } from '../../../contracts/models/model-limits';
import { StreamEventType } from '../../../contracts/events/stream-event';
import type { LogRecord } from '../../../contracts/events/log';
import type { PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import { sessionUsage } from '../../../contracts/models/usage';
import type { Store } from '../../../store/store';
import { aCommand, aReply, aSession, aStepFor } from '../../support/builders';
import { aToolRegistry } from '../../support/engine-tools';
import { eventually } from '../../support/eventually';
import { SSE_HEADERS, geminiAnswers, geminiChunks, geminiLine } from '../../support/model-server/gemini';
import { googleError } from '../../support/model-server/references/gemini';
import { refuses, silent, startModelServer, type ModelServer, type Play } from '../../support/model-server/server';
import { openaiAnswers } from '../../support/model-server/vendors';
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
const look: PageSnapshot = {
  snapshotId: 'l',
  url: 'https://shop.test/',
  title: 'Shop',
  tabs: [],
  nodes: [{ role: 'button', name: 'Buy', ref: 'e7' }],
};
const GOOD = aReply({ commands: [aCommand('CLICK_ELEMENT', { selector: 'ref=e7' })] });
/** As a model writes it: thoughts first. */
const asText = ({ reasoning, ...rest }: ReturnType<typeof aReply>): string => JSON.stringify({ reasoning, ...rest });

function env(): NodeJS.ProcessEnv {
  return { VERTEX_PROJECT: 'acme', VERTEX_API_ENDPOINT: server.host, VERTEX_ACCESS_TOKEN: 't' };
}

async function aStep(): Promise<DecideInput> {
  const sessionId = await aSession(store, { runId });
  await store.memory.saveSnapshot(sessionId, {}, look);
  return {
    sessionId,
    stepIndex: 0,
    turn: 0,
    step: aStepFor(model),
    mayAct: true,
    outbox: { records: [], patch: {}, stepResults: [] },
  };
}

function activitiesOf(more: NodeJS.ProcessEnv = {}) {
  return createEngineActivities({
    store,
    ...aToolRegistry(store),
    resolveModel: createModelResolver({ ...env(), ...more }),
    pricing: createPricing(undefined),
    defaultModel: model,
    hasSearchAttributes: false,
    pauseReleaseMs: 0,
    requestCancel: async () => {},
  });
}

function environmentOf({ sessionId }: DecideInput, attempt = 1, activityId = '7'): MockActivityEnvironment {
  const workflowExecution = { workflowId: sessionId, runId };
  const info = { workflowExecution, attempt, activityId, heartbeatTimeoutMs: 300 };
  return new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR') });
}

function activityOf(input: DecideInput, attempt = 1, more: NodeJS.ProcessEnv = {}) {
  const { decide } = activitiesOf(more);
  const environment = environmentOf(input, attempt);
  return { environment, result: environment.run(decide, input) as Promise<DecideOutput> };
}

const decide = (input: DecideInput, attempt?: number, more?: NodeJS.ProcessEnv) =>
  activityOf(input, attempt, more).result;
const failureOf = (input: DecideInput) => decide(input).catch((error: unknown) => error);
const logOf = ({ sessionId }: DecideInput) => store.log.read(sessionId, 0, 500);
const isDelta = ({ data }: LogRecord) => data.details?.['delta'] !== undefined;
const isReset = ({ data }: LogRecord) => data.details?.['reset'] === true;
const wordsOf = (log: LogRecord[]) => log.filter(isDelta).map(({ data }) => data.details!['delta'] as string);
const usageOf = async ({ sessionId }: DecideInput) => sessionUsage(await store.modelCalls.usageOf(sessionId));

test('of two attempts that do not know of each other the first reply counts, for both and in the log', async () => {
  const input = await aStep();
  const overtaking = Promise.withResolvers<DecideOutput>();
  server.play(async (response, heard) => {
    server.play(geminiAnswers({ text: asText(GOOD) }));
    overtaking.resolve(await decide(input, 2));
    const other = { ...GOOD, decision: { ...GOOD.decision, message: 'Something else.' } };
    await geminiAnswers({ text: asText(other) })(response, heard);
  });
  const late = await decide(input);
  // Both calls have cost something by then.
  expect(late).toEqual({ ...(await overtaking.promise), spent: late.spent });
  expect(late.message).toBe(GOOD.decision.message);
  expect(await store.memory.repliesOf(input.sessionId, 0)).toMatchObject([
    { reply: { decision: { message: GOOD.decision.message } } },
  ]);
  expect((await logOf(input)).filter(({ data }) => data.message !== undefined)).toHaveLength(1);
});

test('a session that names a model connection calls its server with its key, within its limits', async () => {
  server.play(openaiAnswers(asText(GOOD)));
  const connection = {
    vendor: 'ai:openai-compatible',
    model: 'qwen3',
    baseURL: `https://${server.host}/v1`,
    keyEnv: 'TEAM_A_TOKEN',
    requestsPerMinute: 1,
  };
  const more = {
    OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:1',
    OPENAI_COMPATIBLE_API_KEY: 'the-key-of-another-account',
    TEAM_A_TOKEN: 'the-token-of-team-a',
    SUREFOOT_CONNECTIONS: JSON.stringify({ 'team-a': connection }),
  };
  const through = async (connectionId: string) => {
    const input = await aStep();
    const { step } = input;
    const options = {
      ...step.options,
      aiConfig: { ...step.options.aiConfig, model: 'ai:openai-compatible/qwen3', connectionId },
    };
    return { ...input, step: { ...step, options } };
  };
  expect((await decide(await through('team-a'), 1, more)).model).toBe('ai:openai-compatible/qwen3');
  expect(server.heard.map(({ headers }) => headers.authorization)).toEqual(['Bearer the-token-of-team-a']);
  // Of the minute nothing is left.
  const held = await decide(await through('team-a'), 1, more).catch((error: unknown) => error);
  expect(held).toMatchObject({ type: CALL_HELD, message: expect.stringContaining('1 request') });
  const unknown = await decide(await through('team-b'), 1, more).catch((error: unknown) => error);
  expect(unknown).toMatchObject({ type: 'AI001', message: expect.stringContaining('connection “team-b”') });
});

test('words and thoughts are in the log while the model still writes, and the reply is there once', async () => {
  const input = await aStep();
  const chunks = geminiChunks({ text: asText(GOOD) });
  const rest = Promise.withResolvers<void>();
  server.play(async (response) => {
    response.writeHead(200, SSE_HEADERS);
    // All but the end: the thoughts are whole, the commands are not.
    response.write(chunks.slice(0, -2).map(geminiLine).join(''));
    await rest.promise;
    response.end(chunks.slice(-2).map(geminiLine).join(''));
  });
  const deciding = decide(input);
  const early = await eventually('thoughts in the log', async () =>
    (await logOf(input)).find(({ type }) => type === StreamEventType.AI_REASONING),
  );
  expect(early.data.reasoning).toMatchObject({ thought: 'I looked.', confidence: 0.9, reasoningType: 'plan' });
  expect((await logOf(input)).some(({ data }) => data.message !== undefined)).toBe(false);
  rest.resolve();

  expect(await deciding).toMatchObject({ decision: 'PROCEED', model, commands: [{ target: { name: 'Buy' } }] });
  const log = await logOf(input);
  expect(wordsOf(log).join('')).toBe(asText(GOOD));
  expect(log.filter(({ type }) => type === StreamEventType.AI_REASONING)).toHaveLength(1);
  const [answer] = log.filter(({ data }) => data.message !== undefined);
  expect(answer?.data).toMatchObject({
    message: 'done',
    details: {
      decision: 'PROCEED',
      model,
      usage: { inputTokens: 1200, outputTokens: 80 },
      commands: ['CLICK_ELEMENT'],
    },
  });
  expect(answer?.data.details?.['promptSizes']).toMatchObject({ page: expect.any(Number), system: expect.any(Number) });
  expect(log.at(-1)).toEqual(answer);
  // Asked again, it answers from what was kept: nobody pays twice.
  expect(await decide(input, 2)).toMatchObject({ decision: 'PROCEED' });
  expect(server.heard).toHaveLength(1);
  expect(await logOf(input)).toEqual(log);
});

test('[S1.R8, S1.A9] the model sees no session id; its commands get ids and keep their order', async () => {
  const input = await aStep();
  const commands = [
    { ...aCommand('GET_DOM', {}), priority: 9 },
    { ...aCommand('CLICK_ELEMENT', { selector: 'ref=e7' }), priority: 1 },
  ];
  server.play(geminiAnswers({ text: asText(aReply({ commands })) }));
  const { commands: planned } = await decide(input);
  expect(planned.map(({ action, commandId }) => [action, commandId])).toEqual([
    ['GET_DOM', `${input.sessionId}.0.0.0`],
    ['CLICK_ELEMENT', `${input.sessionId}.0.0.1`],
  ]);
  expect(JSON.stringify(server.heard.at(-1)?.body)).toContain('Buy a bean');
  expect(JSON.stringify(server.heard.at(-1)?.body)).not.toContain(input.sessionId);
});

test('ids of words carry activity, attempt and call; a second attempt says that earlier words are void', async () => {
  const input = await aStep();
  server.play(geminiAnswers({ text: asText(GOOD) }));
  await decide(input, 2);
  const log = await logOf(input);
  expect(log[0]).toMatchObject({
    eventId: `${input.sessionId}.0.0/reset/7.2.0`,
    attempt: 2,
    data: { details: { reset: true } },
  });
  expect(log[1]!.eventId).toBe(`${input.sessionId}.0.0/delta/0/7.2.0`);
  expect(wordsOf(log).join('')).toBe(asText(GOOD));
});

test('a call that breaks off leaves its words, a reset behind them, and what it cost', async () => {
  const input = await aStep();
  server.play((response) => {
    response.writeHead(200, SSE_HEADERS);
    response.write(geminiLine(geminiChunks({ text: asText(GOOD) })[0]!), () =>
      setTimeout(() => response.destroy(), 200),
    );
  });
  expect(await failureOf(input)).toMatchObject({ type: 'TL002', nonRetryable: true, details: [{ retryable: true }] });
  const log = await logOf(input);
  expect(wordsOf(log)).toHaveLength(1);
  expect(isReset(log.at(-1)!)).toBe(true);
  const { inputTokens, ...bill } = await usageOf(input);
  expect(bill).toMatchObject({ calls: 1, isEstimated: true });
  // The schema of the answer is input too.
  const { generationConfig, ...prompt } = server.heard[0]!.body as { generationConfig: { responseSchema: object } };
  const schema = JSON.stringify(generationConfig.responseSchema);
  expect(inputTokens).toBeGreaterThan((JSON.stringify(prompt).length + schema.length * 0.7) / 4);
});

test('[S3.A5] a reply counts every call of its turn that is billed: investigation, lost call and repair', async () => {
  const input = await aStep();
  const judgement = { summary: 'A shop.', focus: ['Buy'], elements: [], confidence: 0.5 };
  server.play(
    geminiAnswers({ text: JSON.stringify(judgement) }),
    (response) => {
      response.writeHead(200, SSE_HEADERS);
      response.write(geminiLine(geminiChunks({ text: asText(GOOD) })[0]!), () => response.destroy());
    },
    geminiAnswers({ text: '{"decision":' }),
    geminiAnswers({ text: asText(GOOD) }),
  );
  const { assess } = activitiesOf();
  await environmentOf(input, 1, '6').run(assess, { ...input, phase: 'initial_assessment' as const });
  await failureOf(input);
  await decide(input, 2);
  expect(server.heard).toHaveLength(4);
  const bill = await usageOf(input);
  const log = await logOf(input);
  const replies = log.flatMap(({ facts }) => (facts?.kind === 'reply' ? [facts] : []));
  expect(replies).toEqual([expect.objectContaining({ billedCalls: 4, cost: bill.cost })]);
  expect(replies[0]!.usage).toEqual({
    inputTokens: bill.inputTokens,
    outputTokens: bill.outputTokens,
    cachedTokens: bill.cachedTokens,
  });
});

test('a reply that does not fit goes back once, with exactly what is wrong with it', async () => {
  const input = await aStep();
  const wrong = JSON.stringify(aReply({ commands: [aCommand('CLICK_ELEMENT', { selector: 'ref=e99' })] }));
  server.play(geminiAnswers({ text: wrong }), geminiAnswers({ text: asText(GOOD) }));
  const spent = { tokens: 2560, cost: 0.00112 };
  expect(await decide(input)).toMatchObject({ commands: [{ target: { name: 'Buy' } }], spent });
  expect(server.heard).toHaveLength(2);
  expect(server.heard[1]!.body['contents']).toMatchObject([
    { role: 'user' },
    { role: 'model', parts: [{ text: wrong }] },
    {
      role: 'user',
      parts: [
        {
          text: expect.stringContaining(
            'commands[0].parameters.selector: the page in this request has no element with the ref e99',
          ),
        },
      ],
    },
  ]);
  const log = await logOf(input);
  expect(log.filter(isReset)).toHaveLength(1);
  expect(wordsOf(log.slice(log.findIndex(isReset))).join('')).toBe(asText(GOOD));
  expect(await usageOf(input)).toMatchObject({ calls: 2, inputTokens: 2400, outputTokens: 160, cost: '0.00112' });
});

test('a reply that never fits costs an attempt, each by another request; S1.A26: the last is TL003', async () => {
  server.play(geminiAnswers({ text: 'I would rather talk about beans.' }));
  const input = await aStep();
  expect(await decide(input)).toMatchObject({ decision: 'RETRY', commands: [{ action: 'GET_DOM' }] });
  await store.memory.saveSnapshot(input.sessionId, {}, look);
  expect(await failureOf({ ...input, turn: 1 })).toMatchObject({ type: 'TL003', details: [{ retryable: false }] });
  const requests = server.heard.map(({ body }) => JSON.stringify(body['contents']));
  expect(requests).toHaveLength(6);
  expect(new Set(requests).size).toBe(6);
  expect(requests[3]).toContain('did not fit');

  server.play(geminiAnswers({ text: 'I would rather talk about beans.' }));
  const only = { ...(await aStep()), step: aStepFor(model, { instruction: 'Buy a bean', maxIterations: 1 }) };
  expect(await failureOf(only)).toMatchObject({ type: 'TL003' });
});

test('S1.A26: a reply that does not fit gets defaults and a warning when lenient', async () => {
  server.play(geminiAnswers({ text: 'I would rather talk about beans.' }));
  const lenient = {
    ...(await aStep()),
    step: aStepFor(model, { instruction: 'Buy a bean', validationMode: 'lenient' }),
  };
  expect(await decide(lenient)).toMatchObject({ decision: 'PROCEED', confidence: 0.5, commands: [] });
  const warnings = (await logOf(lenient)).filter(({ type }) => type === StreamEventType.WARNING_ISSUED);
  expect(warnings).toMatchObject([
    { data: { warning: { code: 'TL003', message: expect.stringContaining('defaults') } } },
  ]);
});

test('a question that is too long is asked once more with less of the page, and a warning says so', async () => {
  const tooLong = refuses(
    400,
    googleError(400, 'INVALID_ARGUMENT', 'The input token count (9) exceeds the maximum number of tokens allowed (8).'),
  );
  const big = {
    ...look,
    nodes: Array.from({ length: 400 }, (_, n) => ({
      role: n % 2 ? 'link' : 'button',
      name: `Thing ${n}`,
      ref: `e${n}`,
    })),
  };
  const input = await aStep();
  await store.memory.saveSnapshot(input.sessionId, {}, big);
  server.play(tooLong, geminiAnswers({ text: asText(aReply({})) }));
  expect(await decide(input)).toMatchObject({ decision: 'PROCEED' });
  const [first, second] = server.heard.map(({ body }) => JSON.stringify(body['contents']).length);
  expect(second! * 2).toBeLessThan(first!);
  const warnings = (await logOf(input)).filter(({ type }) => type === StreamEventType.WARNING_ISSUED);
  expect(warnings).toMatchObject([
    { data: { warning: { code: 'AI005', message: expect.stringContaining('with 2500 characters of the page') } } },
  ]);

  server.play(tooLong);
  const hopeless = await aStep();
  expect(await failureOf(hopeless)).toMatchObject({ type: 'AI005', details: [{ retryable: false }] });
  expect(server.heard).toHaveLength(2);
  // Refused calls are counted, and cost nothing.
  expect(await usageOf(hopeless)).toMatchObject({ calls: 2, totalTokens: 0, cost: '0', isEstimated: false });
});

test('an answer that was cut off is asked for once more, with four times the room', async () => {
  const cut = geminiAnswers({ text: '{"reasoning": {"anal', finishReason: 'MAX_TOKENS' });
  server.play(cut, geminiAnswers({ text: asText(aReply({})) }));
  const input = await aStep();
  expect(await decide(input)).toMatchObject({ decision: 'PROCEED' });
  const rooms = server.heard.map(
    ({ body }) => (body['generationConfig'] as { maxOutputTokens: number }).maxOutputTokens,
  );
  expect(rooms[1]! / rooms[0]!).toBe(4);
  expect(await usageOf(input)).toMatchObject({ calls: 2 });

  const tooMuch = refuses(400, googleError(400, 'INVALID_ARGUMENT', 'max_output_tokens is above 8192.'));
  for (const second of [cut, tooMuch]) {
    server.play(cut, second);
    expect(await failureOf(await aStep())).toMatchObject({ type: 'AI004', details: [{ retryable: false }] });
    expect(server.heard).toHaveLength(2);
  }
});

test('a model that writes no more than it has to is understood in one call', async () => {
  const input = await aStep();
  const plain = {
    reasoning: { analysis: 'There is a Buy button.', confidence: 0.9 },
    decision: { action: 'RETRY', message: 'I buy the bean and look.' },
    commands: [{ action: 'CLICK_ELEMENT', parameters: { selector: 'ref=e7' } }, { action: 'GET_DOM' }],
  };
  server.play(geminiAnswers({ text: JSON.stringify(plain) }));
  expect(await decide(input)).toMatchObject({
    decision: 'RETRY',
    commands: [
      { action: 'CLICK_ELEMENT', target: { name: 'Buy' } },
      { action: 'GET_DOM', parameters: {} },
    ],
  });
  expect(server.heard).toHaveLength(1);
  const log = await logOf(input);
  expect(log.filter(({ type }) => type === StreamEventType.AI_REASONING)).toMatchObject([
    { data: { reasoning: { thought: 'There is a Buy button.' } } },
  ]);
});

test('a vendor that refuses the refs in a schema is asked without them, from then on', async () => {
  const message = 'The specified schema produces a constraint that has too many states for serving.';
  server.play(async (response, heard) => {
    const isRefused = JSON.stringify(heard.body['generationConfig']).includes('"e7"');
    const play = isRefused
      ? refuses(400, googleError(400, 'INVALID_ARGUMENT', message))
      : geminiAnswers({ text: asText(GOOD) });
    await play(response, heard);
  });
  const activities = activitiesOf();
  for (const calls of [2, 3]) {
    const input = await aStep();
    expect(await environmentOf(input).run(activities.decide, input)).toMatchObject({ decision: 'PROCEED' });
    expect(server.heard).toHaveLength(calls);
  }
});

test('a model may answer by calling a function', async () => {
  const input = await aStep();
  server.play(geminiAnswers({ functionCall: { name: 'answer', args: GOOD } }));
  expect(await decide(input, 1, { SUREFOOT_MODEL_REPLY: 'function' })).toMatchObject({
    commands: [{ target: { name: 'Buy' } }],
  });
  expect(server.heard[0]!.body).toMatchObject({ tools: [{ functionDeclarations: [{ name: 'answer' }] }] });
});

const hanging: Play = (response) => {
  response.writeHead(200, SSE_HEADERS);
  response.write(geminiLine(geminiChunks({ text: asText(GOOD) })[0]!));
};

test.each<[what: string, play: Play, message: string]>([
  ['says nothing', silent, 'sent nothing for 700 ms'],
  [
    'never comes to its end',
    async (response) => {
      const [first] = geminiChunks({ text: asText(GOOD) });
      response.writeHead(200, SSE_HEADERS);
      while (!response.destroyed) {
        response.write(geminiLine(first!));
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    'still writing after 700 ms',
  ],
])('aiConfig.timeoutMs bounds the call of a model that %s, and closes its socket', async (_what, play, message) => {
  const input = await aStep();
  const { options } = input.step;
  const step = { ...input.step, options: { ...options, aiConfig: { ...options.aiConfig, timeoutMs: 700 } } };
  server.play(play);
  expect(await failureOf({ ...input, step })).toMatchObject({
    type: 'TL002',
    message: expect.stringContaining(message),
  });
  await eventually('the closed socket', () => server.heard[0]!.isAbandoned);
});

test('a long call beats its heart; a cancelled one closes its socket', async () => {
  const input = await aStep();
  server.play(hanging);
  const { environment, result } = activityOf(input);
  let beats = 0;
  environment.on('heartbeat', () => (beats += 1));
  const ended = result.catch((error: unknown) => error);
  await eventually('the first words', async () => (await logOf(input)).some(isDelta));
  await eventually('beats', () => beats >= 3);
  environment.cancel();
  expect(await ended).toBeInstanceOf(CancelledFailure);
  await eventually('the closed socket', () => server.heard[0]!.isAbandoned);
});

test('a session that has been taken over stops paying: the socket is closed at the next words', async () => {
  const input = await aStep();
  const go = Promise.withResolvers<void>();
  server.play(async (response) => {
    const [first, second] = geminiChunks({ text: asText(GOOD) });
    response.writeHead(200, SSE_HEADERS);
    response.write(geminiLine(first!));
    await go.promise;
    response.write(geminiLine(second!));
  });
  const failed = failureOf(input);
  await eventually('the first words', async () => (await logOf(input)).some(isDelta));
  await store.sessions.assignRun(input.sessionId, 'run-2', runId);
  go.resolve();
  expect(await failed).toMatchObject({ type: 'SessionSuperseded' });
  await eventually('the closed socket', () => server.heard[0]!.isAbandoned);
});
