import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { endChrome, startChrome, type Chrome } from '../../../worker/keeper/chrome/chrome';
import { connectDevTools, type DevTools } from '../../../worker/keeper/devtools/devtools';
import { openMessagePipe } from '../../../worker/keeper/devtools/message-pipe';
import { openKeeperEnds } from '../../../worker/keeper/devtools/pipes';
import { aRoot, CHROMIUM, cleanUp, later, until } from '../fixture';

afterEach(cleanUp);

async function aChrome(): Promise<Chrome> {
  const folder = join(aRoot(), 'chrome');
  const chrome = await startChrome({ chromiumPath: CHROMIUM, folder, headless: true, proxyPort: 1 });
  later(() => endChrome(chrome));
  return chrome;
}

interface Message {
  id?: number;
  method?: string;
  sessionId?: string;
  result?: { sessionId?: string; product?: string; result?: { value?: unknown }; targetInfos?: TargetInfo[] };
  error?: { code: number };
}

interface TargetInfo {
  type: string;
  targetId: string;
}

async function aClient(devTools: DevTools) {
  const messages: Message[] = [];
  let isClosed = false;
  const session = await devTools.open({
    received: (data) => void messages.push(JSON.parse(data.toString()) as Message),
    closed: () => (isClosed = true),
  });
  const answerTo = (id: number) => until(`an answer to ${id}`, () => messages.find((message) => message.id === id));
  const send = (text: string) => session.send(Buffer.from(text));
  let lastId = 0;
  const call = async (method: string, params: object = {}, sessionId?: string): Promise<Message> => {
    lastId += 1;
    send(JSON.stringify({ id: lastId, method, params, sessionId }));
    return await answerTo(lastId);
  };
  return {
    messages,
    session,
    send,
    call,
    answerTo,
    isClosed: () => isClosed,
    async attachToPage(): Promise<string> {
      const { result } = await call('Target.getTargets');
      const { targetId } = result!.targetInfos!.find(({ type }) => type === 'page')!;
      return (await call('Target.attachToTarget', { targetId, flatten: true })).result!.sessionId!;
    },
  };
}

test('two clients use the same ids at once, and each gets its own answers and events alone', async () => {
  const { devTools } = await aChrome();
  const [one, other] = await Promise.all([aClient(devTools), aClient(devTools)]);
  const page = await one.attachToPage();
  await one.call('Runtime.enable', {}, page);
  expect(one.messages.filter(({ method }) => method === 'Runtime.executionContextCreated')).toMatchObject([
    { sessionId: page },
  ]);
  for (let turn = 0; turn < 100; turn += 1) {
    const [mine, its] = await Promise.all([
      one.call('Runtime.evaluate', { expression: String(turn) }, page),
      other.call('Browser.getVersion'),
    ]);
    expect(mine).toMatchObject({ sessionId: page, result: { result: { value: turn } } });
    expect(its).toEqual({ id: turn + 1, result: expect.objectContaining({ protocolVersion: '1.3' }) as object });
  }
  expect(other.messages.filter(({ id }) => id === undefined)).toEqual([]);
});

test('a client can not speak in the session of another one, nor in one that has ended', async () => {
  const { devTools } = await aChrome();
  const [one, other] = await Promise.all([aClient(devTools), aClient(devTools)]);
  const page = await one.attachToPage();
  for (const session of [page, devTools.keeperSession, 'NONE'])
    expect(await other.call('Runtime.evaluate', { expression: 'document.title = 1' }, session)).toMatchObject({
      error: { code: -32_001 },
    });
  expect(await one.call('Runtime.evaluate', { expression: 'document.title' }, page)).toMatchObject({
    result: { result: { value: '' } },
  });
  await one.call('Target.detachFromTarget', { sessionId: page });
  expect(await one.call('Runtime.evaluate', { expression: '1' }, page)).toMatchObject({ error: { code: -32_001 } });
});

