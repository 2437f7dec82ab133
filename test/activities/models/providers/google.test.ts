/**
 * Every provider that speaks Gemini's protocol, with its real SDK, against a server over TLS that speaks it as well:
 * what is sent, how a stream cut into awkward pieces is read, and what each failure becomes.
 */
import { join } from 'node:path';
import { toGeminiSchema } from '../../../../activities/engine/models/providers/google/schema';
import { JUDGEMENT, toReplySchema, WHOLE_REPLY } from '../../../../activities/engine/models/replies/reply-schema';
import { createLanguageModel } from '../../../../activities/engine/models/resolve-model';
import { BROWSER_TOOLS } from '../../../../contracts/tools/browser-tools';
import { eventually } from '../../../support/eventually';
import { SSE_HEADERS, geminiAnswers, geminiChunks, geminiLine, retryInfo } from '../../../support/model-server/gemini';
import { geminiSchemaFaults, googleError } from '../../../support/model-server/references/gemini';
import { aRequest, providerErrorOf } from '../../../support/model-server/request';
import { refuses, silent, startModelServer, type ModelServer, type Play } from '../../../support/model-server/server';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.stop());

/** Never silent for long, and never at its end. */
const writesOn: Play = (response) => {
  response.writeHead(200, SSE_HEADERS);
  const [first] = geminiChunks({ text: ANSWER });
  const timer = setInterval(() => response.write(geminiLine(first!)), 50);
  response.once('close', () => clearInterval(timer));
};

const ANSWER = '{"thought":"Grüße, “Ada” 🐟","commands":[]}';
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const onVertex = () => ({
  VERTEX_PROJECT: 'acme',
  VERTEX_LOCATION: 'europe-west4',
  VERTEX_API_ENDPOINT: server.host,
  VERTEX_ACCESS_TOKEN: 'token-1',
});
const byKey = () => ({ GEMINI_API_KEY: 'key-1', GEMINI_BASE_URL: `https://${server.host}/v1beta` });

const VERTEX_PATH = '/projects/acme/locations/europe-west4/publishers/google/models/gemini-2.5-flash';
const STREAM = ':streamGenerateContent?alt=sse';
const BEARER = { authorization: 'Bearer token-1' };
const KEY = { 'x-goog-api-key': 'key-1' };

