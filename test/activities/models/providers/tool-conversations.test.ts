/**
 * Conversations with tools through every vendor's real SDK, against servers that speak its protocol: streamed text with
 * calls beside it, several calls at once, arguments that are no JSON, results with pictures, and what only the vendor can
 * read going back as it came.
 */
import type {
  CalledFunction,
  FunctionTool,
  Generation,
  PromptMessage,
} from '../../../../contracts/model-port/language-model';
import { createLanguageModel } from '../../../../activities/engine/models/resolve-model';
import { geminiAnswers } from '../../../support/model-server/gemini';
import { aRequest, providerErrorOf } from '../../../support/model-server/request';
import { refuses, startModelServer, type ModelServer } from '../../../support/model-server/server';
import { anthropicAnswers, openaiAnswers, responsesAnswers } from '../../../support/model-server/vendors';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.stop());

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const TOOLS: FunctionTool[] = [
  {
    name: 'navigate',
    description: 'Open a page.',
    parameters: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
  },
  { name: 'read_page', description: 'Read the page.', parameters: { type: 'object', properties: {} } },
];
const ANSWER = { kind: 'tools', tools: TOOLS } as const;
const WORDS = 'I open “Grüße 🐟” and read it.';
const URL = 'https://shop.test/?q=“tent”';
const TASK: PromptMessage = { role: 'user', parts: [{ kind: 'text', text: 'Read the shop.' }] };

const vertex = () => ({ VERTEX_PROJECT: 'acme', VERTEX_API_ENDPOINT: server.host, VERTEX_ACCESS_TOKEN: 't' });
const gemini = (name: string, env: () => NodeJS.ProcessEnv) => ({ name, env });

/** The reply as it stands in the conversation of the next turn, with what came of its calls. */
function nextTurn({ text, functionCalls, raw }: Generation, results = ['opened', 'a list of tents']): PromptMessage[] {
  const calls = functionCalls.map(({ id, name, args }, index): CalledFunction => ({
    callId: `call_${index}`,
    functionId: id,
    name,
    args,
  }));
  return [
    TASK,
    { role: 'model', text, calls, raw },
    {
      role: 'results',
      results: calls.map((call, index) => ({
        call,
        parts: [
          { kind: 'text', text: results[index] ?? '' },
          ...(index === 1 ? [{ kind: 'image' as const, mediaType: 'image/png', base64: PIXEL }] : []),
        ],
        isError: index === 0,
      })),
      parts: [{ kind: 'text', text: 'You have read this page before.' }],
    },
  ];
}

const read = (name: string, env: NodeJS.ProcessEnv, change: Parameters<typeof aRequest>[0] = {}) => {
  const thoughts: string[] = [];
  const request = aRequest({
    messages: [TASK],
    answer: ANSWER,
    onThought: (text) => thoughts.push(text),
    ...change,
  });
  return { request, thoughts, reply: createLanguageModel(name, env).generate(request) };
};
const bodyOf = (index = 0) => server.heard[index]!.body as never as Record<string, never>;

