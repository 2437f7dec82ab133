/**
 * The vendors of the `ai` package that speak a protocol of their own, with their real packages, against a server over
 * TLS (and, for a server at home such as Ollama, the same protocol).
 */
import { createLanguageModel } from '../../../../activities/engine/models/resolve-model';
import { eventually } from '../../../support/eventually';
import { aRequest, providerErrorOf } from '../../../support/model-server/request';
import { refuses, silent, startModelServer, type ModelServer } from '../../../support/model-server/server';
import { anthropicAnswers, openaiAnswers, responsesAnswers } from '../../../support/model-server/vendors';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.stop());

const ANSWER = '{"thought":"Grüße, “Ada” 🐟","commands":[]}';
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const image = { kind: 'image', mediaType: 'image/png', base64: PIXEL } as const;

describe.each([
  {
    name: 'ai:openai/gpt-4.1',
    env: () => ({ OPENAI_API_KEY: 'key-1', OPENAI_BASE_URL: `https://${server.host}/v1` }),
    path: '/v1/responses',
    headers: { authorization: 'Bearer key-1' },
    answers: (text: string) => responsesAnswers(text),
    sent: {
      model: 'gpt-4.1',
      stream: true,
      store: false,
      temperature: 0.1,
      max_output_tokens: 4000,
      input: [
        { role: 'system', content: 'You operate a browser.' },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'What is this?' },
            { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}` },
          ],
        },
      ],
      text: { format: { type: 'json_schema', strict: false } },
    },
  },
  {
    name: 'ai:openai-compatible/qwen3:8b',
    env: () => ({ OPENAI_COMPATIBLE_BASE_URL: `https://${server.host}/v1` }),
    path: '/v1/chat/completions',
    headers: {},
    answers: openaiAnswers,
    sent: {
      model: 'qwen3:8b',
      stream: true,
      stream_options: { include_usage: true },
      response_format: { type: 'json_schema' },
    },
  },
  {
    name: 'ai:anthropic/claude-sonnet-4-5',
    env: () => ({ ANTHROPIC_API_KEY: 'key-1', ANTHROPIC_BASE_URL: `https://${server.host}/v1` }),
    path: '/v1/messages',
    headers: { 'x-api-key': 'key-1' },
    answers: anthropicAnswers,
    sent: {
      model: 'claude-sonnet-4-5',
      stream: true,
      max_tokens: 4000,
      system: [{ type: 'text', text: 'You operate a browser.' }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
          ],
        },
      ],
    },
  },
])('$name', ({ name, env, path, headers, answers, sent }) => {
  const ask = (change = {}) => createLanguageModel(name, env()).generate(aRequest(change));

  test('streams a reply and reports its usage', async () => {
    server.play(answers(ANSWER));
    const request = aRequest();
    const answer = await createLanguageModel(name, env()).generate(request);
    expect(answer).toMatchObject({ text: ANSWER, stopReason: 'end_turn' });
    expect(answer.usage).toEqual({ inputTokens: 900, outputTokens: 60, cachedTokens: 500 });
    expect(request.deltas.join('')).toBe(ANSWER);
    expect(request.deltas.length).toBeGreaterThan(2);
  });

  test('sends instructions, messages, an image, limits and the schema, with its credentials', async () => {
    server.play(answers(ANSWER));
    await ask({ messages: [{ role: 'user', parts: [{ kind: 'text', text: 'What is this?' }, image] }] });
    expect(server.heard).toMatchObject([{ method: 'POST', path, headers, body: sent }]);
    expect(JSON.stringify(server.heard[0]!.body)).toMatch(/"thought".*"commands"/);
  });

  test('an abort closes the socket', async () => {
    server.play(silent);
    const stop = new AbortController();
    const ended = ask({ signal: stop.signal }).catch((error: unknown) => error);
    await eventually('the request', () => server.heard.length === 1);
    const reason = new Error('enough');
    stop.abort(reason);
    expect(await ended).toBe(reason);
    await eventually('the closed socket', () => server.heard[0]!.isAbandoned);
  });

  test('a stall is TL002 and closes the socket', async () => {
    server.play(silent);
    expect(await providerErrorOf(ask({ timeoutMs: 1000 }))).toMatchObject({ kind: 'stalled', code: 'TL002' });
    await eventually('the closed socket', () => server.heard.every(({ isAbandoned }) => isAbandoned));
  });

  test('a connection cut in mid-stream is TL002', async () => {
    server.play((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': here I come\n\n', () => response.destroy());
    });
    expect(await providerErrorOf(ask())).toMatchObject({ kind: 'cut', code: 'TL002', more: { isFinal: false } });
    expect(server.heard).toHaveLength(1);
  });

  test.each([
    [429, { message: 'Slow down.', type: 'rate_limit_error' }, 'rate-limited', 'AI003', false],
    [429, { message: 'No credit.', type: 'insufficient_quota', code: 'insufficient_quota' }, 'quota', 'AI003', true],
    [401, { message: 'Wrong key.', type: 'authentication_error' }, 'credentials', 'AI002', true],
    [404, { message: 'No such model.', type: 'not_found_error' }, 'unknown-model', 'AI001', true],
    [
      400,
      {
        message: 'This model’s maximum context length is 128000 tokens.',
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
      },
      'too-long',
      'AI005',
      true,
    ],
    [
      400,
      { message: 'prompt is too long: 210000 tokens > 200000 maximum', type: 'invalid_request_error' },
      'too-long',
      'AI005',
      true,
    ],
    [400, { message: 'Not like this.', type: 'invalid_request_error' }, 'bad-request', 'AI005', true],
    [500, { message: 'Oops.', type: 'server_error' }, 'unavailable', 'AI001', false],
    [529, { message: 'Overloaded', type: 'overloaded_error' }, 'unavailable', 'AI001', false],
  ])('%i %j is %s: %s', async (status, error, kind, code, isFinal) => {
    server.play(refuses(status, { type: 'error', error }, { 'retry-after': '4' }));
    const trouble = await providerErrorOf(ask());
    expect(trouble).toMatchObject({ kind, code, more: { isFinal, details: { retryAfterMs: 4000 } } });
    expect(trouble.message).toContain(error.message);
    expect(server.heard).toHaveLength(1);
  });
});

