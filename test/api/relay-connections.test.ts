/** Sockets of the relay: what is taken from them, and when they are closed. */
import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { MAX_FRAME_BYTES } from '../../contracts/relay/protocol';
import { aSession } from '../support/builders';
import { eventually } from '../support/eventually';
import { openRawClient, registerRaw } from '../support/raw-relay-client';
import { standStill } from '../support/stand-still';
import { LONG_MS, RUN, startRelay, type RelayFixture } from './relay-fixture';

let relay: RelayFixture;
beforeAll(async () => (relay = await startRelay()));
afterAll(() => relay.stop());

test('a call is sent to the browser, and its result is stored, acknowledged and repeated', async () => {
  const { url } = await relay.aGateway();
  const { browserSessionId, sessionToken } = await relay.aBrowser();
  const client = await openRawClient(url);
  client.send({ type: 'register', sessionToken, memoryId: 'm', client: 'a test 1.0' });
  expect(await client.next('registered')).toMatchObject({
    protocol: 1,
    browserSessionId,
    epoch: 1,
    heartbeatMs: LONG_MS,
    maxFrameBytes: MAX_FRAME_BYTES,
  });
  expect(await relay.store.relay.sessions.list(undefined)).toContainEqual(
    expect.objectContaining({ browserSessionId, isConnected: true, client: 'a test 1.0' }),
  );
  const { requestId, sessionId, ask } = await relay.askFor(browserSessionId, { tool: 'find', input: { query: 'Buy' } });
  const expected = { requestId, sessionId, tool: 'find', input: { query: 'Buy' }, timeoutMs: LONG_MS };
  expect(await client.next('execute_tool')).toEqual({ type: 'execute_tool', ...expected });
  const result = {
    success: true,
    output: 'ref_1 \u0000 ä',
    screenshot: { data: Buffer.from('png').toString('base64'), mediaType: 'image/png' },
  };
  client.send({ type: 'tool_result', requestId, result });
  expect(await client.next('result_kept')).toEqual({ type: 'result_kept', requestId });
  expect(await relay.resultOf(requestId)).toEqual(result);
  expect(await ask()).toMatchObject({ kind: 'settled', call: { requestId, isUnknown: false, result } });
  // A second answer changes nothing.
  client.send({ type: 'tool_result', requestId, result: { success: false, error: 'no' } });
  await client.next('result_kept');
  expect(await relay.resultOf(requestId)).toEqual(result);
  client.drop();
});

test('a call id that is repeated with other arguments is refused', async () => {
  const { browserSessionId } = await relay.aBrowser();
  const { request } = await relay.askFor(browserSessionId, { waitForBrowserMs: LONG_MS });
  expect(await relay.store.relay.calls.request({ ...request, input: { action: 'type', text: 'x' } })).toEqual({
    kind: 'refused',
    reason: 'other-arguments',
  });
  expect(await relay.store.relay.calls.request({ ...request, input: { action: 'left_click' } })).toEqual({
    kind: 'pending',
  });
});

test('the browser of another tenant, one that was revoked and one that has expired are none for a session', async () => {
  const foreign = await relay.aBrowser('another');
  const revoked = await relay.aBrowser();
  await relay.store.relay.sessions.revoke(revoked.browserSessionId, undefined);
  const expired = await relay.aBrowser('default', 1);
  await eventually(
    'it has expired',
    async () => (await relay.store.relay.sessions.get(expired.browserSessionId))?.isExpired,
  );
  const { request } = await relay.askFor((await relay.aBrowser()).browserSessionId, { waitForBrowserMs: LONG_MS });
  const reasons = [];
  for (const { browserSessionId } of [foreign, revoked, expired]) {
    const requestId = `${request.sessionId}/${randomUUID()}`;
    reasons.push(await relay.store.relay.calls.request({ ...request, requestId, browserSessionId }));
  }
  expect(reasons).toEqual(['no-browser', 'revoked', 'expired'].map((reason) => ({ kind: 'refused', reason })));
});

