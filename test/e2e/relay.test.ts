/** Calls over the relay, from a workflow to a client and back, while things are cut and killed. */
import type { BrowserToolResult } from '../../contracts/tasks/agent-loop';
import {
  connectRelay,
  type RelayClient,
  type RelayClientState,
  type ToolCall,
} from '../../client/remote-browser/connect';
import { eventually } from '../support/eventually';
import { registerRaw } from '../support/raw-relay-client';
import {
  startCuttableWay,
  startRelayStage,
  type ApiProcess,
  type CuttableWay,
  type ProbeCall,
  type RelayStage,
} from '../support/relay-harness';

const WAITS_MS = 60_000;

let stage: RelayStage;
let api: ApiProcess;
beforeAll(async () => {
  stage = await startRelayStage();
  api = await stage.startApi();
}, 180_000);
afterAll(() => stage.stop());

const ways: CuttableWay[] = [];
const clients: RelayClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
  for (const way of ways.splice(0)) way.close();
});

/** A browser that counts: how often each call was run. */
async function aCounter(options: { work?: (call: ToolCall) => Promise<void>; to?: ApiProcess } = {}) {
  const { browserSessionId, sessionToken } = await stage.pair(api);
  const runs = new Map<string, number>();
  const way = await startCuttableWay((options.to ?? api).url);
  const execute = async (call: ToolCall): Promise<BrowserToolResult> => {
    const name = String(call.input['name']);
    runs.set(name, (runs.get(name) ?? 0) + 1);
    await options.work?.(call);
    return { success: true, output: `did ${name}` };
  };
  let connects = 0;
  const onState = ({ kind }: RelayClientState): void => {
    if (kind === 'connected') connects += 1;
  };
  const client = connectRelay({ api: way.url, sessionToken, execute, retryMs: 10, onState });
  ways.push(way);
  clients.push(client);
  await eventually('the client is connected', () => client.state().kind === 'connected');
  const press = (name: string, more: Partial<ProbeCall> = {}): ProbeCall => ({
    browserSessionId,
    callId: name,
    tool: 'computer',
    input: { action: 'left_click', name },
    waitForBrowserMs: WAITS_MS,
    ...more,
  });
  return { browserSessionId, sessionToken, runs, way, client, press, connects: () => connects };
}

test('[S0.R1, S0.R6] a workflow calls a tool in a browser far away and gets its result', async () => {
  const { press, runs } = await aCounter();
  const sessionId = await stage.aSession();
  const { result } = await stage.begin(sessionId, [press('one'), press('two')]);
  expect(await result()).toEqual([
    { requestId: `${sessionId}/one`, success: true, output: 'did one' },
    { requestId: `${sessionId}/two`, success: true, output: 'did two' },
  ]);
  expect([...runs]).toEqual([
    ['one', 1],
    ['two', 1],
  ]);
});

test('the same call id again gives the recorded answer and runs nothing', async () => {
  const { press, runs } = await aCounter();
  const sessionId = await stage.aSession();
  const { result } = await stage.begin(sessionId, [press('one'), press('one')]);
  const [first, second] = await result();
  expect(second).toEqual(first);
  expect([...runs]).toEqual([['one', 1]]);
});

test('the socket cut 50 times at random moments: every call ran exactly once, and none hangs', async () => {
  const { press, runs, way, client, connects } = await aCounter({
    work: () => new Promise((resolve) => setTimeout(resolve, Math.random() * 30)),
  });
  const sessionIds = await Promise.all([stage.aSession(), stage.aSession(), stage.aSession()]);
  let isCutting = true;
  const cutting = (async () => {
    for (let cuts = 1; cuts <= 50; cuts += 1) {
      await eventually('the client is back', () => connects() >= cuts && client.state().kind === 'connected');
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));
      way.cut();
    }
    await eventually('the client is back', () => connects() > 50);
  })().finally(() => (isCutting = false));
  const names: string[] = [];
  let round = 0;
  const results: { success: boolean; output?: unknown }[] = [];
  // Three sessions share the browser, for as long as its socket is being cut; twice at least, however long one round takes.
  while (isCutting || round < 2) {
    round += 1;
    const batches = await Promise.all(
      sessionIds.map(async (_, index) => {
        const sessionId = await stage.aSession();
        const calls = [0, 1, 2, 3].map((number) => press(`${round}.${index}.${number}`));
        names.push(...calls.map(({ callId }) => callId));
        return await (await stage.begin(sessionId, calls)).result();
      }),
    );
    results.push(...batches.flat());
  }
  await cutting;
  expect(results).toEqual(names.map(() => expect.objectContaining({ success: true })));
  expect([...runs.values()].filter((count) => count !== 1)).toEqual([]);
  expect([...runs.keys()].sort()).toEqual([...names].sort());
  expect(round).toBeGreaterThan(1);
}, 300_000);

