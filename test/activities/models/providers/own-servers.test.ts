/**
 * Servers that somebody runs beside the workers, by conversations in the words of each: llama.cpp, vLLM, Ollama, LM Studio
 * and TGI. They are played over TLS to the real package, as the server writes them.
 */
import { createLanguageModel } from '../../../../activities/engine/models/resolve-model';
import { aRequest, providerErrorOf } from '../../../support/model-server/request';
import { refuses, startModelServer, type ModelServer, type Play } from '../../../support/model-server/server';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.stop());

const NAME = 'ai:openai-compatible/qwen2.5-coder';
const ask = (change = {}) =>
  createLanguageModel(NAME, { OPENAI_COMPATIBLE_BASE_URL: `https://${server.host}/v1` }).generate(aRequest(change));

const ANSWER = '{"thought":"fine","commands":[]}';
const line = (value: object | string): string =>
  `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
const chunk = (delta: object, finish_reason: string | null = null, more: object = {}): string =>
  line({
    id: 'chatcmpl-7',
    object: 'chat.completion.chunk',
    created: 1_790_000_000,
    model: 'qwen2.5-coder',
    choices: [{ index: 0, delta, finish_reason }],
    ...more,
  });
const plays = (lines: readonly string[]): Play => {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const each of lines) response.write(each);
    response.end();
  };
};

test.each<[server: string, lines: string[], usage: object | undefined]>([
  [
    'llama.cpp, with its timings and usage in the last chunk',
    [
      chunk({ role: 'assistant', content: null }),
      chunk({ content: ANSWER }),
      chunk({}, 'stop', {
        usage: { completion_tokens: 9, prompt_tokens: 530, total_tokens: 539 },
        timings: { prompt_n: 530, predicted_n: 9, predicted_per_second: 9.1 },
      }),
      line('[DONE]'),
    ],
    { inputTokens: 530, outputTokens: 9, cachedTokens: 0 },
  ],
  [
    'vLLM, with an empty role, a stop reason of its own and usage in a chunk of no choices',
    [
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: ANSWER }),
      line({
        id: 'chatcmpl-7',
        object: 'chat.completion.chunk',
        created: 1_790_000_000,
        model: 'qwen2.5-coder',
        choices: [{ index: 0, delta: { content: '' }, logprobs: null, finish_reason: 'stop', stop_reason: 151_643 }],
      }),
      line({
        id: 'chatcmpl-7',
        object: 'chat.completion.chunk',
        created: 1_790_000_000,
        model: 'qwen2.5-coder',
        choices: [],
        usage: { prompt_tokens: 530, total_tokens: 539, completion_tokens: 9 },
      }),
      line('[DONE]'),
    ],
    { inputTokens: 530, outputTokens: 9, cachedTokens: 0 },
  ],
  [
    'Ollama, without usage',
    [chunk({ role: 'assistant', content: ANSWER }), chunk({ role: 'assistant', content: '' }, 'stop'), line('[DONE]')],
    undefined,
  ],
  [
    'LM Studio, behind a comment that keeps the connection alive',
    [': ping\n\n', chunk({ role: 'assistant', content: ANSWER }), chunk({}, 'stop'), line('[DONE]')],
    undefined,
  ],
  [
    'TGI, which ends by eos_token',
    [chunk({ role: 'assistant', content: ANSWER }), chunk({}, 'eos_token'), line('[DONE]')],
    undefined,
  ],
])('an answer of %s is read', async (_, lines, usage) => {
  server.play(plays(lines));
  const generation = await ask();
  expect(generation).toMatchObject({ text: ANSWER, stopReason: 'end_turn' });
  expect(generation.usage).toEqual(usage);
});

test.each<[server: string, lines: string[], kind: string, isFinal: boolean]>([
  ['vLLM that gives a request up', [chunk({ content: '{' }), chunk({}, 'abort'), line('[DONE]')], 'cut', false],
  [
    'Ollama that only loads its model',
    [chunk({ role: 'assistant', content: '' }, 'load'), line('[DONE]')],
    'cut',
    false,
  ],
  ['llama.cpp at the end of its tokens', [chunk({ content: '{"th' }), chunk({}, 'length')], 'truncated', true],
])('%s is a failure that says what may be tried', async (_, lines, kind, isFinal) => {
  server.play(plays(lines));
  expect(await providerErrorOf(ask())).toMatchObject({ kind, more: { isFinal } });
});

test.each<[server: string, status: number, body: object]>([
  [
    'llama.cpp',
    400,
    {
      error: {
        code: 400,
        message: 'the request exceeds the available context size, try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 5203,
        n_ctx: 4096,
      },
    },
  ],
  [
    'vLLM',
    400,
    {
      error: {
        message:
          "This model's maximum context length is 4096 tokens. However, you requested 5203 tokens (4203 in the messages, 1000 in the completion).",
        type: 'BadRequestError',
        param: null,
        code: 400,
      },
    },
  ],
  [
    'vLLM with a prompt that alone is too long',
    400,
    {
      error: {
        message: 'The decoder prompt (length 5203) is longer than the maximum model length of 4096.',
        type: 'BadRequestError',
        code: 400,
      },
    },
  ],
  ['Ollama', 400, { error: { message: 'the input length exceeds the context length', type: 'invalid_request_error' } }],
  [
    'LM Studio',
    400,
    {
      error:
        'Trying to keep the first 5203 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
    },
  ],
  [
    'TGI',
    422,
    {
      error:
        '`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4203 `inputs` tokens and 1000 `max_new_tokens`',
      error_type: 'validation',
    },
  ],
])('a request that is too long for %s is not taken for one that is wrong', async (_, status, body) => {
  server.play(refuses(status, body));
  expect(await providerErrorOf(ask())).toMatchObject({ kind: 'too-long', code: 'AI005' });
});

test('comments that keep a connection alive are no answer: a model that never begins has stalled', async () => {
  server.play((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const timer = setInterval(() => response.write(': keep-alive\n\n'), 50);
    response.once('close', () => clearInterval(timer));
  });
  expect(await providerErrorOf(ask({ timeoutMs: 700 }))).toMatchObject({ kind: 'stalled' });
});

test('a server that loads its model, or does not listen, is tried again late enough to outlast a restart', async () => {
  server.play(refuses(503, { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } }));
  const later = { more: { isFinal: false, details: { retryAfterMs: 8000 } } };
  expect(await providerErrorOf(ask())).toMatchObject({ kind: 'unavailable', ...later });
  const gone = await startModelServer();
  await gone.stop();
  const model = createLanguageModel(NAME, { OPENAI_COMPATIBLE_BASE_URL: `https://${gone.host}/v1` });
  expect(await providerErrorOf(model.generate(aRequest()))).toMatchObject({ kind: 'unreachable', ...later });
});
