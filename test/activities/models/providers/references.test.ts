/**
 * Everything that the engine asks of models, sent by each vendor's real SDK to a stand-in that refuses what the vendor's
 * published reference does not know or allow: replies, judgements, all tools, tools of MCP servers, whole conversations.
 */
import { DONE } from '../../../../activities/engine/tools/done-tool';
import { MORE_TOOLS } from '../../../../activities/engine/tools/more-tools';
import { JUDGEMENT, toReplySchema, WHOLE_REPLY } from '../../../../activities/engine/models/replies/reply-schema';
import { toPortableSchema } from '../../../../activities/engine/models/portable-schema';
import type {
  FunctionTool,
  Generation,
  GenerationRequest,
  PromptMessage,
} from '../../../../contracts/model-port/language-model';
import { createLanguageModel } from '../../../../activities/engine/models/resolve-model';
import { BROWSER_TOOLS } from '../../../../contracts/tools/browser-tools';
import { geminiAnswers } from '../../../support/model-server/gemini';
import { aRequest, providerErrorOf } from '../../../support/model-server/request';
import { startModelServer, type ModelServer, type Play } from '../../../support/model-server/server';
import {
  anthropicAnswers,
  openaiAnswers,
  responsesAnswers,
  type WireCall,
} from '../../../support/model-server/vendors';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.stop());

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const image = { kind: 'image', mediaType: 'image/png', base64: PIXEL } as const;

/** Schemas as MCP servers write them: free objects, references, choices, limits, formats. */
const FOREIGN: FunctionTool[] = [
  {
    name: 'tickets__create',
    description: 'Creates a ticket.',
    parameters: toPortableSchema({
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        title: { type: 'string', minLength: 1, maxLength: 80, pattern: '^\\S' },
        labels: { type: 'object', additionalProperties: { type: 'string' }, description: 'by name' },
        metadata: { type: 'object' },
        links: { type: 'array', items: { type: 'object' } },
        assignee: { anyOf: [{ $ref: '#/$defs/user' }, { type: 'null' }] },
        due: { type: ['string', 'null'], format: 'date-time', default: null },
        priority: { type: 'integer', enum: [1, 2, 3], exclusiveMinimum: 0 },
        kind: { const: 'bug' },
      },
      $defs: {
        user: {
          type: 'object',
          properties: { id: { type: 'string' }, more: { type: 'object', properties: {} } },
          required: ['id'],
        },
      },
      required: ['title', 'labels'],
      additionalProperties: false,
    }),
  },
  { name: 'tickets__list', description: 'Lists all tickets.', parameters: toPortableSchema({ type: 'object' }) },
];
const TOOLS: FunctionTool[] = [
  ...Object.entries(BROWSER_TOOLS).map(([name, { description, parameters }]) => ({
    name,
    description,
    parameters: toPortableSchema(toReplySchema(parameters)),
  })),
  MORE_TOOLS,
  ...FOREIGN,
  DONE,
];

const TASK: PromptMessage = { role: 'user', parts: [{ kind: 'text', text: 'Read the shop.' }, image] };
const CALLS: WireCall[] = [
  { id: 'call_a', name: 'navigate', args: JSON.stringify({ url: 'https://shop.test/' }) },
  { id: 'call_b', name: 'read_page', args: '{}' },
];
const foreignCall = {
  callId: 'call_0123456789abcdef',
  functionId: 'other vendor: 1',
  name: 'go to!',
  args: 'no { JSON',
};
const OTHERS: PromptMessage[] = [
  TASK,
  {
    role: 'model',
    text: '',
    calls: [foreignCall],
    raw: { form: 'ai', provider: 'another', parts: [{ type: 'reasoning', text: 'Hm.' }] },
  },
  { role: 'results', results: [{ call: foreignCall, parts: [{ kind: 'text', text: '' }], isError: true }], parts: [] },
  { role: 'model', text: 'It did not work. ' },
  { role: 'user', parts: [{ kind: 'text', text: 'Again.' }] },
];

/** What comes after a reply: the results of its calls, one of them with a picture, and a note. */
function after({ text, functionCalls, raw }: Generation): PromptMessage[] {
  const calls = functionCalls.map(({ id, name, args }, index) => ({
    callId: `call_${index}`,
    functionId: id,
    name,
    args,
  }));
  const results = calls.map((call, index) => ({
    call,
    parts: [{ kind: 'text' as const, text: 'done' }, ...(index === 1 ? [image] : [])],
    isError: index === 0,
  }));
  return [
    TASK,
    { role: 'model', text, calls, raw },
    { role: 'results', results, parts: [{ kind: 'text', text: 'Two turns left.' }] },
  ];
}

