/** A llama.cpp server with one slot, which goes on with a call for a while after its caller has left. */
import { createLanguageModel } from '../../../../activities/engine/models/resolve-model';
import { eventually } from '../../../support/eventually';
import { startOwnServer, streamChat } from '../../../support/model-server/own-server';
import { aRequest, providerErrorOf } from '../../../support/model-server/request';

const ANSWER = { content: '{"thought":"fine","commands":[]}' };
const modelAt = (url: string) => createLanguageModel('ai:openai-compatible/qwen3', { OPENAI_COMPATIBLE_BASE_URL: url });

test('after an abort the connection is closed, and the next call waits until the only slot is free', async () => {
  let isProcessing = false;
  const overlaps: boolean[] = [];
  const closed = Promise.withResolvers<void>();
  const server = await startOwnServer({
    chat: (_, response) => {
      overlaps.push(isProcessing);
      if (overlaps.length > 1) return streamChat(response, ANSWER);
      isProcessing = true;
      response.once('close', closed.resolve);
    },
    pages: { '/slots': () => [{ id: 0, n_ctx: 4096, is_processing: isProcessing }] },
  });
  const model = modelAt(server.url);
  expect(await providerErrorOf(model.generate(aRequest({ timeoutMs: 300 })))).toMatchObject({ kind: 'stalled' });
  await closed.promise;
  const next = model.generate(aRequest());
  const asked = () => server.paths.filter((path) => path === 'GET /slots').length;
  const before = asked();
  await eventually('it has asked for a slot', () => asked() >= before + 3);
  isProcessing = false;
  expect((await next).text).toBe(ANSWER.content);
  expect(overlaps).toEqual([false, false]);
  await server.stop();
});

test('a wait for a slot ends with the session, and after the time of the call it is made all the same', async () => {
  const server = await startOwnServer({
    chat: (_, response) => streamChat(response, ANSWER),
    pages: { '/slots': [{ id: 0, is_processing: true }] },
  });
  const model = modelAt(server.url);
  const cancel = new AbortController();
  const waiting = model.generate(aRequest({ signal: cancel.signal }));
  await eventually('it has asked for a slot', () => server.paths.length >= 2);
  cancel.abort(new Error('The session was cancelled.'));
  await expect(waiting).rejects.toThrow('The session was cancelled.');
  expect(server.chats).toHaveLength(0);
  expect((await model.generate(aRequest({ timeoutMs: 600 }))).text).toBe(ANSWER.content);
  await server.stop();
});

test('a server without slots is asked for them once', async () => {
  const [other, empty] = [
    await startOwnServer({ chat: (_, response) => streamChat(response, ANSWER) }),
    await startOwnServer({ chat: (_, response) => streamChat(response, ANSWER), pages: { '/slots': [] } }),
  ];
  for (const { url } of [other, other, empty, empty]) await modelAt(url).generate(aRequest());
  for (const { paths } of [other, empty])
    expect(paths).toEqual(['GET /slots', 'POST /v1/chat/completions', 'POST /v1/chat/completions']);
  await Promise.all([other.stop(), empty.stop()]);
});