describe.each([
  gemini('vertexai/gemini-2.5-flash', vertex),
  gemini('genai/gemini-2.5-flash', vertex),
  gemini('genai/gemini-3-pro', () => ({ GEMINI_API_KEY: 'k', GEMINI_BASE_URL: `https://${server.host}` })),
])('$name', ({ name, env }) => {
  const SIGNED = { functionCall: { name: 'navigate', args: { url: URL } }, thoughtSignature: 'c2lnbmVk' };
  const SECOND = { functionCall: { id: 'fc-2', name: 'read_page', args: {} } };

  test('streams text, thoughts and several calls; signed parts go back unchanged', async () => {
    server.play(
      geminiAnswers({
        parts: [
          { text: 'A shop.', thought: true },
          { text: WORDS.slice(0, 9) },
          { text: WORDS.slice(9) },
          SIGNED,
          SECOND,
        ],
      }),
    );
    const first = read(name, env());
    const reply = await first.reply;
    expect(reply).toMatchObject({
      text: WORDS,
      thoughts: 'A shop.',
      stopReason: 'tool_calls',
      functionCalls: [
        { name: 'navigate', args: JSON.stringify({ url: URL }) },
        { id: 'fc-2', name: 'read_page', args: '{}' },
      ],
    });
    expect(first.request.deltas.join('')).toBe(WORDS);
    expect(first.thoughts).toEqual(['A shop.']);
    expect(bodyOf()).toMatchObject({
      tools: [
        {
          functionDeclarations: [
            { name: 'navigate', parameters: { type: 'OBJECT', properties: { url: { type: 'STRING' } } } },
            { name: 'read_page', description: 'Read the page.' },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
    });

    server.play(geminiAnswers({ text: 'There are tents.' }));
    const messages = nextTurn(reply);
    expect(await read(name, env(), { messages }).reply).toMatchObject({
      text: 'There are tents.',
      stopReason: 'end_turn',
    });
    expect(bodyOf()['contents']).toMatchObject([
      { role: 'user' },
      // Not the summary of the thoughts, which has no signature.
      { role: 'model', parts: [{ text: WORDS }, SIGNED, SECOND] },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'navigate', response: { error: 'opened' } } },
          { functionResponse: { id: 'fc-2', name: 'read_page', response: { output: 'a list of tents' } } },
          { text: 'Image of result 2 (read_page):' },
          { inlineData: { mimeType: 'image/png', data: PIXEL } },
          { text: 'You have read this page before.' },
        ],
      },
    ]);
  });

  test('[S0.R7, S2.R1] a reply of another vendor is sent in neutral form, which Gemini 3 wants signed', async () => {
    server.play(geminiAnswers({ text: 'Fine.' }));
    const calls = [{ callId: 'call_0', functionId: 'toolu_1', name: 'go to!', args: 'no { JSON' }];
    await read(name, env(), {
      messages: [
        TASK,
        { role: 'model', text: '', calls, raw: { form: 'ai', provider: 'ai:anthropic', parts: [{ type: 'text' }] } },
        {
          role: 'results',
          results: [{ call: calls[0]!, parts: [{ kind: 'text', text: 'no' }], isError: true }],
          parts: [],
        },
      ],
    }).reply;
    const call = { functionCall: { name: '_go_to_', args: {} } };
    const signed = { ...call, thoughtSignature: 'skip_thought_signature_validator' };
    expect(bodyOf()['contents']).toEqual([
      { role: 'user', parts: [{ text: 'Read the shop.' }] },
      { role: 'model', parts: [name.includes('gemini-3') ? signed : call] },
      { role: 'user', parts: [{ functionResponse: { name: '_go_to_', response: { error: 'no' } } }] },
    ]);
  });

  test('a call that the vendor could not parse is AI004 and is retried', async () => {
    server.play(geminiAnswers({ text: '', finishReason: 'MALFORMED_FUNCTION_CALL' }));
    const trouble = await providerErrorOf(read(name, env()).reply);
    expect(trouble).toMatchObject({ kind: 'malformed-call', code: 'AI004', more: { isFinal: false } });
  });

  test('a truncated answer is marked; without any output it is AI004', async () => {
    server.play(geminiAnswers({ text: 'There are', finishReason: 'MAX_TOKENS' }));
    expect(await read(name, env()).reply).toMatchObject({ text: 'There are', stopReason: 'max_tokens' });
    server.play(geminiAnswers({ text: '', finishReason: 'MAX_TOKENS' }));
    expect(await providerErrorOf(read(name, env()).reply)).toMatchObject({ kind: 'truncated', code: 'AI004' });
  });

  test('an empty end of a conversation is an answer', async () => {
    server.play(geminiAnswers({ text: '' }));
    expect(await read(name, env()).reply).toMatchObject({ text: '', functionCalls: [], stopReason: 'end_turn' });
  });
});

const CALLS = [
  { id: 'call_a', name: 'navigate', args: JSON.stringify({ url: URL }) },
  { id: 'call_b', name: 'read_page', args: '{}' },
];

