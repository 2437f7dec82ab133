import { join } from 'node:path';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { BrowserAccess } from '../../../contracts/browsers/keeper';
import { listBrowserRecords } from '../../../worker/keeper/chrome/browser-record';
import { aKeeperProcess, aRoot, attach, cleanUp, headersFor, keeperOver, later, unreadBytes, until } from '../fixture';
import { freeze } from '../../support/freeze';

afterEach(cleanUp);

interface Message {
  id?: number;
  result?: { sessionId?: string; targetInfos?: { type: string; targetId: string }[] };
}

/** A worker that speaks the protocol itself, attached to the page of the browser. */
async function aWorker(access: BrowserAccess) {
  const socket = new WebSocket(access.endpoint, { headers: headersFor(access), maxPayload: 0 });
  later(() => socket.terminate());
  socket.on('error', () => {});
  await once(socket, 'open');
  const call = (id: number, method: string, params: object, sessionId?: string): string =>
    JSON.stringify({ id, method, params, sessionId });
  const answerTo = (id: number) =>
    new Promise<Message>((resolve) => {
      socket.on('message', (data: Buffer) => {
        const message = JSON.parse(data.toString()) as Message;
        if (message.id === id) resolve(message);
      });
    });
  socket.send(call(1, 'Target.getTargets', {}));
  const targets = (await answerTo(1)).result!.targetInfos!;
  const { targetId } = targets.find(({ type }) => type === 'page')!;
  socket.send(call(2, 'Target.attachToTarget', { targetId, flatten: true }));
  const { sessionId } = (await answerTo(2)).result!;
  /** Evaluates it in the page, by a command of this many bytes at least. */
  const evaluation = (expression: string, bytes = 0): string =>
    call(3, 'Runtime.evaluate', { expression: `/*${'x'.repeat(bytes)}*/${expression}` }, sessionId);
  return { socket, evaluation };
}

const MEGABYTES = 8 * 1024 * 1024;
const COUNT_ONE = `document.title = Number(document.title) + 1`;

test('of a worker cut within a large message nothing is carried out, and its successor works', async () => {
  const browsers = await keeperOver(aRoot());
  const { socket, evaluation } = await aWorker(await browsers.open({ sessionId: 's', epoch: 1, headless: true }));
  const text = evaluation(COUNT_ONE, MEGABYTES);
  socket.send(text.slice(0, text.length / 2), { fin: false });
  await until('the half has been read', () => socket.bufferedAmount === 0);

  const { page } = await attach(await browsers.openRelay({ sessionId: 's', epoch: 2 }));
  socket.send(text.slice(text.length / 2), { fin: true }, () => {});
  expect(await page.title()).toBe('');
  expect(await page.evaluate(`${COUNT_ONE}; document.title`)).toBe('1');
});

test('half a message that a killed keeper had passed on is refused, and the next epoch let in', async () => {
  const root = aRoot();
  const keeper = await aKeeperProcess(root);
  const { socket, evaluation } = await aWorker(keeper.access);
  await freeze(keeper.access.pid);
  socket.send(evaluation(COUNT_ONE, MEGABYTES));
  const { folder } = listBrowserRecords(root)[0]!;
  await until('the pipe is full', () => unreadBytes(join(folder, 'devtools-commands')) >= 32 * 1024);
  await keeper.kill();
  process.kill(keeper.access.pid, 'SIGCONT');

  const successor = await keeperOver(root);
  expect(successor.list()).toMatchObject([{ sessionId: 's', pid: keeper.access.pid, epoch: 1 }]);
  const { page } = await attach(await successor.openRelay({ sessionId: 's', epoch: 2 }));
  expect(await page.title()).toBe('');
  expect(await page.evaluate(`${COUNT_ONE}; document.title`)).toBe('1');
});

test('a whole message that a killed keeper had passed on is carried out before the next epoch is let in', async () => {
  const root = aRoot();
  const keeper = await aKeeperProcess(root);
  const { socket, evaluation } = await aWorker(keeper.access);
  await freeze(keeper.access.pid);
  socket.send(evaluation(COUNT_ONE));
  const { folder } = listBrowserRecords(root)[0]!;
  await until('it is in the pipe', () => unreadBytes(join(folder, 'devtools-commands')) > 0);
  await keeper.kill();
  process.kill(keeper.access.pid, 'SIGCONT');

  const successor = await keeperOver(root);
  const { page } = await attach(await successor.openRelay({ sessionId: 's', epoch: 2 }));
  expect(await page.title()).toBe('1');
});

test('a worker that reads nothing is cut off, and the keeper hears of its Chrome meanwhile', async () => {
  const browsers = await keeperOver(aRoot());
  const { socket, evaluation } = await aWorker(await browsers.open({ sessionId: 's', epoch: 1, headless: true }));
  socket.pause();
  for (let sent = 0; sent < 10; sent += 1) socket.send(evaluation(`'y'.repeat(${2 * MEGABYTES})`));
  await until('it is cut off', () => browsers.list()[0]!.attachedWorkers === 0);

  const { page } = await attach(await browsers.openRelay({ sessionId: 's', epoch: 2 }));
  expect(await page.evaluate('1 + 1')).toBe(2);
});