const gemini = (text: string, { calls = [] }: { calls?: WireCall[] } = {}): Play =>
  geminiAnswers({
    text,
    parts: calls.map(({ id, name, args }, index) => ({
      functionCall: { id, name, args: JSON.parse(args) as object },
      ...(index === 0 ? { thoughtSignature: 'c2lnbmVk' } : {}),
    })),
  });
const onVertex = () => ({ VERTEX_PROJECT: 'acme', VERTEX_API_ENDPOINT: server.host, VERTEX_ACCESS_TOKEN: 't' });
const byKey = (path: string) => () => ({ GEMINI_API_KEY: 'k', GEMINI_BASE_URL: `https://${server.host}${path}` });
const onOpenai = () => ({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `https://${server.host}/v1` });
const onAnthropic = () => ({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: `https://${server.host}/v1` });

describe.each([
  { name: 'vertexai/gemini-2.5-flash', env: onVertex, says: gemini },
  { name: 'genai/gemini-2.5-flash', env: onVertex, says: gemini },
  { name: 'genai/gemini-3-pro', env: byKey(''), says: gemini },
  { name: 'ai:openai/gpt-4.1', env: onOpenai, says: responsesAnswers },
  { name: 'ai:openai/gpt-5', env: onOpenai, says: responsesAnswers },
  { name: 'ai:anthropic/claude-sonnet-4-5', env: onAnthropic, says: anthropicAnswers },
  { name: 'ai:anthropic/claude-3-haiku-20240307', env: onAnthropic, says: anthropicAnswers },
  {
    name: 'ai:openai-compatible/qwen3:8b',
    env: () => ({ OPENAI_COMPATIBLE_BASE_URL: `https://${server.host}/v1` }),
    says: openaiAnswers,
  },
])('$name takes', ({ name, env, says }) => {
  const ask = (change: Partial<GenerationRequest>) => createLanguageModel(name, env()).generate(aRequest(change));

  it('the schema of a reply and of a judgement, with a picture', async () => {
    for (const { parameters: schema } of [WHOLE_REPLY, JUDGEMENT]) {
      server.play(says('{"thought":"fine"}'));
      const answer = await ask({ messages: [TASK], answer: { kind: 'json', schema } });
      expect(answer.text).toBe('{"thought":"fine"}');
    }
  });

  it('a reply as the call of a function', async () => {
    const args = JSON.stringify({ thought: 'fine' });
    server.play(says('', { calls: [{ id: 'call_1', name: 'answer', args }] }));
    expect(await ask({ answer: { kind: 'functions', tools: [WHOLE_REPLY] } })).toMatchObject({
      functionCalls: [{ name: 'answer', args }],
    });
  });

  it('all tools, those of MCP servers too, and the conversation that follows', async () => {
    server.play(says('I look.', { calls: CALLS }));
    const answer = { kind: 'tools', tools: TOOLS } as const;
    const reply = await ask({ messages: [TASK], answer });
    expect(reply.functionCalls.map(({ name: called }) => called)).toEqual(['navigate', 'read_page']);
    server.play(says('There are tents.'));
    expect(await ask({ messages: after(reply), answer })).toMatchObject({
      text: 'There are tents.',
      stopReason: 'end_turn',
    });
    expect(JSON.stringify(server.heard[0]!.body)).toContain(PIXEL);
  });

  it('a conversation that another vendor began, and one without tools', async () => {
    server.play(says('Fine.'));
    await ask({ messages: OTHERS, answer: { kind: 'tools', tools: TOOLS } });
    expect(await ask({ messages: [TASK], answer: { kind: 'text' } })).toMatchObject({ text: 'Fine.' });
  });
});

test.each<[string, () => NodeJS.ProcessEnv, Partial<GenerationRequest>]>([
  ['genai/gemini-2.5-flash', onVertex, { temperature: 3 }],
  ['ai:openai/gpt-4.1', onOpenai, { temperature: 3 }],
  ['ai:openai/gpt-4.1', onOpenai, { maxTokens: 1 }],
  ['ai:anthropic/claude-sonnet-4-5', onAnthropic, { messages: [{ role: 'model', text: 'I begin.' }] }],
])('the stand-in of %s refuses what its vendor refuses', async (name, env, change) => {
  server.play(openaiAnswers('Never.'));
  const trouble = await providerErrorOf(
    createLanguageModel(name, env()).generate(aRequest({ answer: { kind: 'text' }, ...change })),
  );
  expect(trouble).toMatchObject({
    kind: 'bad-request',
    code: 'AI005',
    message: expect.stringContaining('answered 400'),
  });
});