describe.each([
  { name: 'ai:openai-compatible/qwen3:8b', env: () => ({ OPENAI_COMPATIBLE_BASE_URL: `https://${server.host}/v1` }) },
])('$name', ({ name, env }) => {
  test('streams text and several calls, whose ids pair them with their results', async () => {
    server.play(openaiAnswers(WORDS, { calls: CALLS }));
    const first = read(name, env());
    const reply = await first.reply;
    expect(reply).toMatchObject({ text: WORDS, stopReason: 'tool_calls', functionCalls: CALLS });
    expect(first.request.deltas.join('')).toBe(WORDS);
    expect(bodyOf()).toMatchObject({
      tool_choice: 'auto',
      tools: [
        { function: { name: 'navigate', parameters: TOOLS[0]!.parameters } },
        { function: { name: 'read_page' } },
      ],
    });

    server.play(openaiAnswers('There are tents.'));
    expect(await read(name, env(), { messages: nextTurn(reply) }).reply).toMatchObject({ stopReason: 'end_turn' });
    const [, , assistant, ...rest] = bodyOf()['messages'] as never as Record<string, unknown>[];
    expect(assistant).toMatchObject({
      role: 'assistant',
      content: WORDS,
      tool_calls: CALLS.map(({ id, name: called, args }) => ({ id, function: { name: called, arguments: args } })),
    });
    expect(rest).toMatchObject([
      { role: 'tool', tool_call_id: 'call_a', content: expect.stringContaining('opened') },
      { role: 'tool', tool_call_id: 'call_b', content: 'a list of tents' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Image of result 2 (read_page):' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
          { type: 'text', text: 'You have read this page before.' },
        ],
      },
    ]);
  });

  test('[S2.A17] arguments that are no JSON come as they were written, beside calls that are good', async () => {
    const calls = [{ id: 'call_x', name: 'navigate', args: '{"url": "https://sh' }, CALLS[1]!];
    server.play(openaiAnswers('', { calls }));
    const reply = await read(name, env()).reply;
    expect(reply.functionCalls).toEqual(calls);
    server.play(openaiAnswers('Again.'));
    await read(name, env(), { messages: nextTurn(reply) }).reply;
    const sent = (bodyOf()['messages'] as never as { tool_calls?: { function: { arguments: string } }[] }[])[2]!;
    expect(sent.tool_calls!.map((each) => each.function.arguments)).toEqual(['{}', '{}']);
  });

  test('a call of a tool that was not offered is passed on, for the tool registry to refuse', async () => {
    server.play(openaiAnswers('', { calls: [{ id: 'call_y', name: 'fly', args: '{"to":"moon"}' }] }));
    expect((await read(name, env()).reply).functionCalls).toEqual([
      { id: 'call_y', name: 'fly', args: '{"to":"moon"}' },
    ]);
  });

  test('a truncated answer is marked', async () => {
    server.play(openaiAnswers('There are', { finish: 'length' }));
    expect(await read(name, env()).reply).toMatchObject({ text: 'There are', stopReason: 'max_tokens' });
  });
});