describe.each([
  { provider: 'vertexai', env: onVertex, path: `/v1${VERTEX_PATH}${STREAM}`, headers: BEARER },
  { provider: 'genai', env: onVertex, path: `/v1beta1${VERTEX_PATH}${STREAM}`, headers: BEARER },
  {
    provider: 'genai',
    env: () => ({ ...byKey(), GEMINI_BASE_URL: `https://${server.host}` }),
    path: `/v1/models/gemini-2.5-flash${STREAM}`,
    headers: KEY,
  },
])('$provider at $path', ({ provider, env, path, headers }) => {
  const name = `${provider}/gemini-2.5-flash`;
  const ask = (change = {}) => createLanguageModel(name, env()).generate(aRequest(change));

  test('streams a reply in any pieces and reports its usage', async () => {
    server.play(geminiAnswers({ text: ANSWER, usage: { prompt: 1200, candidates: 80, total: 1300, cached: 1000 } }));
    const request = aRequest();
    const answer = await createLanguageModel(name, env()).generate(request);
    expect(answer).toMatchObject({ text: ANSWER, functionCalls: [], stopReason: 'end_turn' });
    // The 20 tokens that are neither prompt nor text were thoughts; the reported usage counts them.
    const outputTokens = provider.startsWith('ai:') ? 80 : 100;
    expect(answer.usage).toEqual({ inputTokens: 1200, outputTokens, cachedTokens: 1000 });
    expect(request.deltas.join('')).toBe(ANSWER);
    expect(request.deltas.length).toBeGreaterThan(2);
  });

  test('sends system instruction, messages, an image, limits and the schema, with its credentials', async () => {
    server.play(geminiAnswers({ text: ANSWER }));
    const image = { kind: 'image', mediaType: 'image/png', base64: PIXEL };
    await ask({
      messages: [
        { role: 'user', parts: [{ kind: 'text', text: 'What is this?' }, image] },
        { role: 'model', text: 'A dot.' },
        { role: 'user', parts: [{ kind: 'text', text: 'Sure?' }] },
      ],
    });
    expect(server.heard).toHaveLength(1);
    const [{ body, ...heard }] = server.heard as [(typeof server.heard)[0]];
    expect(heard).toMatchObject({ method: 'POST', path, headers });
    expect(body).toMatchObject({
      systemInstruction: { parts: [{ text: 'You operate a browser.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'What is this?' }, { inlineData: { mimeType: 'image/png', data: PIXEL } }] },
        { role: 'model', parts: [{ text: 'A dot.' }] },
        { role: 'user', parts: [{ text: 'Sure?' }] },
      ],
      generationConfig: { temperature: 0.1, maxOutputTokens: 4000, responseMimeType: 'application/json' },
    });
    const { generationConfig } = body as { generationConfig: Record<string, unknown> };
    expect(JSON.stringify(generationConfig)).toMatch(/"thought".*"commands"/);
  });

  test('calls a function where the request asks for one', async () => {
    server.play(geminiAnswers({ functionCall: { name: 'answer', args: { thought: 'yes', commands: [] } } }));
    const parameters = { type: 'object', properties: { thought: { type: 'string' } }, required: ['thought'] };
    const tools = [{ name: 'answer', description: 'Give your answer.', parameters }];
    const answer = await ask({ answer: { kind: 'functions', tools } });
    expect(answer).toMatchObject({
      stopReason: 'tool_calls',
      functionCalls: [{ name: 'answer', args: '{"thought":"yes","commands":[]}' }],
    });
    expect(server.heard[0]!.body).toMatchObject({
      tools: [{ functionDeclarations: [{ name: 'answer', description: 'Give your answer.' }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
    });
  });

  test('an abort closes the socket and is thrown as its reason', async () => {
    server.play(async (response) => {
      response.writeHead(200, SSE_HEADERS);
      response.write(geminiLine(geminiChunks({ text: ANSWER })[0]!));
    });
    const stop = new AbortController();
    const reason = new Error('The session was cancelled.');
    const deltas: string[] = [];
    const call = ask({ signal: stop.signal, onDelta: (text: string) => deltas.push(text) });
    const ended = call.catch((error: unknown) => error);
    await eventually('the first words', () => deltas.length > 0);
    stop.abort(reason);
    expect(await ended).toBe(reason);
    await eventually('the closed socket', () => server.heard[0]!.isAbandoned);
    expect(server.heard).toHaveLength(1);
  });

  test.each([
    ['before the first chunk', 'stalled', silent],
    [
      'between chunks',
      'overdue',
      ((response) => {
        response.writeHead(200, SSE_HEADERS);
        response.write(geminiLine(geminiChunks({ text: ANSWER })[0]!));
      }) as Play,
    ],
    ['never, but takes too long,', 'overdue', writesOn],
  ])(
    'a stream that stalls %s is given up at its time limit, and its socket closed: TL002, retried once',
    async (_, kind, play) => {
      server.play(play);
      const trouble = await providerErrorOf(ask({ timeoutMs: 1000 }));
      expect(trouble).toMatchObject({ kind, code: 'TL002', more: { isFinal: false } });
      expect(trouble.more.details).toMatchObject({ maxRetries: 1 });
      await eventually('the closed socket', () => server.heard.every(({ isAbandoned }) => isAbandoned));
    },
  );

  test('a connection that is cut in mid-stream is TL002, worth a retry', async () => {
    server.play((response) => {
      response.writeHead(200, SSE_HEADERS);
      response.write(geminiLine(geminiChunks({ text: ANSWER })[0]!), () => response.destroy());
    });
    expect(await providerErrorOf(ask())).toMatchObject({ kind: 'cut', code: 'TL002', more: { isFinal: false } });
    expect(server.heard).toHaveLength(1);
  });

  test('a stream without a finish reason is an error', async () => {
    server.play(async (response) => {
      response.writeHead(200, SSE_HEADERS);
      response.end(geminiLine(geminiChunks({ text: ANSWER })[0]!));
    });
    expect(await providerErrorOf(ask())).toMatchObject({ kind: 'cut', code: 'TL002' });
  });

  test.each([
    [429, 'RESOURCE_EXHAUSTED', 'Resource exhausted.', 'rate-limited', 'AI003', false],
    [429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota, check your billing.', 'quota', 'AI003', true],
    [401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.', 'credentials', 'AI002', true],
    [403, 'PERMISSION_DENIED', "Permission 'aiplatform.endpoints.predict' denied.", 'credentials', 'AI002', true],
    [404, 'NOT_FOUND', 'Publisher Model was not found.', 'unknown-model', 'AI001', true],
    [
      400,
      'INVALID_ARGUMENT',
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      'too-long',
      'AI005',
      true,
    ],
    [400, 'INVALID_ARGUMENT', 'Unable to submit request.', 'bad-request', 'AI005', true],
    [500, 'INTERNAL', 'Internal error encountered.', 'unavailable', 'AI001', false],
    [503, 'UNAVAILABLE', 'The model is overloaded.', 'unavailable', 'AI001', false],
  ])('%i %s “%s” is %s: %s', async (status, word, message, kind, code, isFinal) => {
    server.play(refuses(status, googleError(status, word, message)));
    const trouble = await providerErrorOf(ask());
    expect(trouble).toMatchObject({ kind, code, more: { isFinal } });
    expect(trouble.message).toBe(`${name} answered ${status} ${word}: ${message}`);
    // The SDK's own retries are off.
    expect(server.heard).toHaveLength(1);
  });

  test.each([
    [
      'a Retry-After header',
      refuses(429, googleError(429, 'RESOURCE_EXHAUSTED', 'Slow down.'), { 'retry-after': '7' }),
      7000,
      false,
    ],
    ['RetryInfo', refuses(429, googleError(429, 'RESOURCE_EXHAUSTED', 'Slow down.', [retryInfo('2.5s')])), 2500, false],
    [
      'too long a wait',
      refuses(429, googleError(429, 'RESOURCE_EXHAUSTED', 'Tomorrow.', [retryInfo('3600s')])),
      3_600_000,
      true,
    ],
  ])('%s says how long to wait', async (_, play, retryAfterMs, isFinal) => {
    server.play(play);
    expect((await providerErrorOf(ask())).more).toMatchObject({ details: { retryAfterMs }, isFinal });
  });

  test('the error page of a proxy is quoted in the error', async () => {
    server.play(refuses(502, '<html><title>Bad gateway</title></html>'));
    const trouble = await providerErrorOf(ask());
    expect(trouble).toMatchObject({ kind: 'unavailable', message: `${name} answered 502 : Bad gateway` });
  });

  test.each([
    ['SAFETY', 'blocked', 'AI005'],
    ['PROHIBITED_CONTENT', 'blocked', 'AI005'],
    ['RECITATION', 'recitation', 'AI005'],
    ['MAX_TOKENS', 'truncated', 'AI004'],
  ])('the finish reason %s is %s: %s, with what it used', async (finishReason, kind, code) => {
    server.play(geminiAnswers({ text: '{"thought":"I', finishReason, usage: { prompt: 900, candidates: 5 } }));
    const trouble = await providerErrorOf(ask());
    expect(trouble).toMatchObject({ kind, code, more: { isFinal: true } });
    expect(trouble.facts.usage).toMatchObject({ inputTokens: 900, outputTokens: 5 });
  });

  test('a prompt that is blocked is AI005', async () => {
    server.play(async (response) => {
      const usageMetadata = { promptTokenCount: 900, totalTokenCount: 900 };
      const blocked = { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata };
      response.writeHead(200, SSE_HEADERS);
      response.end(geminiLine(blocked));
    });
    expect(await providerErrorOf(ask())).toMatchObject({
      code: expect.stringMatching(/^AI00[45]$/),
      more: { isFinal: true },
    });
  });

  test('an error within a stream is classified by its status', async () => {
    server.play(async (response) => {
      response.writeHead(200, SSE_HEADERS);
      response.write(geminiLine(geminiChunks({ text: ANSWER })[0]!));
      response.end(geminiLine(googleError(503, 'UNAVAILABLE', 'The service is overloaded.')));
    });
    const trouble = await providerErrorOf(ask());
    expect(trouble).toMatchObject({ code: 'AI001', more: { isFinal: false } });
  });

  test('an unreachable server is AI001 with the reason', async () => {
    const gone = await startModelServer();
    await gone.stop();
    const nowhere = Object.fromEntries(
      Object.entries(env()).map(([key, value]) => [key, value.replace(server.host, gone.host)]),
    );
    const trouble = await providerErrorOf(createLanguageModel(name, nowhere).generate(aRequest()));
    expect(trouble).toMatchObject({ kind: 'unreachable', code: 'AI001' });
    expect(trouble.message).toContain('ECONNREFUSED');
  });
});

test.each(['vertexai', 'genai'])('%s without a project says which setting is missing', async (provider) => {
  const model = createLanguageModel(`${provider}/gemini-2.5-pro`, {});
  const trouble = await providerErrorOf(model.generate(aRequest()));
  expect(trouble).toMatchObject({ kind: 'settings', code: 'AI001', more: { isFinal: true } });
  expect(trouble.message).toContain('VERTEX_PROJECT');
});

describe('without a token of its own', () => {
  const before = process.env['GOOGLE_APPLICATION_CREDENTIALS'];
  beforeAll(() => {
    process.env['GOOGLE_APPLICATION_CREDENTIALS'] = join(__dirname, 'no-such-file.json');
  });
  afterAll(() => {
    if (before === undefined) delete process.env['GOOGLE_APPLICATION_CREDENTIALS'];
    else process.env['GOOGLE_APPLICATION_CREDENTIALS'] = before;
  });

  test.each(['vertexai', 'genai'])(
    '%s asks Google’s default credentials, and AI002 says what is wrong with them',
    async (provider) => {
      server.play(geminiAnswers({ text: ANSWER }));
      const { VERTEX_ACCESS_TOKEN: _, ...env } = onVertex();
      const trouble = await providerErrorOf(
        createLanguageModel(`${provider}/gemini-2.5-pro`, env).generate(aRequest()),
      );
      expect(trouble).toMatchObject({ kind: 'credentials', code: 'AI002', more: { isFinal: true } });
      expect(trouble.message).toContain('no-such-file.json');
      expect(server.heard).toEqual([]);
    },
  );
});

test('the SDK of vertexai is loaded without changing fetch or console, and prints nothing', async () => {
  const before = [globalThis.fetch, console.warn];
  const warn = jest.spyOn(console, 'warn');
  server.play(geminiAnswers({ text: ANSWER }));
  await createLanguageModel('vertexai/gemini-2.5-flash', onVertex()).generate(aRequest());
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
  expect([globalThis.fetch, console.warn]).toEqual(before);
});

test('the schemas of replies, judgements and browser tools have nothing that Gemini refuses', () => {
  for (const { parameters } of [WHOLE_REPLY, JUDGEMENT])
    expect(geminiSchemaFaults({ ...toGeminiSchema(parameters, 'kept') })).toEqual([]);
  const faulty = Object.entries(BROWSER_TOOLS).flatMap(([name, { parameters }]) => {
    const schema = toGeminiSchema(toReplySchema(parameters));
    // A function without arguments is declared without parameters.
    const faults = 'properties' in schema ? geminiSchemaFaults({ ...schema }) : [];
    return faults.map((fault) => [name, fault]);
  });
  expect(faulty).toEqual([]);
});

test('two concurrent calls of the VertexAI class are independent: one is aborted, the other answers', async () => {
  server.play(async (response, heard) => {
    response.writeHead(200, SSE_HEADERS);
    if (JSON.stringify(heard.body).includes('slow')) response.write(geminiLine(geminiChunks({ text: ANSWER })[0]!));
    else response.end(geminiChunks({ text: ANSWER }).map(geminiLine).join(''));
  });
  const model = createLanguageModel('vertexai/gemini-2.5-flash', onVertex());
  const stop = new AbortController();
  const slow = model.generate(aRequest({ system: 'slow', signal: stop.signal }));
  const ended = slow.catch((error: unknown) => error);
  await eventually('the slow call', () => server.heard.length === 1);
  expect(await model.generate(aRequest())).toMatchObject({ text: ANSWER });
  const reason = new Error('enough');
  stop.abort(reason);
  expect(await ended).toBe(reason);
  await eventually('the closed socket', () => server.heard[0]!.isAbandoned);
  expect(server.heard[1]!.isAbandoned).toBe(false);
});