test('an API process that is killed within a call: the browser comes to another, and the call ran once', async () => {
  const [doomed, other] = [await stage.startApi(), api];
  let finish: () => void = () => {};
  const working = new Promise<void>((resolve) => (finish = resolve));
  const { press, runs, way, client } = await aCounter({ to: doomed, work: () => working });
  const { result } = await stage.begin(await stage.aSession(), [press('one'), press('two')]);
  await eventually('the tool runs', () => runs.has('one'));
  await doomed.kill();
  way.lead(other.url);
  finish();
  expect((await result()).map(({ output }) => output)).toEqual(['did one', 'did two']);
  expect([...runs.values()]).toEqual([1, 1]);
  expect(client.state()).toEqual({ kind: 'connected' });
});

test('another API process delivers an answer that was stored by one that died before it delivered it', async () => {
  const { browserSessionId, sessionToken } = await stage.pair(api);
  const client = await registerRaw(api.url, sessionToken);
  const sessionId = await stage.aSession();
  const call = { browserSessionId, callId: 'one', tool: 'read_page', input: {}, waitForBrowserMs: WAITS_MS };
  const { result } = await stage.begin(sessionId, [call]);
  const { requestId } = await client.next('execute_tool');
  // What the dead one had done by then.
  expect(await stage.store.relay.answers.save(browserSessionId, requestId, { success: true, output: 'kept' })).toBe(
    'saved',
  );
  expect(await result()).toEqual([{ requestId, success: true, output: 'kept' }]);
  client.drop();
});

test.each(['postgres', 'temporal'])(
  '%s is killed while calls run: each ran exactly once, and none hangs',
  async (name) => {
    const { press, runs } = await aCounter({ work: () => new Promise((resolve) => setTimeout(resolve, 20)) });
    const names = Array.from({ length: 40 }, (_, number) => `call ${number}`);
    const { result } = await stage.begin(
      await stage.aSession(),
      names.map((one) => press(one)),
    );
    for (const reached of [5, 20]) {
      await eventually(`${reached} calls have run`, () => runs.size >= reached, 90_000);
      const before = pidOf(name)!;
      process.kill(before, 'SIGKILL');
      await eventually(`${name} is there again`, () => pidOf(name) !== undefined && pidOf(name) !== before);
    }
    expect((await result()).map(({ output }) => output)).toEqual(names.map((one) => `did ${one}`));
    expect([...runs]).toEqual(names.map((one) => [one, 1]));
  },
  240_000,
);

function pidOf(name: string): number | undefined {
  return stage.stack.stack.processes().find((one) => one.name === name)?.pid;
}

test('with no API process at all a call ends in words when its time is over', async () => {
  const { browserSessionId } = await stage.pair(api);
  await api.kill();
  const call = { browserSessionId, callId: 'one', tool: 'read_page', input: {}, waitForBrowserMs: 100 };
  try {
    const { result } = await stage.begin(await stage.aSession(), [call]);
    expect(await result()).toMatchObject([{ success: false, error: expect.stringContaining('not connected') }]);
  } finally {
    api = await stage.startApi();
  }
});

test('a call to a browser that is away ends at once, or is sent when it comes where it is waited for', async () => {
  const { browserSessionId, sessionToken } = await stage.pair(api);
  const call = { browserSessionId, tool: 'computer', input: { action: 'left_click' } };
  const none = await stage.begin(await stage.aSession(), [{ ...call, callId: 'one' }]);
  expect(await none.result()).toMatchObject([{ success: false, error: expect.stringContaining('not connected') }]);
  const waits = await stage.begin(await stage.aSession(), [{ ...call, callId: 'one', waitForBrowserMs: WAITS_MS }]);
  const execute = async () => ({ success: true, output: 'came' });
  clients.push(connectRelay({ api: api.url, sessionToken, execute }));
  expect(await waits.result()).toMatchObject([{ success: true, output: 'came' }]);
});