describe('ai:openai/gpt-5', () => {
  const name = 'ai:openai/gpt-5';
  const env = () => ({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `https://${server.host}/v1` });

  test('streams thoughts, text and calls; encrypted thoughts go back, and nothing is stored there', async () => {
    server.play(responsesAnswers(WORDS, { calls: CALLS, thinking: { summary: 'A shop.', encrypted: 'ZW5j' } }));
    const first = read(name, env());
    const reply = await first.reply;
    expect(reply).toMatchObject({ text: WORDS, thoughts: 'A shop.', stopReason: 'tool_calls', functionCalls: CALLS });
    expect(first.request.deltas.join('')).toBe(WORDS);
    expect(first.thoughts.join('')).toBe('A shop.');
    expect(reply.usage).toEqual({ inputTokens: 900, outputTokens: 60, cachedTokens: 500 });
    expect(bodyOf()).toMatchObject({
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { summary: 'auto' },
      tool_choice: 'auto',
      tools: [
        { type: 'function', name: 'navigate', parameters: TOOLS[0]!.parameters, strict: false },
        { type: 'function', name: 'read_page', strict: false },
      ],
    });

    server.play(responsesAnswers('There are tents.'));
    await read(name, env(), { messages: nextTurn(reply) }).reply;
    const [, , ...sent] = bodyOf()['input'] as never as Record<string, unknown>[];
    expect(sent).toMatchObject([
      { type: 'reasoning', encrypted_content: 'ZW5j' },
      { role: 'assistant', content: WORDS },
      ...CALLS.map(({ id, name: called, args }) => ({
        type: 'function_call',
        call_id: id,
        name: called,
        arguments: args,
      })),
      { type: 'function_call_output', call_id: 'call_a', output: expect.stringContaining('opened') },
      { type: 'function_call_output', call_id: 'call_b', output: 'a list of tents' },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Image of result 2 (read_page):' },
          { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}` },
          { type: 'input_text', text: 'You have read this page before.' },
        ],
      },
    ]);
  });

  test('[S2.A17] arguments that are no JSON come as they were written', async () => {
    server.play(responsesAnswers('', { calls: [{ id: 'call_x', name: 'navigate', args: '{"url": ' }] }));
    const reply = await read(name, env()).reply;
    expect(reply.functionCalls).toEqual([{ id: 'call_x', name: 'navigate', args: '{"url": ' }]);
    server.play(responsesAnswers('Again.'));
    expect(await read(name, env(), { messages: nextTurn(reply) }).reply).toMatchObject({ text: 'Again.' });
  });

  test('an organization that gets no summaries of thoughts is asked without them from then on', async () => {
    const message = 'Your organization must be verified to generate reasoning summaries.';
    server.play(
      refuses(400, {
        error: { message, type: 'invalid_request_error', param: 'reasoning.summary', code: 'unsupported_value' },
      }),
      responsesAnswers('Fine.'),
    );
    const model = createLanguageModel(name, env());
    const request = () => aRequest({ messages: [TASK], answer: ANSWER });
    expect(await model.generate(request())).toMatchObject({ text: 'Fine.' });
    expect(await model.generate(request())).toMatchObject({ text: 'Fine.' });
    expect(server.heard.map(({ body }) => body['reasoning'])).toEqual([{ summary: 'auto' }, undefined, undefined]);
  });

  test('a truncated answer is marked, a filtered one is blocked', async () => {
    server.play(responsesAnswers('There are', { incomplete: 'max_output_tokens' }));
    expect(await read(name, env()).reply).toMatchObject({ text: 'There are', stopReason: 'max_tokens' });
    server.play(responsesAnswers('There are', { incomplete: 'content_filter' }));
    expect(await providerErrorOf(read(name, env()).reply)).toMatchObject({ kind: 'blocked', code: 'AI005' });
  });
});

describe('ai:anthropic/claude-sonnet-4-5', () => {
  const name = 'ai:anthropic/claude-sonnet-4-5';
  const env = () => ({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: `https://${server.host}/v1` });

  test('streams thoughts, text and calls; signed thoughts go back unchanged, images with results', async () => {
    server.play(anthropicAnswers(WORDS, { calls: CALLS, thinking: { text: 'A shop.', signature: 'c2lnbmVk' } }));
    const first = read(name, env());
    const reply = await first.reply;
    expect(reply).toMatchObject({ text: WORDS, thoughts: 'A shop.', stopReason: 'tool_calls', functionCalls: CALLS });
    expect(first.thoughts.join('')).toBe('A shop.');

    server.play(anthropicAnswers('There are tents.'));
    await read(name, env(), { messages: nextTurn(reply) }).reply;
    expect(bodyOf()['messages']).toMatchObject([
      { role: 'user' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'A shop.', signature: 'c2lnbmVk' },
          { type: 'text', text: WORDS },
          { type: 'tool_use', id: 'call_a', name: 'navigate', input: { url: URL } },
          { type: 'tool_use', id: 'call_b', name: 'read_page', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_a', is_error: true },
          { type: 'tool_result', tool_use_id: 'call_b', content: 'a list of tents' },
          { type: 'text', text: 'Image of result 2 (read_page):' },
          { type: 'image', source: { data: PIXEL } },
          { type: 'text', text: 'You have read this page before.', cache_control: { type: 'ephemeral' } },
        ],
      },
    ]);
  });

  test('system prompt and tools are equal from turn to turn, and marked for the cache', async () => {
    server.play(anthropicAnswers(WORDS, { calls: CALLS }));
    const reply = await read(name, env()).reply;
    await read(name, env(), { messages: nextTurn(reply) }).reply;
    const [first, second] = server.heard.map(({ body }) => JSON.stringify([body['tools'], body['system']]));
    expect(second).toBe(first);
    expect(bodyOf()['system']).toEqual([
      { type: 'text', text: 'You operate a browser.', cache_control: { type: 'ephemeral' } },
    ]);
  });

  test('[S2.A17] arguments that are no JSON come as they were written', async () => {
    server.play(anthropicAnswers('Hm.', { calls: [{ id: 'toolu_1', name: 'navigate', args: '{"url": ' }] }));
    expect((await read(name, env()).reply).functionCalls).toEqual([
      { id: 'toolu_1', name: 'navigate', args: '{"url": ' },
    ]);
  });
});
