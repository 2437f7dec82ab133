/** A server such as vLLM: it refuses a request whose prompt and `max_tokens` together are more than its window. */
import { createLanguageModel } from '../../../../activities/engine/models/resolve-model';
import { createPromptedModel } from '../../../../activities/engine/models/prompted-model';
import { contextWindowOf, pageWithin } from '../../../../activities/engine/models/calls/context-window';
import { o200k } from '../../../../bench/characters/tokenizer';
import type { CallListener, DecisionRequest } from '../../../../contracts/model-port/port';
import { aCommand, aReply } from '../../../support/builders';
import { startOwnServer, streamChat, type OwnServer } from '../../../support/model-server/own-server';

const MODEL = 'ai:openai-compatible/qwen3';
const WINDOW = 4096;
const goods = Array.from({ length: 400 }, (_, index) => ({
  role: 'link',
  name: `Tent number ${index} for two people`,
  ref: `e${index + 10}`,
}));
const request: DecisionRequest = {
  instruction: 'Click "Buy"',
  stepIndex: 0,
  iteration: 0,
  maxIterations: 8,
  mayAct: true,
  snapshot: {
    snapshotId: 'look-1',
    url: 'https://shop.test/',
    title: 'Tents',
    tabs: [],
    nodes: [{ role: 'generic', ref: 'e1', children: [{ role: 'button', name: 'Buy', ref: 'e7' }, ...goods] }],
  },
  variables: [],
  now: new Date('2026-03-02T12:00:00Z'),
  pastIterations: [],
};
const listener: CallListener = {
  started: () => Promise.resolve(),
  delta: () => {},
  discarded: () => Promise.resolve(),
  ended: () => Promise.resolve(),
};

let server: OwnServer;
beforeAll(async () => {
  const tokensOf = o200k();
  server = await startOwnServer({
    chat: ({ messages, max_tokens: most = 0 }, response) => {
      const prompt = tokensOf(JSON.stringify(messages));
      if (prompt + most <= WINDOW)
        return streamChat(response, {
          content: JSON.stringify(aReply({ commands: [aCommand('CLICK_ELEMENT', { selector: 'ref=e7' })] })),
        });
      const message = `This model's maximum context length is ${WINDOW} tokens. However, you requested ${prompt + most} tokens.`;
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message, type: 'BadRequestError', code: 400 } }));
    },
  });
});
afterAll(() => server.stop());

const decide = async (env: NodeJS.ProcessEnv) => {
  server.chats.length = 0;
  const model = createPromptedModel(
    createLanguageModel(MODEL, { OPENAI_COMPATIBLE_BASE_URL: server.url, ...env }),
    'json',
  );
  return await model.decide(request, {
    signal: new AbortController().signal,
    ai: { connectionId: 'default', model: MODEL, temperature: 0.1, maxTokens: 4000, timeoutMs: 20_000 },
    validationMode: 'strict',
    nonce: 'a1b2c3d4e5f6',
    listener,
  });
};

test('page and answer are kept within the window that SUREFOOT_CONTEXT_WINDOW says, so one call suffices', async () => {
  await expect(decide({})).rejects.toThrow('maximum context length');
  const { reply } = await decide({ SUREFOOT_CONTEXT_WINDOW: String(WINDOW) });
  expect(reply).toMatchObject({ commands: [{ action: 'CLICK_ELEMENT', parameters: { selector: 'ref=e7' } }] });
  expect(server.chats).toHaveLength(1);
  expect(server.chats[0]!.max_tokens).toBe(WINDOW / 2);
});

test('the window of a vendor’s model is that of the vendor, and a long one takes nothing away', () => {
  const env = { SUREFOOT_CONTEXT_WINDOW: '4096' };
  expect(contextWindowOf('genai/gemini-2.5-flash', env)).toBe(1_048_576);
  expect(contextWindowOf(MODEL, env)).toBe(4096);
  expect(contextWindowOf(MODEL, {})).toBeUndefined();
  expect([undefined, 32_768, 4096, 1024].map((window) => pageWithin(window, 10_000, 4000))).toEqual([
    10_000, 10_000, 2544, 1000,
  ]);
});
