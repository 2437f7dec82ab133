/** A real session, led by a model whose server is killed within an answer and restarted later. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';
import { startOwnServer, streamChat, type OwnServer, type OwnServerParts } from '../support/model-server/own-server';
import { turnsIn } from '../support/model-server/weak-models';
import { endOf, ONE_OF_EACH, startWholeStack, type WholeStack } from '../support/whole-stack';

/** How long the server is away: with the retries of this session alone its step would have failed before. */
const AWAY_MS = 4000;

let stack: WholeStack;
let server: OwnServer;
let restarted: Promise<void> | undefined;
const run = randomUUID();
const counter = (): string => `${stack.shop}/parts/counter?run=${run}`;

async function restart(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(': it begins\n\n');
  const { port } = server;
  await server.stop();
  await sleep(AWAY_MS);
  server = await startOwnServer({ chat, port });
}

const chat: OwnServerParts['chat'] = ({ messages }, response) => {
  const turn = turnsIn(messages as Parameters<typeof turnsIn>[0]);
  if (turn === 1 && restarted === undefined) {
    restarted = restart(response);
    return;
  }
  const calls = [
    { name: 'navigate', arguments: { url: counter() } },
    { name: 'computer', arguments: { action: 'left_click', ref: 'Add one' } },
    { name: 'read_page', arguments: {} },
    { name: 'done', arguments: { success: true, answer: 'The Count is 1.', evidence: 'Count' } },
  ];
  streamChat(response, { content: JSON.stringify(calls[turn]) });
};

beforeAll(async () => {
  server = await startOwnServer({ chat });
  stack = await startWholeStack({ OPENAI_COMPATIBLE_BASE_URL: server.url }, ONE_OF_EACH);
}, 240_000);
afterAll(async () => {
  await stack.stop();
  await restarted;
  await server.stop();
}, 60_000);

test('a task goes on when the server of its model was killed within an answer and came back', async () => {
  const { sessionId } = await stack.client.start({
    steps: [{ task: `Press “Add one” once at ${counter()} and say what the count is.` }],
    config: {
      aiConfig: { model: 'ai:openai-compatible/own' },
      agent: { approvalMode: 'yolo' },
      timeouts: { maxRetryAttempts: 1, retryDelayMs: 100 },
    },
  } as never);
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  expect(restarted).toBeDefined();
  const answer = await fetch(`${stack.shop}/admin/counter?run=${run}`);
  expect(await answer.json()).toMatchObject({ count: 1 });
}, 120_000);
