import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseBudget } from '../../../cli/input/budget-option';
import { parseRequest } from '../../../cli/input/request';
import { parseStepFile, readStepFile } from '../../../cli/input/step-input';

const NO_OPTIONS = { variable: [], variableEnv: [] };

test('text has one step per line, without comments and empty lines', () => {
  const content = '\uFEFF# the shop\nOpen the shop\r\n\n   Click "Sign in"   \n  # later\n';
  expect(parseStepFile(content, 'steps.txt')).toEqual({ steps: ['Open the shop', 'Click "Sign in"'] });
});

test('a budget on the command line becomes part of the request and wins over that of a file', async () => {
  const options = { ...NO_OPTIONS, budget: parseBudget('tokens=20000,cost=0.50'), budgetEnd: true } as const;
  expect(await parseRequest(['Go'], options)).toMatchObject({
    request: { config: { budget: { maxTokens: 20_000, maxCost: '0.50', whenReached: 'end' } } },
  });
  await expect(parseRequest(['Go'], { ...NO_OPTIONS, budgetEnd: true })).rejects.toMatchObject({
    message: expect.stringContaining('wrong with it'),
  });
  expect(parseBudget('steps=3, seconds=600')).toEqual({ maxSteps: 3, maxTimeMs: 600_000 });
  expect(() => parseBudget('tokens=many')).toThrow('Expected limits such as');
});

test('--model-timeout is the limit of a call, beside the model, and wins over that of a file', async () => {
  const options = { ...NO_OPTIONS, model: 'ai:openai-compatible/qwen3', modelTimeout: 90_000 };
  expect(await parseRequest(['Go'], options)).toMatchObject({
    request: { config: { aiConfig: { model: 'ai:openai-compatible/qwen3', timeoutMs: 90_000 } } },
  });
  await expect(parseRequest(['Go'], { ...NO_OPTIONS, modelTimeout: 400_000 })).rejects.toMatchObject({
    details: [expect.stringContaining('400000 is more than stepTimeoutMs (300000)')],
  });
});

test('JSON is a request as for the API, or a list of steps', () => {
  const request = { steps: [{ instruction: 'Go' }], config: { maxIterations: 2 }, variables: { a: '1' } };
  expect(parseStepFile(JSON.stringify(request), 'session.json')).toEqual(request);
  expect(parseStepFile(' ["Go"]', 'standard input')).toEqual({ steps: ['Go'] });
});

test('JSON that is cut short is refused with its name', () => {
  expect(() => parseStepFile('{"steps": [', 'session.json')).toThrow(
    /^session\.json is not valid JSON: .*one step per line/,
  );
});

test('JSON that is neither a request nor a list is refused', () => {
  expect(() => parseStepFile('"Go"', 'session.json')).toThrow(
    'session.json must hold an object with "steps" or a list of steps, but it holds "Go".',
  );
});

test('a missing file is reported in a sentence', async () => {
  await expect(readStepFile('no-such-file.txt')).rejects.toThrow('There is no file no-such-file.txt.');
});

test('arguments become steps, and options become config and variables', async () => {
  const { request } = await parseRequest(['Open ${shop}', 'Sign in'], {
    variable: [['shop', 'http://x/?a=b']],
    variableEnv: [['password', 'SHOP_PASSWORD']],
    model: 'rules',
    maxIterations: 3,
    headed: true,
  });
  expect(request).toEqual({
    steps: ['Open ${shop}', 'Sign in'],
    variables: { shop: 'http://x/?a=b', password: { env: 'SHOP_PASSWORD' } },
    config: { aiConfig: { model: 'rules' }, executorConfig: { headless: false }, maxIterations: 3 },
  });
});

describe('a file together with options', () => {
  const folder = mkdtempSync(join(tmpdir(), 'surefoot-steps-'));
  const file = join(folder, 'session.json');
  afterAll(() => rmSync(folder, { recursive: true }));

  test('options win over the file and leave the rest of it', async () => {
    writeFileSync(
      file,
      JSON.stringify({
        steps: ['Go'],
        config: { aiConfig: { model: 'genai/a', temperature: 1 } },
        variables: { x: '1', y: '2' },
      }),
    );
    const { request } = await parseRequest([], { ...NO_OPTIONS, file, model: 'genai/b', variable: [['y', '3']] });
    expect(request).toEqual({
      steps: ['Go'],
      config: { aiConfig: { model: 'genai/b', temperature: 1 } },
      variables: { x: '1', y: '3' },
    });
  });

  test('steps from both places are refused', async () => {
    await expect(parseRequest(['Go'], { ...NO_OPTIONS, file })).rejects.toThrow(/use one of them/);
  });

  test('every invalid path is named', async () => {
    writeFileSync(file, JSON.stringify({ steps: ['', 'x'.repeat(1001)], variables: { '1a': 'x' } }));
    await expect(parseRequest([], { ...NO_OPTIONS, file })).rejects.toMatchObject({
      message: 'The session was not started, 3 things are wrong with it:',
      details: [
        expect.stringMatching(/^ {2}steps\[0\]: /),
        expect.stringMatching(/^ {2}steps\[1\]: /),
        expect.stringContaining('1a'),
      ],
      exitCode: 2,
    });
  });
});
