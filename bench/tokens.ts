import { randomUUID } from 'node:crypto';
import { SHOP_TASK } from './characters/shop-task';
import { startCharacterServer, type HeardRequest } from './characters/server';
import { endedSession, openHarness, SHOP_PASSWORD } from './harness/harness';
import { o200k } from './characters/tokenizer';

/** It took 24,900 while the model opened the address itself, and older turns were sent as they were. */
const GOAL = 12_000;
const LIMIT_MS = 300_000;

/**
 * Counts the tokens of every request of one task, an order in the shop, by one tokenizer. The model is a character that
 * knows nothing but what it is sent, and reads the page where it is not shown it.
 */
export async function measureTokens([character = 'forgetful']: string[]): Promise<boolean> {
  const server = await startCharacterServer(o200k());
  const harness = await openHarness({ OPENAI_COMPATIBLE_BASE_URL: server.url, SHOP_PASSWORD });
  try {
    const run = randomUUID();
    const { sessionId } = await harness.sessions.start({
      steps: [{ task: SHOP_TASK, url: `${harness.shop}/login?run=${run}` }],
      variables: { password: { env: 'SHOP_PASSWORD' } },
      config: {
        executorConfig: { screenshotsEnabled: false },
        agent: { approvalMode: 'yolo' },
        aiConfig: { model: `ai:openai-compatible/${character}` },
      },
    });
    const { session, answer } = await endedSession(harness.sessions, sessionId, LIMIT_MS);
    const { count } = (await (await fetch(`${harness.shop}/admin/orders?run=${run}`)).json()) as { count: number };
    const total = print(server.heard);
    console.log(`${session.status}, ${count} order(s); it answers: ${answer ?? 'nothing'}`);
    return session.status === 'COMPLETED' && count === 1 && total <= GOAL;
  } finally {
    await harness.stop();
    await server.stop();
  }
}

function print(heard: readonly HeardRequest[]): number {
  const rows = heard.map(({ tokens: { instructions, messages, answer }, calls }, index) => ({
    turn: index + 1,
    calls: calls.join(', ') || 'an answer',
    instructions,
    conversation: messages,
    request: instructions + messages,
    reply: answer,
  }));
  console.table(rows);
  const sum = (member: 'instructions' | 'conversation' | 'request' | 'reply'): number =>
    rows.reduce((total, row) => total + row[member], 0);
  console.log(
    `${rows.length} turns: ${sum('request')} tokens sent (${sum('instructions')} of instructions and tools, ` +
      `${sum('conversation')} of conversation; goal: at most ${GOAL}), ${sum('reply')} replied.`,
  );
  return sum('request');
}