test.each([
  ['made up', async () => 'surefoot_sess_made-up'],
  [
    'of a pairing',
    async () => (await relay.store.relay.sessions.pair({ tenant: 'default', lifeMs: LONG_MS })).pairingToken,
  ],
  [
    'rotated away',
    async () => {
      const { sessionToken } = await relay.aBrowser();
      await relay.store.relay.sessions.rotate(sessionToken, LONG_MS);
      return sessionToken;
    },
  ],
  [
    'revoked',
    async () => {
      const { browserSessionId, sessionToken } = await relay.aBrowser();
      await relay.store.relay.sessions.revoke(browserSessionId, undefined);
      return sessionToken;
    },
  ],
  [
    'expired',
    async () => {
      const { browserSessionId, sessionToken } = await relay.aBrowser('default', 1);
      await eventually(
        'it has expired',
        async () => (await relay.store.relay.sessions.get(browserSessionId))?.isExpired,
      );
      return sessionToken;
    },
  ],
])('a token that is %s lets nobody in', async (_, tokenOf) => {
  const { url } = await relay.aGateway();
  const client = await openRawClient(url);
  client.send({ type: 'register', sessionToken: await tokenOf(), memoryId: 'm' });
  expect(await client.next('error')).toMatchObject({ code: 'unauthorised' });
  expect(await client.closed()).toMatchObject({ code: 4401 });
});

test('nothing but a registration is taken first, and what is not of the protocol is answered, not died of', async () => {
  const { url } = await relay.aGateway();
  const { browserSessionId, sessionToken } = await relay.aBrowser();
  const { requestId } = await relay.askFor(browserSessionId, { waitForBrowserMs: LONG_MS });
  const client = await openRawClient(url);
  client.send({ type: 'tool_result', requestId, result: { success: true } });
  expect(await client.next('error')).toMatchObject({ code: 'not-registered' });
  client.send('nonsense');
  expect(await client.next('error')).toMatchObject({ code: 'bad-message' });
  client.send({ type: 'launch_missiles' });
  expect(await client.next('error')).toMatchObject({ code: 'unknown-type' });
  client.send({ type: 'ping' });
  await client.next('pong');
  client.send({ type: 'register', sessionToken, memoryId: 'm' });
  await client.next('registered');
  client.send({ type: 'register', sessionToken, memoryId: 'm' });
  expect(await client.next('error')).toMatchObject({ code: 'bad-message' });
  for (let strike = 0; strike < 20; strike += 1) client.send('[]');
  expect(await client.closed()).toMatchObject({ code: 4400 });
});

test('before it has registered a socket may send little, and strangers can open a hundred sockets at most', async () => {
  const { url } = await relay.aGateway();
  const loud = await openRawClient(url);
  loud.send('x'.repeat(100_000));
  expect(await loud.closed()).toMatchObject({ code: 1006 });
  const strangers = await Promise.all(Array.from({ length: 100 }, () => openRawClient(url)));
  const oneMore = await openRawClient(url);
  expect(await oneMore.closed()).toMatchObject({ code: 4429 });
  strangers[0]!.drop();
  const { sessionToken } = await relay.aBrowser();
  await eventually('a browser gets the place that became free', async () => {
    const browser = await openRawClient(url);
    browser.send({ type: 'register', sessionToken, memoryId: 'm' });
    return await Promise.race([browser.next('registered'), browser.closed().then(() => false)]);
  });
  for (const stranger of strangers) stranger.drop();
});

test('a result for a call of another browser, or one that was not sent, is refused without effect', async () => {
  const { url } = await relay.aGateway();
  const [mine, theirs] = [await relay.aBrowser(), await relay.aBrowser()];
  const honest = await registerRaw(url, theirs.sessionToken);
  const liar = await registerRaw(url, mine.sessionToken);
  const { requestId } = await relay.askFor(theirs.browserSessionId);
  await honest.next('execute_tool');
  const ended = await aSession(relay.store, { runId: RUN });
  const unsent = await relay.askFor(mine.browserSessionId, { waitForBrowserMs: LONG_MS, sessionId: ended });
  await liar.next('execute_tool');
  const waiting = await relay.askFor(mine.browserSessionId, { waitForBrowserMs: LONG_MS });
  for (const id of [requestId, waiting.requestId, 'made/up']) {
    liar.send({ type: 'tool_result', requestId: id, result: { success: true, output: 'a lie' } });
    expect(await liar.next('error')).toMatchObject({ code: 'unknown-request', requestId: id });
  }
  expect(await relay.store.relay.answers.result(requestId)).toBeNull();
  honest.send({ type: 'tool_result', requestId, result: { success: true, output: 'the truth' } });
  expect(await relay.resultOf(requestId)).toEqual({ success: true, output: 'the truth' });
  // One at a time: the next goes out when this one is answered.
  expect(liar.has('execute_tool')).toBe(false);
  liar.send({ type: 'tool_result', requestId: unsent.requestId, result: { success: true } });
  expect(await liar.next('execute_tool')).toMatchObject({ requestId: waiting.requestId });
  honest.drop();
  liar.drop();
});