test.each([
  ['ai:openai/gpt-4.1', 'OPENAI_API_KEY', 'credentials'],
  ['ai:anthropic/claude-sonnet-4-5', 'ANTHROPIC_API_KEY', 'credentials'],
  ['ai:openai-compatible/qwen3:8b', 'OPENAI_COMPATIBLE_BASE_URL', 'settings'],
])('%s without %s says so', async (name, variable, kind) => {
  const trouble = await providerErrorOf(createLanguageModel(name, {}).generate(aRequest()));
  expect(trouble).toMatchObject({ kind, message: expect.stringContaining(variable) });
});

describe('vendor-specific behaviour', () => {
  const onOpenai = () => ({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `https://${server.host}/v1` });
  const onAnthropic = () => ({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: `https://${server.host}/v1` });

  test('OpenAI: a function is called, a long answer is cut, a filtered one is blocked', async () => {
    const model = createLanguageModel('ai:openai/gpt-4.1', onOpenai());
    const input = { thought: 'yes', commands: [] };
    server.play(responsesAnswers('', { calls: [{ id: 'call_1', name: 'answer', args: JSON.stringify(input) }] }));
    const tools = [
      { name: 'answer', description: 'd', parameters: { type: 'object', properties: { thought: { type: 'string' } } } },
    ];
    expect(await model.generate(aRequest({ answer: { kind: 'functions', tools } }))).toMatchObject({
      functionCalls: [{ name: 'answer', args: JSON.stringify(input) }],
    });
    server.play(responsesAnswers('{"th', { incomplete: 'max_output_tokens' }));
    expect(await providerErrorOf(model.generate(aRequest()))).toMatchObject({ kind: 'truncated', code: 'AI004' });
    server.play(responsesAnswers('{"th', { incomplete: 'content_filter' }));
    expect(await providerErrorOf(model.generate(aRequest()))).toMatchObject({ kind: 'blocked', code: 'AI005' });
  });

  test('Anthropic: overload in mid-stream is worth a retry, a refusal is blocked', async () => {
    const model = createLanguageModel('ai:anthropic/claude-sonnet-4-5', onAnthropic());
    server.play((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
      response.end(`event: error\ndata: ${JSON.stringify(error)}\n\n`);
    });
    expect(await providerErrorOf(model.generate(aRequest()))).toMatchObject({
      code: 'AI001',
      more: { isFinal: false },
    });
    server.play(anthropicAnswers('I', { stop: 'refusal' }));
    expect(await providerErrorOf(model.generate(aRequest()))).toMatchObject({ kind: 'blocked', code: 'AI005' });
    server.play(anthropicAnswers('{"th', { stop: 'max_tokens' }));
    expect(await providerErrorOf(model.generate(aRequest()))).toMatchObject({ kind: 'truncated' });
  });
});
