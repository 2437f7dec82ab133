import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import postgres from 'postgres';
import { WebSocket } from 'ws';
import { openRelayGateway, type RelayGateway, type RelayGatewayDeps } from '../../api/relay/gateway';
import { connectTemporal } from '../../client/connection/connect-temporal';
import { MAX_FRAME_BYTES } from '../../contracts/relay/protocol';
import { RELAY_FAILURES, relayRequestId } from '../../contracts/relay/relay-call';
import type { Store } from '../../store/store';
import { aSession } from '../support/builders';
import { eventually } from '../support/eventually';
import { openRawClient, registerRaw, type RawClient } from '../support/raw-relay-client';
import { startTestStack, type TestStack } from '../support/stack';
import { standStill } from '../support/stand-still';
import { silent } from './fixture';

const RUN = 'run-1';
const LONG_MS = 60_000;

let stack: TestStack;
let store: Store;
let temporal: ReturnType<typeof connectTemporal>;
const endings: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  stack = await startTestStack();
  store = await stack.store();
  temporal = connectTemporal({ address: stack.temporalAddress, namespace: 'default' });
});
afterAll(async () => {
  for (const end of endings) await end();
  await temporal.connection.close();
  await stack.stop();
});

/** One API process's end of the relay, on a port of its own. */
async function aGateway(more: Partial<RelayGatewayDeps> = {}) {
  const gateway: RelayGateway = openRelayGateway({
    store,
    temporal,
    logger: silent,
    heartbeatMs: LONG_MS,
    ...more,
  });
  const server: Server = createServer((_, response) => response.writeHead(404).end());
  server.on('upgrade', gateway.connect);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  endings.push(async () => {
    await gateway.close();
    server.close();
  });
  return { gateway, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function aBrowser(tenant = 'default', lifeMs = LONG_MS) {
  const { pairingToken } = await store.relay.sessions.pair({ tenant, lifeMs: LONG_MS });
  const { row, sessionToken } = (await store.relay.sessions.register(pairingToken, lifeMs))!;
  return { browserSessionId: row.browserSessionId, sessionToken };
}

interface Asked {
  tool?: string;
  input?: Record<string, unknown>;
  waitForBrowserMs?: number;
  sessionId?: string;
  timeoutMs?: number;
}

/** Asks as the activity does; nobody waits for the token, so the answer is read from the store. */
async function askFor(browserSessionId: string, asked: Asked = {}) {
  const sessionId = asked.sessionId ?? (await aSession(store, { runId: RUN }));
  const requestId = relayRequestId(sessionId, randomUUID());
  const request = {
    requestId,
    sessionId,
    runId: RUN,
    browserSessionId,
    tenant: 'default',
    tool: asked.tool ?? 'computer',
    input: asked.input ?? { action: 'left_click' },
    timeoutMs: asked.timeoutMs ?? LONG_MS,
    waitForBrowserMs: asked.waitForBrowserMs ?? 0,
    taskToken: Buffer.from('nobody waits'),
  };
  const ask = () => store.relay.calls.request(request);
  expect(await ask()).toEqual({ kind: 'pending' });
  await store.relay.notifier.notify(browserSessionId);
  return { requestId, sessionId, request, ask };
}

/** Answers every ping from now on, beside whatever else the test does; returns a function that counts the pings. */
function answerPings(client: RawClient): () => number {
  let beats = 0;
  const answer = async (): Promise<void> => {
    await client.next('ping');
    client.send({ type: 'pong' });
    beats += 1;
  };
  const timer = setInterval(() => void (client.has('ping') && answer()), 20);
  endings.push(async () => clearInterval(timer));
  return () => beats;
}

const resultOf = (requestId: string) =>
  eventually(`the result of ${requestId}`, async () => (await store.relay.answers.result(requestId)) ?? undefined);

test('a call is sent to the browser, and its result is stored, acknowledged and returned to a repeated call', async () => {
  const { url } = await aGateway();
  const { browserSessionId, sessionToken } = await aBrowser();
  const client = await openRawClient(url);
  client.send({ type: 'register', sessionToken, memoryId: 'm', client: 'a test 1.0' });
  expect(await client.next('registered')).toMatchObject({
    protocol: 1,
    browserSessionId,
    epoch: 1,
    heartbeatMs: LONG_MS,
    maxFrameBytes: MAX_FRAME_BYTES,
  });
  expect(await store.relay.sessions.list(undefined)).toContainEqual(
    expect.objectContaining({ browserSessionId, isConnected: true, client: 'a test 1.0' }),
  );
  const { requestId, sessionId, ask } = await askFor(browserSessionId, { tool: 'find', input: { query: 'Buy' } });
  const expected = { requestId, sessionId, tool: 'find', input: { query: 'Buy' }, timeoutMs: LONG_MS };
  expect(await client.next('execute_tool')).toEqual({ type: 'execute_tool', ...expected });
  const result = {
    success: true,
    output: 'ref_1 \u0000 ä',
    screenshot: { data: Buffer.from('png').toString('base64'), mediaType: 'image/png' },
  };
  client.send({ type: 'tool_result', requestId, result });
  expect(await client.next('result_kept')).toEqual({ type: 'result_kept', requestId });
  expect(await resultOf(requestId)).toEqual(result);
  expect(await ask()).toMatchObject({ kind: 'settled', call: { requestId, isUnknown: false, result } });
  // A second answer changes nothing.
  client.send({ type: 'tool_result', requestId, result: { success: false, error: 'no' } });
  await client.next('result_kept');
  expect(await resultOf(requestId)).toEqual(result);
  client.drop();
});

test('a call id that is repeated with other arguments is refused', async () => {
  const { browserSessionId } = await aBrowser();
  const { request } = await askFor(browserSessionId, { waitForBrowserMs: LONG_MS });
  expect(await store.relay.calls.request({ ...request, input: { action: 'type', text: 'x' } })).toEqual({
    kind: 'refused',
    reason: 'other-arguments',
  });
  expect(await store.relay.calls.request({ ...request, input: { action: 'left_click' } })).toEqual({ kind: 'pending' });
});

test('the browser of another tenant, one that was revoked and one that has expired are none for a session', async () => {
  const foreign = await aBrowser('another');
  const revoked = await aBrowser();
  await store.relay.sessions.revoke(revoked.browserSessionId, undefined);
  const expired = await aBrowser('default', 1);
  await eventually('it has expired', async () => (await store.relay.sessions.get(expired.browserSessionId))?.isExpired);
  const { request } = await askFor((await aBrowser()).browserSessionId, { waitForBrowserMs: LONG_MS });
  const reasons = [];
  for (const { browserSessionId } of [foreign, revoked, expired]) {
    const requestId = `${request.sessionId}/${randomUUID()}`;
    reasons.push(await store.relay.calls.request({ ...request, requestId, browserSessionId }));
  }
  expect(reasons).toEqual(['no-browser', 'revoked', 'expired'].map((reason) => ({ kind: 'refused', reason })));
});

test.each([
  ['made up', async () => 'surefoot_sess_made-up'],
  ['of a pairing', async () => (await store.relay.sessions.pair({ tenant: 'default', lifeMs: LONG_MS })).pairingToken],
  [
    'rotated away',
    async () => {
      const { sessionToken } = await aBrowser();
      await store.relay.sessions.rotate(sessionToken, LONG_MS);
      return sessionToken;
    },
  ],
  [
    'revoked',
    async () => {
      const { browserSessionId, sessionToken } = await aBrowser();
      await store.relay.sessions.revoke(browserSessionId, undefined);
      return sessionToken;
    },
  ],
  [
    'expired',
    async () => {
      const { browserSessionId, sessionToken } = await aBrowser('default', 1);
      await eventually('it has expired', async () => (await store.relay.sessions.get(browserSessionId))?.isExpired);
      return sessionToken;
    },
  ],
])('a token that is %s lets nobody in', async (_, tokenOf) => {
  const { url } = await aGateway();
  const client = await openRawClient(url);
  client.send({ type: 'register', sessionToken: await tokenOf(), memoryId: 'm' });
  expect(await client.next('error')).toMatchObject({ code: 'unauthorised' });
  expect(await client.closed()).toMatchObject({ code: 4401 });
});

test('nothing but a registration is taken first, and what is not of the protocol is answered, not died of', async () => {
  const { url } = await aGateway();
  const { browserSessionId, sessionToken } = await aBrowser();
  const { requestId } = await askFor(browserSessionId, { waitForBrowserMs: LONG_MS });
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
  const { url } = await aGateway();
  const loud = await openRawClient(url);
  loud.send('x'.repeat(100_000));
  expect(await loud.closed()).toMatchObject({ code: 1006 });
  const strangers = await Promise.all(Array.from({ length: 100 }, () => openRawClient(url)));
  const oneMore = await openRawClient(url);
  expect(await oneMore.closed()).toMatchObject({ code: 4429 });
  strangers[0]!.drop();
  const { sessionToken } = await aBrowser();
  await eventually('a browser gets the place that became free', async () => {
    const browser = await openRawClient(url);
    browser.send({ type: 'register', sessionToken, memoryId: 'm' });
    return await Promise.race([browser.next('registered'), browser.closed().then(() => false)]);
  });
  for (const stranger of strangers) stranger.drop();
});

test('a result for a call of another browser, or for a call that was not sent, is refused and changes nothing', async () => {
  const { url } = await aGateway();
  const [mine, theirs] = [await aBrowser(), await aBrowser()];
  const honest = await registerRaw(url, theirs.sessionToken);
  const liar = await registerRaw(url, mine.sessionToken);
  const { requestId } = await askFor(theirs.browserSessionId);
  await honest.next('execute_tool');
  const ended = await aSession(store, { runId: RUN });
  const unsent = await askFor(mine.browserSessionId, { waitForBrowserMs: LONG_MS, sessionId: ended });
  await liar.next('execute_tool');
  const waiting = await askFor(mine.browserSessionId, { waitForBrowserMs: LONG_MS });
  for (const id of [requestId, waiting.requestId, 'made/up']) {
    liar.send({ type: 'tool_result', requestId: id, result: { success: true, output: 'a lie' } });
    expect(await liar.next('error')).toMatchObject({ code: 'unknown-request', requestId: id });
  }
  expect(await store.relay.answers.result(requestId)).toBeNull();
  honest.send({ type: 'tool_result', requestId, result: { success: true, output: 'the truth' } });
  expect(await resultOf(requestId)).toEqual({ success: true, output: 'the truth' });
  // One at a time: the next goes out when this one is answered.
  expect(liar.has('execute_tool')).toBe(false);
  liar.send({ type: 'tool_result', requestId: unsent.requestId, result: { success: true } });
  expect(await liar.next('execute_tool')).toMatchObject({ requestId: waiting.requestId });
  honest.drop();
  liar.drop();
});

test('a frame of 10 MB closes the connection, and the call it was to answer ends in words', async () => {
  const { url } = await aGateway();
  const { browserSessionId, sessionToken } = await aBrowser();
  const client = await registerRaw(url, sessionToken);
  const { requestId } = await askFor(browserSessionId, { waitForBrowserMs: LONG_MS });
  await client.next('execute_tool');
  client.send({ type: 'tool_result', requestId, result: { success: true, output: 'x'.repeat(10 * 1024 * 1024) } });
  expect(await client.closed()).toMatchObject({ code: 1009 });
  expect(await resultOf(requestId)).toMatchObject({ success: false, error: expect.stringContaining('larger') });
  const again = await registerRaw(url, sessionToken);
  expect((await store.relay.sessions.get(browserSessionId))?.isConnected).toBe(true);
  again.drop();
});

test('the newest connection of a browser replaces the one before it, in the same process and in another', async () => {
  const [one, two] = [await aGateway(), await aGateway()];
  const { browserSessionId, sessionToken } = await aBrowser();
  const clients = [];
  for (const { url } of [one, one, two]) clients.push(await registerRaw(url, sessionToken));
  for (const old of clients.slice(0, 2)) {
    await old.next('replaced');
    expect(await old.closed()).toEqual({ code: 1000, reason: 'replaced' });
  }
  const { requestId } = await askFor(browserSessionId);
  expect(await clients[2]!.next('execute_tool')).toMatchObject({ requestId });
  expect((await store.relay.sessions.get(browserSessionId))?.isConnected).toBe(true);
  clients[2]!.drop();
});

test('a connected browser that is revoked is notified and disconnected, and its calls end', async () => {
  const { url } = await aGateway();
  const { browserSessionId, sessionToken } = await aBrowser();
  const client = await registerRaw(url, sessionToken);
  const { requestId } = await askFor(browserSessionId, { waitForBrowserMs: LONG_MS });
  await client.next('execute_tool');
  await store.relay.sessions.revoke(browserSessionId, undefined);
  await client.next('revoked');
  expect(await client.closed()).toMatchObject({ code: 4403 });
  expect(await resultOf(requestId)).toMatchObject({ success: false });
});

test('a connected browser whose token expires is disconnected', async () => {
  const { url } = await aGateway();
  const { browserSessionId, sessionToken } = await aBrowser();
  const client = await registerRaw(url, sessionToken);
  const sql = postgres(stack.databaseUrl, { max: 1 });
  await sql`update browser_sessions set expires_at = clock_timestamp() where browser_session_id = ${browserSessionId}`;
  await sql.end();
  expect(await client.closed()).toMatchObject({ code: 4401 });
});

test('a silent client is disconnected after two heartbeats; one that answers stays connected', async () => {
  const { url } = await aGateway({ heartbeatMs: 1000 });
  const [quiet, lively] = [await aBrowser(), await aBrowser()];
  const dead = await registerRaw(url, quiet.sessionToken);
  const alive = await registerRaw(url, lively.sessionToken);
  const beats = answerPings(alive);
  expect(await dead.closed()).toMatchObject({ code: 4408 });
  await eventually('the other is past two heartbeats', () => beats() >= 4);
  expect((await store.relay.sessions.get(lively.browserSessionId))?.isConnected).toBe(true);
  alive.drop();
});

test('messages that arrived during a stall of the API are read before a client counts as silent', async () => {
  const { url } = await aGateway({ heartbeatMs: 300 });
  const { sessionToken } = await aBrowser();
  const client = await registerRaw(url, sessionToken);
  // From here on the timers of the API come before its sockets.
  await new Promise(setImmediate);
  client.send({ type: 'ping' });
  standStill(1000);
  expect(await client.next('pong')).toEqual({ type: 'pong' });
  client.drop();
});

test('[S0.A7] a disconnect ends what was under way at once: in words that have it repeated only where that does no harm', async () => {
  const { url } = await aGateway();
  const ends: Record<string, unknown> = {};
  for (const [tool, input] of [
    ['read_page', {}],
    ['computer', { action: 'left_click' }],
  ] as const) {
    const { browserSessionId, sessionToken } = await aBrowser();
    const client = await registerRaw(url, sessionToken);
    const { requestId, ask } = await askFor(browserSessionId, { tool, input });
    await client.next('execute_tool');
    client.drop();
    ends[tool] = (await resultOf(requestId)).error;
    expect(await ask()).toMatchObject({ kind: 'settled', call: { isUnknown: tool === 'computer' } });
  }
  expect(ends['read_page']).toContain('not connected');
  expect(ends['computer']).toContain('unknown');
  expect(ends['computer']).not.toMatch(/not connected|timed out|Relay/);
});

test('[S0.A7] a call to a browser that is not there and is not waited for ends at once, and may be asked for again by the same id', async () => {
  const { url } = await aGateway();
  const { browserSessionId, sessionToken } = await aBrowser();
  const { request } = await askFor(browserSessionId, { waitForBrowserMs: LONG_MS });
  const now = { ...request, requestId: `${request.sessionId}/now`, waitForBrowserMs: 0 };
  for (let time = 0; time < 2; time += 1) {
    const requested = await store.relay.calls.request(now);
    expect(requested).toMatchObject({ kind: 'settled', call: { isUnknown: false } });
    expect(JSON.stringify(requested)).toContain('not connected');
  }
  const client = await registerRaw(url, sessionToken);
  const first = await client.next('execute_tool');
  expect(first.requestId).toBe(request.requestId);
  client.send({ type: 'tool_result', requestId: first.requestId, result: { success: true } });
  await client.next('result_kept');
  expect(await store.relay.calls.request(now)).toEqual({ kind: 'pending' });
  expect(await client.next('execute_tool')).toMatchObject({ requestId: now.requestId });
  client.drop();
});

test('a call that waited in vain ends, was not sent, and may be asked for again by the same id', async () => {
  const { url } = await aGateway();
  const { browserSessionId, sessionToken } = await aBrowser();
  const { requestId, request, ask } = await askFor(browserSessionId, { waitForBrowserMs: 50 });
  const error = await eventually('the request is answered', async () => {
    const requested = await ask();
    return requested.kind === 'settled' ? requested.call.result.error : undefined;
  });
  expect(error).toContain('not connected');
  expect(await store.relay.calls.request({ ...request, waitForBrowserMs: LONG_MS })).toEqual({ kind: 'pending' });
  const client = await registerRaw(url, sessionToken);
  expect(await client.next('execute_tool')).toMatchObject({ requestId });
  client.drop();
});

test('a call of a session that waits for its browser is sent when the browser comes', async () => {
  const { url } = await aGateway();
  const { browserSessionId, sessionToken } = await aBrowser();
  const { requestId } = await askFor(browserSessionId, { waitForBrowserMs: LONG_MS });
  const client = await registerRaw(url, sessionToken);
  expect(await client.next('execute_tool')).toMatchObject({ requestId });
  client.drop();
});

test('a call that was under way is asked for by its id after the reconnect, and never sent again by that', async () => {
  const { url } = await aGateway();
  const { browserSessionId, sessionToken } = await aBrowser();
  const first = await registerRaw(url, sessionToken, 'same');
  const { requestId } = await askFor(browserSessionId, { waitForBrowserMs: LONG_MS });
  await first.next('execute_tool');
  first.drop();
  const second = await registerRaw(url, sessionToken, 'same');
  expect(await second.next('ask_result')).toMatchObject({ requestId });
  second.send({ type: 'running', requestId });
  second.send({ type: 'tool_result', requestId, result: { success: true, output: 'clicked' } });
  expect(await resultOf(requestId)).toEqual({ success: true, output: 'clicked' });
  expect(second.has('execute_tool')).toBe(false);
  second.drop();
});

test.each([
  ['a click that it never got, is sent again', 'computer', 'same', true],
  ['a click that it may have forgotten, is of unknown outcome', 'computer', 'another', false],
  ['a look that it may have forgotten, is sent again', 'read_page', 'another', true],
])('a call that its client says it does not know, %s', async (_, tool, memory, isSentAgain) => {
  const { url } = await aGateway();
  const { browserSessionId, sessionToken } = await aBrowser();
  const first = await registerRaw(url, sessionToken, 'same');
  const { requestId } = await askFor(browserSessionId, { tool, waitForBrowserMs: LONG_MS });
  await first.next('execute_tool');
  first.drop();
  const second = await registerRaw(url, sessionToken, memory);
  await second.next('ask_result');
  second.send({ type: 'unknown_request', requestId });
  const settled = eventually('it is sent again or settled', async () =>
    second.has('execute_tool') ? null : ((await store.relay.answers.result(requestId)) ?? undefined),
  );
  expect([await settled, second.has('execute_tool')]).toEqual(
    isSentAgain ? [null, true] : [{ success: false, error: RELAY_FAILURES['forgotten-unknown'] }, false],
  );
  second.drop();
});

test('a call that is not answered in time ends; a late result is acknowledged and changes nothing', async () => {
  const { url } = await aGateway();
  const { browserSessionId, sessionToken } = await aBrowser();
  const client = await registerRaw(url, sessionToken);
  const { requestId } = await askFor(browserSessionId, { timeoutMs: 50 });
  await client.next('execute_tool');
  const given = await resultOf(requestId);
  expect(given).toMatchObject({ success: false, error: expect.stringContaining('unknown') });
  client.send({ type: 'tool_result', requestId, result: { success: true } });
  await client.next('result_kept');
  expect(await resultOf(requestId)).toEqual(given);
  const look = await askFor(browserSessionId, { timeoutMs: 50, tool: 'read_page' });
  await client.next('execute_tool');
  expect((await resultOf(look.requestId)).error).toContain('timed out');
  client.drop();
});

test('a client that keeps reconnecting and never answers delays a call by twice its time and the wait at most', async () => {
  const { url } = await aGateway();
  const { browserSessionId, sessionToken } = await aBrowser();
  const first = await registerRaw(url, sessionToken);
  const { requestId } = await askFor(browserSessionId, { timeoutMs: 300, waitForBrowserMs: 3000 });
  await first.next('execute_tool');
  first.send({ type: 'running', requestId });
  first.drop();
  let isOver = false;
  const result = resultOf(requestId).finally(() => (isOver = true));
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
  const { url } = await aGateway({ temporal: away, heartbeatMs: 1000 });
  endings.push(() => away.connection.close());
  const { browserSessionId, sessionToken } = await aBrowser();
  const client = await registerRaw(url, sessionToken);
  const beats = answerPings(client);
  for (let round = 0; round < 8; round += 1) {
    const { requestId } = await askFor(browserSessionId);
    expect(await client.next('execute_tool')).toMatchObject({ requestId });
    client.send({ type: 'tool_result', requestId, result: { success: true } });
    await client.next('result_kept');
  }
  await eventually('it is past two heartbeats', () => beats() >= 3);
  expect((await store.relay.sessions.get(browserSessionId))?.isConnected).toBe(true);
  client.drop();
});

test('nothing is sent for a session that is paused or has ended', async () => {
  const { url } = await aGateway();
  const { browserSessionId, sessionToken } = await aBrowser();
  const sessionId = await aSession(store, { runId: RUN, isActive: true });
  await store.log.append(sessionId, [], { patch: { paused: true } });
  const { requestId } = await askFor(browserSessionId, { sessionId, waitForBrowserMs: LONG_MS });
  const client = await registerRaw(url, sessionToken);
  const other = await askFor(browserSessionId, { waitForBrowserMs: LONG_MS });
  // The one after it goes out, so the paused one was passed over.
  expect(await client.next('execute_tool')).toMatchObject({ requestId: other.requestId });
  client.send({ type: 'tool_result', requestId: other.requestId, result: { success: true } });
  await client.next('result_kept');
  expect(client.has('execute_tool')).toBe(false);
  await store.log.append(sessionId, [], { patch: { paused: false } });
  expect(await client.next('execute_tool')).toMatchObject({ requestId });
  client.drop();
});

test('an API that stops closes its connections with 1001, and a client continues at another one', async () => {
  const [first, second] = [await aGateway(), await aGateway()];
  const { browserSessionId, sessionToken } = await aBrowser();
  const before = await registerRaw(first.url, sessionToken);
  const { requestId } = await askFor(browserSessionId, { waitForBrowserMs: LONG_MS });
  await before.next('execute_tool');
  await first.gateway.close();
  expect(await before.closed()).toMatchObject({ code: 1001 });
  expect((await store.relay.sessions.get(browserSessionId))?.isConnected).toBe(false);
  const after = await registerRaw(second.url, sessionToken);
  expect(await after.next('ask_result')).toMatchObject({ requestId });
  after.send({ type: 'tool_result', requestId, result: { success: true } });
  expect(await resultOf(requestId)).toEqual({ success: true });
  after.drop();
});