test('messages of megabytes arrive whole in both directions', async () => {
  const { devTools } = await aChrome();
  const client = await aClient(devTools);
  const page = await client.attachToPage();
  const text = 'é'.repeat(3 * 1024 * 1024);
  const evaluate = { expression: `${JSON.stringify(text)} + "!"`, returnByValue: true };
  const { result } = await client.call('Runtime.evaluate', evaluate, page);
  expect(result?.result?.value === `${text}!`).toBe(true);
});

test('a command may be written in any order, and what is none ends its sender alone', async () => {
  const { devTools } = await aChrome();
  const clients = await Promise.all(Array.from({ length: 5 }, () => aClient(devTools)));
  const [good, ...bad] = clients as [(typeof clients)[0], ...typeof clients];
  const page = await good.attachToPage();
  good.send(
    ` { "sessionId" : "${page}", "params": {"expression": "'a,\\"sessionId\\":\\"b'"},\n "method":"Runtime.evaluate","id":77 } `,
  );
  expect(await good.answerTo(77)).toMatchObject({ sessionId: page, result: { result: { value: 'a,"sessionId":"b' } } });
  const noCommands = [
    '',
    'hello',
    '{"method":"Browser.getVersion"}',
    '{"id":1,"method":"x"}\0{"id":2,"method":"Browser.close"}',
  ];
  for (const [at, text] of noCommands.entries()) bad[at]!.send(text);
  expect(bad.map(({ isClosed }) => isClosed())).toEqual([true, true, true, true]);
  expect((await good.call('Browser.getVersion')).result?.product).toMatch(/Chrome/);
});

test('the next keeper is answered although a killed one left half a command, and its sessions end', async () => {
  const { folder, devTools } = await aChrome();
  devTools.close();
  const { keeperSession, page } = await killedInTheMiddle(folder);

  const next = await connectDevTools(folder, { earlierSession: keeperSession, timeoutMs: 5000 });
  later(() => next.close());
  const client = await aClient(next);
  const { result } = await client.call('Target.getTargets');
  expect(result!.targetInfos).toContainEqual(expect.objectContaining({ type: 'page', attached: false }));
  expect(await client.call('Runtime.evaluate', { expression: '1' }, page)).toMatchObject({ error: { code: -32_001 } });
});

/** What a keeper leaves that attaches to the page, and dies in the middle of a command. */
async function killedInTheMiddle(folder: string): Promise<{ keeperSession: string; page: string }> {
  const answers: Message[] = [];
  const pipe = openMessagePipe(openKeeperEnds(folder), (data) => answers.push(JSON.parse(data.toString()) as Message));
  let id = 1000;
  const call = async (method: string, params: object, sessionId?: string): Promise<NonNullable<Message['result']>> => {
    id += 1;
    pipe.send(Buffer.from(JSON.stringify({ id, method, params, sessionId })));
    return (await until(method, () => answers.find((answer) => answer.id === id))).result!;
  };
  const { sessionId: keeperSession } = await call('Target.attachToBrowserTarget', {});
  const { targetInfos } = await call('Target.getTargets', {}, keeperSession);
  const { targetId } = targetInfos!.find(({ type }) => type === 'page')!;
  const { sessionId: page } = await call('Target.attachToTarget', { targetId, flatten: true }, keeperSession);
  pipe.close();
  const commands = openSync(join(folder, 'devtools-commands'), constants.O_WRONLY);
  writeSync(commands, '{"id":1,"method":"Browser.close","params":{"half":"');
  closeSync(commands);
  return { keeperSession: keeperSession!, page: page! };
}

test('clients learn that their Chrome has died', async () => {
  const chrome = await aChrome();
  const client = await aClient(chrome.devTools);
  process.kill(-chrome.pid, 'SIGKILL');
  await chrome.devTools.closed;
  expect(client.isClosed()).toBe(true);
  await expect(aClient(chrome.devTools)).rejects.toThrow('The connection to Chrome has ended.');
});
