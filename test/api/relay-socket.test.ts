/** Calls over the relay whose browser, API or Temporal goes away. */
import { connectTemporal } from '../../service/connection/connect-temporal';
import { RELAY_FAILURES } from '../../contracts/relay/relay-call';
import { aSession } from '../support/builders';
import { eventually } from '../support/eventually';
import { registerRaw } from '../support/raw-relay-client';
import { LONG_MS, RUN, startRelay, type RelayFixture } from './relay-fixture';

let relay: RelayFixture;
beforeAll(async () => (relay = await startRelay()));
afterAll(() => relay.stop());

test('[S0.A7] a disconnect ends what was under way, and has it repeated only where that does no harm', async () => {
  const { url } = await relay.aGateway();
  const ends: Record<string, unknown> = {};
  for (const [tool, input] of [
    ['read_page', {}],
    ['computer', { action: 'left_click' }],
  ] as const) {
    const { browserSessionId, sessionToken } = await relay.aBrowser();
    const client = await registerRaw(url, sessionToken);
    const { requestId, ask } = await relay.askFor(browserSessionId, { tool, input });
    await client.next('execute_tool');
    client.drop();
    ends[tool] = (await relay.resultOf(requestId)).error;
    expect(await ask()).toMatchObject({ kind: 'settled', call: { isUnknown: tool === 'computer' } });
  }
  expect(ends['read_page']).toContain('not connected');
  expect(ends['computer']).toContain('unknown');
  expect(ends['computer']).not.toMatch(/not connected|timed out|Relay/);
});

test('[S0.A7] a call to a browser that is missing and not waited for ends at once, and may be repeated', async () => {
  const { url } = await relay.aGateway();
  const { browserSessionId, sessionToken } = await relay.aBrowser();
  const { request } = await relay.askFor(browserSessionId, { waitForBrowserMs: LONG_MS });
  const now = { ...request, requestId: `${request.sessionId}/now`, waitForBrowserMs: 0 };
  for (let time = 0; time < 2; time += 1) {
    const requested = await relay.store.relay.calls.request(now);
    expect(requested).toMatchObject({ kind: 'settled', call: { isUnknown: false } });
    expect(JSON.stringify(requested)).toContain('not connected');
  }
  const client = await registerRaw(url, sessionToken);
  const first = await client.next('execute_tool');
  expect(first.requestId).toBe(request.requestId);
  client.send({ type: 'tool_result', requestId: first.requestId, result: { success: true } });
  await client.next('result_kept');
  expect(await relay.store.relay.calls.request(now)).toEqual({ kind: 'pending' });
  expect(await client.next('execute_tool')).toMatchObject({ requestId: now.requestId });
  client.drop();
});

test('a call that waited in vain ends, was not sent, and may be asked for again by the same id', async () => {
  const { url } = await relay.aGateway();
  const { browserSessionId, sessionToken } = await relay.aBrowser();
  const { requestId, request, ask } = await relay.askFor(browserSessionId, { waitForBrowserMs: 50 });
  const error = await eventually('the request is answered', async () => {
    const requested = await ask();
    return requested.kind === 'settled' ? requested.call.result.error : undefined;
  });
  expect(error).toContain('not connected');
  expect(await relay.store.relay.calls.request({ ...request, waitForBrowserMs: LONG_MS })).toEqual({ kind: 'pending' });
  const client = await registerRaw(url, sessionToken);
  expect(await client.next('execute_tool')).toMatchObject({ requestId });
  client.drop();
});

test('a call of a session that waits for its browser is sent when the browser comes', async () => {
  const { url } = await relay.aGateway();
  const { browserSessionId, sessionToken } = await relay.aBrowser();
  const { requestId } = await relay.askFor(browserSessionId, { waitForBrowserMs: LONG_MS });
  const client = await registerRaw(url, sessionToken);
  expect(await client.next('execute_tool')).toMatchObject({ requestId });
  client.drop();
});

test('a call that was under way is asked for by its id after the reconnect, and never sent again by that', async () => {
  const { url } = await relay.aGateway();
  const { browserSessionId, sessionToken } = await relay.aBrowser();
  const first = await registerRaw(url, sessionToken, 'same');
  const { requestId } = await relay.askFor(browserSessionId, { waitForBrowserMs: LONG_MS });
  await first.next('execute_tool');
  first.drop();
  const second = await registerRaw(url, sessionToken, 'same');
  expect(await second.next('ask_result')).toMatchObject({ requestId });
  second.send({ type: 'running', requestId });
  second.send({ type: 'tool_result', requestId, result: { success: true, output: 'clicked' } });
  expect(await relay.resultOf(requestId)).toEqual({ success: true, output: 'clicked' });
  expect(second.has('execute_tool')).toBe(false);
  second.drop();
});