test('a frame of 10 MB closes the connection, and the call it was to answer ends in words', async () => {
  const { url } = await relay.aGateway();
  const { browserSessionId, sessionToken } = await relay.aBrowser();
  const client = await registerRaw(url, sessionToken);
  const { requestId } = await relay.askFor(browserSessionId, { waitForBrowserMs: LONG_MS });
  await client.next('execute_tool');
  client.send({ type: 'tool_result', requestId, result: { success: true, output: 'x'.repeat(10 * 1024 * 1024) } });
  expect(await client.closed()).toMatchObject({ code: 1009 });
  expect(await relay.resultOf(requestId)).toMatchObject({ success: false, error: expect.stringContaining('larger') });
  const again = await registerRaw(url, sessionToken);
  expect((await relay.store.relay.sessions.get(browserSessionId))?.isConnected).toBe(true);
  again.drop();
});

test('the newest connection of a browser replaces the one before it, in the same process and in another', async () => {
  const [one, two] = [await relay.aGateway(), await relay.aGateway()];
  const { browserSessionId, sessionToken } = await relay.aBrowser();
  const clients = [];
  for (const { url } of [one, one, two]) clients.push(await registerRaw(url, sessionToken));
  for (const old of clients.slice(0, 2)) {
    await old.next('replaced');
    expect(await old.closed()).toEqual({ code: 1000, reason: 'replaced' });
  }
  const { requestId } = await relay.askFor(browserSessionId);
  expect(await clients[2]!.next('execute_tool')).toMatchObject({ requestId });
  expect((await relay.store.relay.sessions.get(browserSessionId))?.isConnected).toBe(true);
  clients[2]!.drop();
});

test('a connected browser that is revoked is notified and disconnected, and its calls end', async () => {
  const { url } = await relay.aGateway();
  const { browserSessionId, sessionToken } = await relay.aBrowser();
  const client = await registerRaw(url, sessionToken);
  const { requestId } = await relay.askFor(browserSessionId, { waitForBrowserMs: LONG_MS });
  await client.next('execute_tool');
  await relay.store.relay.sessions.revoke(browserSessionId, undefined);
  await client.next('revoked');
  expect(await client.closed()).toMatchObject({ code: 4403 });
  expect(await relay.resultOf(requestId)).toMatchObject({ success: false });
});

test('a connected browser whose token expires is disconnected', async () => {
  const { url } = await relay.aGateway();
  const { browserSessionId, sessionToken } = await relay.aBrowser();
  const client = await registerRaw(url, sessionToken);
  const sql = postgres(relay.stack.databaseUrl, { max: 1 });
  await sql`update browser_sessions set expires_at = clock_timestamp() where browser_session_id = ${browserSessionId}`;
  await sql.end();
  expect(await client.closed()).toMatchObject({ code: 4401 });
});

test('a silent client is disconnected after two heartbeats; one that answers stays connected', async () => {
  const { url } = await relay.aGateway({ heartbeatMs: 1000 });
  const [quiet, lively] = [await relay.aBrowser(), await relay.aBrowser()];
  const dead = await registerRaw(url, quiet.sessionToken);
  const alive = await registerRaw(url, lively.sessionToken);
  const beats = relay.answerPings(alive);
  expect(await dead.closed()).toMatchObject({ code: 4408 });
  await eventually('the other is past two heartbeats', () => beats() >= 4);
  expect((await relay.store.relay.sessions.get(lively.browserSessionId))?.isConnected).toBe(true);
  alive.drop();
});

test('messages that arrived during a stall of the API are read before a client counts as silent', async () => {
  const { url } = await relay.aGateway({ heartbeatMs: 300 });
  const { sessionToken } = await relay.aBrowser();
  const client = await registerRaw(url, sessionToken);
  // From here on the timers of the API come before its sockets.
  await new Promise(setImmediate);
  client.send({ type: 'ping' });
  standStill(1000);
  expect(await client.next('pong')).toEqual({ type: 'pong' });
  client.drop();
});
