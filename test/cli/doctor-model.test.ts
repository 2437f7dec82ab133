import { startOwnServer, streamChat } from '../support/model-server/own-server';
import { emptyHome, runCli } from './cli-process';

test('doctor --model tries a model at --base-url, and ends with 2 where it can not be used', async () => {
  const server = await startOwnServer({
    chat: ({ tools }, response) =>
      streamChat(response, { content: tools === undefined ? 'Hello! How can I help?' : 'I can not.' }),
    pages: { '/props': { default_generation_settings: { n_ctx: 2048 } } },
  });
  const { home, remove } = emptyHome();
  const model = 'ai:openai-compatible/gemma3';
  const env = { SUREFOOT_HOME: home };
  const { exitCode, stdout } = await runCli(['doctor', '--model', model, '--base-url', server.url], { env });
  expect(exitCode).toBe(2);
  expect(stdout).toMatch(/✗ Model +ai:openai-compatible\/gemma3 did not answer in the schema/);
  expect(stdout).toMatch(/! Tool call +.* “I can not.”: use it for steps, and another model for tasks/);
  expect(stdout).toMatch(/! Context window +The server gives .* 2048 tokens, too few/);
  expect(stdout).toMatch(/[✓!] Speed +.* tokens a second/);
  await server.stop();
  for (const [args, problem] of [
    [['--base-url', server.url], '--base-url needs --model'],
    [['--model', model, '--base-url', 'there'], '--base-url must be an address such as'],
    [['--model', 'vertexai/gemini-2.5-pro', '--base-url', server.url], 'not for models of vertexai'],
  ] as const) {
    const refused = await runCli(['doctor', ...args], { env });
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(problem) });
  }
  remove();
});