test('a call that is cancelled before it was sent is never sent', async () => {
  const { browserSessionId, sessionToken } = await stage.pair(api);
  const sessionId = await stage.aSession();
  const call = { browserSessionId, callId: 'one', tool: 'computer', input: {}, waitForBrowserMs: WAITS_MS };
  const begun = await stage.begin(sessionId, [call]);
  const ended = begun.result().catch((error: Error) => error.name);
  const knows = () => stage.store.relay.calls.waiting([browserSessionId]);
  await eventually('the call waits', async () => (await knows()).length === 1);
  await begun.cancel();
  expect(await ended).toBe('WorkflowFailedError');
  await eventually('the call is withdrawn', async () => (await knows()).length === 0);
  const client = await registerRaw(api.url, sessionToken);
  expect(client.has('execute_tool')).toBe(false);
  client.drop();
});

test('a browser session of another tenant is none: the call fails for good and says what to do', async () => {
  const { browserSessionId } = await stage.pair(api, { tenant: 'another' });
  const { result } = await stage.begin(await stage.aSession(), [
    { browserSessionId, callId: 'one', tool: 'find', input: {} },
  ]);
  const failure = await result().catch((error: { cause?: { cause?: Error } }) => error.cause?.cause);
  expect(failure).toMatchObject({
    type: 'EX001',
    nonRetryable: true,
    message: expect.stringContaining('Pair the browser again'),
  });
});

test('neither a token nor anything of a page stands in what an API writes, also at its most talkative', async () => {
  const talkative = await stage.startApi({ LOG_LEVEL: 'debug' });
  const paired = await fetch(`${talkative.url}/v1/browser-sessions/pair`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  const { data } = (await paired.json()) as { data: { pairing_token: string } };
  const { row, sessionToken } = (await stage.store.relay.sessions.register(data.pairing_token, WAITS_MS))!;
  const client = await registerRaw(talkative.url, sessionToken);
  const input = { ref: 1, value: 'typed-by-nobody-else' };
  const call = { browserSessionId: row.browserSessionId, callId: 'one', tool: 'form_input', input };
  const { result } = await stage.begin(await stage.aSession(), [call]);
  const { requestId } = await client.next('execute_tool');
  client.send({
    type: 'tool_result',
    requestId: 'not/there',
    result: { success: true, output: 'seen-by-nobody-else' },
  });
  client.send({ type: 'tool_result', requestId, result: { success: true, output: 'seen-by-nobody-else' } });
  await result();
  client.drop();
  await eventually('it has reported the disconnect', () => talkative.output().includes('not connected any more'));
  expect(talkative.output()).toContain(row.browserSessionId);
  for (const secret of [data.pairing_token, sessionToken, input.value, 'seen-by-nobody-else'])
    expect(talkative.output()).not.toContain(secret);
  await talkative.kill();
});

test('a large result comes through: its picture stays in the store, whole', async () => {
  const { browserSessionId, sessionToken } = await stage.pair(api);
  const screenshot = { data: Buffer.alloc(3_000_000, 7).toString('base64'), mediaType: 'image/png' };
  const execute = async () => ({ success: true, output: 'x'.repeat(300_000), screenshot });
  clients.push(connectRelay({ api: api.url, sessionToken, execute }));
  const call = {
    browserSessionId,
    callId: 'one',
    tool: 'computer',
    input: { action: 'screenshot' },
    waitForBrowserMs: WAITS_MS,
  };
  const { result } = await stage.begin(await stage.aSession(), [call]);
  const [output] = await result();
  expect(output).toMatchObject({ success: true, screenshot: { mediaType: 'image/png', bytes: 3_000_000 } });
  expect(String(output!.output)).toMatch(/^x{100000}\.\.\. \[truncated\]$/);
  const whole = await stage.store.relay.answers.result(output!.requestId);
  expect([whole?.screenshot?.data === screenshot.data, String(whole?.output).length]).toEqual([true, 300_000]);
});
