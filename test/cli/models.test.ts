import { modelSettings, reachableModels } from '../../cli/doctor/reachable-models';
import { startOwnServer } from '../support/model-server/own-server';
import { runCli } from './cli-process';

const serve = (body: string) => startOwnServer({ pages: { '/v1/models': body } });

const LIST = JSON.stringify({ object: 'list', data: [{ id: 'qwen3:8b', object: 'model' }, { id: 'gemma3' }] });

test('models are found by keys in the environment, at the server that is set and at usual addresses', async () => {
  const [own, other, page] = [await serve(LIST), await serve(LIST), await serve('<h1>Not a model</h1>')];
  const env = { GEMINI_API_KEY: 'key-1', OPENAI_COMPATIBLE_BASE_URL: own.url, OPENAI_COMPATIBLE_API_KEY: 'key-2' };
  const servers = { Ollama: other.url, 'llama.cpp': page.url, Gone: 'http://127.0.0.1:1/v1' };
  expect(await reachableModels(env, servers)).toEqual([
    { model: 'genai/gemini-2.5-flash', from: 'gemini', env: {} },
    { model: 'ai:openai-compatible/qwen3:8b', from: `OPENAI_COMPATIBLE_BASE_URL at ${own.url}`, env: {} },
    { model: 'ai:openai-compatible/gemma3', from: `OPENAI_COMPATIBLE_BASE_URL at ${own.url}`, env: {} },
    {
      model: 'ai:openai-compatible/qwen3:8b',
      from: `Ollama at ${other.url}`,
      env: { OPENAI_COMPATIBLE_BASE_URL: other.url },
    },
    {
      model: 'ai:openai-compatible/gemma3',
      from: `Ollama at ${other.url}`,
      env: { OPENAI_COMPATIBLE_BASE_URL: other.url },
    },
  ]);
  expect(await modelSettings('auto', {}, servers)).toEqual({
    OPENAI_COMPATIBLE_BASE_URL: other.url,
    SUREFOOT_MODEL: 'ai:openai-compatible/qwen3:8b',
  });
  expect(await modelSettings('auto', {}, {})).toEqual({});
  expect(await modelSettings('rules', env, servers)).toEqual({ SUREFOOT_MODEL: 'rules' });
  // The key of one server is sent to no other.
  expect([own.keys, other.keys]).toEqual([['Bearer key-2'], [undefined, undefined]]);
  await Promise.all([own, other, page].map((each) => each.stop()));
});

test('surefoot models prints the line that uses each model', async () => {
  const server = await serve(LIST);
  const env = { OPENAI_COMPATIBLE_BASE_URL: server.url };
  const { exitCode, stdout } = await runCli(['models'], { env });
  expect(exitCode).toBe(0);
  expect(stdout).toContain("SUREFOOT_MODEL='ai:openai-compatible/qwen3:8b' npx surefoot start");
  const { stdout: json } = await runCli(['models', '--json'], { env });
  expect(JSON.parse(json)).toContainEqual({
    model: 'ai:openai-compatible/gemma3',
    from: `OPENAI_COMPATIBLE_BASE_URL at ${server.url}`,
    env: {},
  });
  await server.stop();
});
