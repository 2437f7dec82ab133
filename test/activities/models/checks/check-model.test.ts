/** What `surefoot doctor --model` tries, at servers that behave as those that people run do. */
import { checkModel } from '../../../../activities/engine/models/checks/check-model';
import { createPricing } from '../../../../activities/engine/models/calls/prices';
import { startOwnServer, streamChat, type OwnServerParts } from '../../../support/model-server/own-server';

const MODEL = 'ai:openai-compatible/qwen3';
const USAGE = { prompt_tokens: 400, completion_tokens: 40, total_tokens: 440 };

const CALL = {
  tool_calls: [
    {
      index: 0,
      id: 'call-1',
      type: 'function',
      function: { name: 'add_to_cart', arguments: '{"article":"A7","count":2}' },
    },
  ],
};

/** A model that can do all that is tried. */
const able: OwnServerParts['chat'] = (asked, response) => {
  if (asked.tools !== undefined) streamChat(response, CALL, USAGE);
  else if (JSON.stringify(asked).includes('image/png')) streamChat(response, { content: 'Red.' }, USAGE);
  else streamChat(response, { content: asked.response_format === undefined ? '1,2,3' : '{"ok":true}' }, USAGE);
};

async function check(parts: OwnServerParts, env: NodeJS.ProcessEnv = {}) {
  const server = await startOwnServer(parts);
  try {
    const found = await checkModel(MODEL, { OPENAI_COMPATIBLE_BASE_URL: server.url, ...env }, createPricing(undefined));
    return { found, server };
  } finally {
    await server.stop();
  }
}

test('a model that can all is tried by four calls, one after the other, and its window is read', async () => {
  const pages = { '/props': { default_generation_settings: { n_ctx: 16_384 }, total_slots: 1 } };
  const { found, server } = await check({ chat: able, pages }, { OPENAI_COMPATIBLE_API_KEY: 'key-1' });
  expect(found).toEqual([
    {
      name: 'Model',
      health: 'good',
      message: expect.stringMatching(/qwen3 answered in \d+ ms: 400 tokens in, 40 out, its price is not known/),
    },
    { name: 'Tool call', health: 'good', message: `${MODEL} called a tool with the right arguments` },
    { name: 'Context window', health: 'good', message: `the server gives ${MODEL} 16384 tokens` },
    { name: 'Pictures', health: 'good', message: `${MODEL} sees pictures` },
    {
      name: 'Speed',
      health: 'good',
      message: expect.stringMatching(/qwen3 began after \d+ ms and wrote [\d.]+ tokens a second$/),
    },
    { name: 'Profile', health: 'good', message: `full is right for ${MODEL}` },
  ]);
  expect(server.chats).toHaveLength(4);
  expect(new Set(server.keys)).toEqual(new Set(['Bearer key-1']));
});

test.each<[server: string, pages: OwnServerParts['pages'], window: number]>([
  ['Ollama', { '/api/ps': { models: [{ name: 'qwen3:latest', context_length: 4096 }] } }, 4096],
  ['LM Studio', { '/api/v0/models': { data: [{ id: 'qwen3', loaded_context_length: 4096 }] } }, 4096],
  ['vLLM', { '/v1/models': { data: [{ id: 'qwen3', max_model_len: 32_768 }] } }, 32_768],
  ['TGI', { '/info': { max_total_tokens: 2048 } }, 2048],
])('the window that %s has loaded a model with is read, and one that is small is said', async (_, pages, size) => {
  const { found } = await check({ chat: able, pages: pages! });
  expect(found[2]).toMatchObject({
    health: size < 8192 ? 'poor' : 'good',
    message: expect.stringContaining(`${size} tokens`),
  });
});

test('each line of a model that is weak says what to do', async () => {
  const { found } = await check({
    chat: async (asked, response) => {
      if (asked.tools !== undefined)
        return streamChat(response, {
          content: '<tool_call>{"name": "add_to_cart", "arguments": {"article": "A7", "count": 2}}</tool_call>',
        });
      if (asked.response_format !== undefined) return streamChat(response, { content: 'Yes, I am here.' });
      // Reading 40 words takes it a fifth of a second: 2,500 tokens of a page take more than the limit of a call.
      await new Promise((resolve) => setTimeout(resolve, 1200));
      streamChat(response, { content: '1,2' }, { prompt_tokens: 50, completion_tokens: 4, total_tokens: 54 });
    },
  });
  expect(found).toEqual([
    {
      name: 'Model',
      health: 'bad',
      message: expect.stringMatching(/with “Yes, I am here.”: set SUREFOOT_MODEL_REPLY=function, or use a model/),
    },
    { name: 'Tool call', health: 'poor', message: expect.stringMatching(/wrote its call as text.*llama\.cpp --jinja/) },
    {
      name: 'Context window',
      health: 'poor',
      message: expect.stringMatching(/does not say the window.*set SUREFOOT_CONTEXT_WINDOW/),
    },
    { name: 'Pictures', health: 'good', message: expect.stringContaining('sees none') },
    {
      name: 'Speed',
      health: 'poor',
      message: expect.stringMatching(
        /a usual step takes about \d+ s, and 30 s is its limit; set SUREFOOT_MODEL_TIMEOUT_SECONDS=\d+ \(or/,
      ),
    },
    {
      name: 'Profile',
      health: 'good',
      message: expect.stringMatching(
        /^small is right .*no schema, .*slow\): .*SUREFOOT_CONNECTIONS='\{"small":.*"model":"qwen3","baseURL":"http:.*"profile":"small"\}\}'$/,
      ),
    },
  ]);
});

test('a server that takes no tools is good for steps; where nothing answers, nothing else is tried', async () => {
  const { found } = await check({
    chat: (asked, response) => {
      if (asked.tools === undefined) return able(asked, response);
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'tools are not supported', type: 'invalid_request_error' } }));
    },
  });
  expect(found.map(({ health }) => health)).toEqual(['good', 'poor', 'poor', 'good', 'good', 'good']);
  expect(found[1]!.message).toContain('tools are not supported');
  const stopped = await startOwnServer({ chat: able });
  await stopped.stop();
  const gone = { OPENAI_COMPATIBLE_BASE_URL: stopped.url };
  expect(await checkModel(MODEL, gone, createPricing(undefined))).toEqual([
    { name: 'Model', health: 'bad', message: expect.stringContaining('ECONNREFUSED') },
  ]);
});