test.each([
  ['a click that it never got, is sent again', 'computer', 'same', true],
  ['a click that it may have forgotten, is of unknown outcome', 'computer', 'another', false],
  ['a look that it may have forgotten, is sent again', 'read_page', 'another', true],
])('a call that its client says it does not know, %s', async (_, tool, memory, isSentAgain) => {
  const { url } = await relay.aGateway();
  const { browserSessionId, sessionToken } = await relay.aBrowser();
  const first = await registerRaw(url, sessionToken, 'same');
  const { requestId } = await relay.askFor(browserSessionId, { tool, waitForBrowserMs: LONG_MS });
  await first.next('execute_tool');
  first.drop();
  const second = await registerRaw(url, sessionToken, memory);
  await second.next('ask_result');
  second.send({ type: 'unknown_request', requestId });
  const settled = eventually('it is sent again or settled', async () =>
    second.has('execute_tool') ? null : ((await relay.store.relay.answers.result(requestId)) ?? undefined),
  );
  expect([await settled, second.has('execute_tool')]).toEqual(
    isSentAgain ? [null, true] : [{ success: false, error: RELAY_FAILURES['forgotten-unknown'] }, false],
  );
  second.drop();
});

test('a call that is not answered in time ends; a late result is acknowledged and changes nothing', async () => {
  const { url } = await relay.aGateway();
  const { browserSessionId, sessionToken } = await relay.aBrowser();
  const client = await registerRaw(url, sessionToken);
  const { requestId } = await relay.askFor(browserSessionId, { timeoutMs: 50 });
  await client.next('execute_tool');
  const given = await relay.resultOf(requestId);
  expect(given).toMatchObject({ success: false, error: expect.stringContaining('unknown') });
  client.send({ type: 'tool_result', requestId, result: { success: true } });
  await client.next('result_kept');
  expect(await relay.resultOf(requestId)).toEqual(given);
  const look = await relay.askFor(browserSessionId, { timeoutMs: 50, tool: 'read_page' });
  await client.next('execute_tool');
  expect((await relay.resultOf(look.requestId)).error).toContain('timed out');
  client.drop();
});

test('a client that reconnects and never answers delays a call by twice its time and the wait at most', async () => {
  const { url } = await relay.aGateway();
  const { browserSessionId, sessionToken } = await relay.aBrowser();
  const first = await registerRaw(url, sessionToken);
  const { requestId } = await relay.askFor(browserSessionId, { timeoutMs: 300, waitForBrowserMs: 3000 });
  await first.next('execute_tool');
  first.send({ type: 'running', requestId });
  first.drop();
  let isOver = false;
  const result = relay.resultOf(requestId).finally(() => (isOver = true));
  const flapping = (async () => {
    while (!isOver) {
      const client = await registerRaw(url, sessionToken);
      client.send({ type: 'running', requestId });
      client.drop();
    }
  })();
  expect(await result).toMatchObject({ success: false, error: expect.stringContaining('unknown') });
  await flapping;
});

test('while Temporal is away answers are kept, the next call goes out, and browsers stay connected', async () => {
  const away = connectTemporal({ address: '127.0.0.1:1', namespace: 'default' });
  const { url } = await relay.aGateway({ temporal: away, heartbeatMs: 1000 });
  relay.atEnd(() => away.connection.close());
  const { browserSessionId, sessionToken } = await relay.aBrowser();
  const client = await registerRaw(url, sessionToken);
  const beats = relay.answerPings(client);
  for (let round = 0; round < 8; round += 1) {
    const { requestId } = await relay.askFor(browserSessionId);
    expect(await client.next('execute_tool')).toMatchObject({ requestId });
    client.send({ type: 'tool_result', requestId, result: { success: true } });
    await client.next('result_kept');
  }
  await eventually('it is past two heartbeats', () => beats() >= 3);
  expect((await relay.store.relay.sessions.get(browserSessionId))?.isConnected).toBe(true);
  client.drop();
});

test('nothing is sent for a session that is paused or has ended', async () => {
  const { url } = await relay.aGateway();
  const { browserSessionId, sessionToken } = await relay.aBrowser();
  const sessionId = await aSession(relay.store, { runId: RUN, isActive: true });
  await relay.store.log.append(sessionId, [], { patch: { paused: true } });
  const { requestId } = await relay.askFor(browserSessionId, { sessionId, waitForBrowserMs: LONG_MS });
  const client = await registerRaw(url, sessionToken);
  const other = await relay.askFor(browserSessionId, { waitForBrowserMs: LONG_MS });
  // The one after it goes out, so the paused one was passed over.
  expect(await client.next('execute_tool')).toMatchObject({ requestId: other.requestId });
  client.send({ type: 'tool_result', requestId: other.requestId, result: { success: true } });
  await client.next('result_kept');
  expect(client.has('execute_tool')).toBe(false);
  await relay.store.log.append(sessionId, [], { patch: { paused: false } });
  expect(await client.next('execute_tool')).toMatchObject({ requestId });
  client.drop();
});

test('an API that stops closes its connections with 1001, and a client continues at another one', async () => {
  const [first, second] = [await relay.aGateway(), await relay.aGateway()];
  const { browserSessionId, sessionToken } = await relay.aBrowser();
  const before = await registerRaw(first.url, sessionToken);
  const { requestId } = await relay.askFor(browserSessionId, { waitForBrowserMs: LONG_MS });
  await before.next('execute_tool');
  await first.gateway.close();
  expect(await before.closed()).toMatchObject({ code: 1001 });
  expect((await relay.store.relay.sessions.get(browserSessionId))?.isConnected).toBe(false);
  const after = await registerRaw(second.url, sessionToken);
  expect(await after.next('ask_result')).toMatchObject({ requestId });
  after.send({ type: 'tool_result', requestId, result: { success: true } });
  expect(await relay.resultOf(requestId)).toEqual({ success: true });
  after.drop();
});
