/** Sessions that share an exclusive secret sign in one after the other, whichever process is killed while one of them has it. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LogRecord } from '../../contracts/events/log';
import { eventually } from '../support/eventually';
import { everything, killAndAwait } from '../support/kill';
import { endOf, ONE_OF_EACH, recordOf, startWholeStack, type WholeStack } from '../support/whole-stack';

/** A site at which one may be signed in at a time. Who comes, who is there, and the most that were there at once. */
const visits: string[] = [];
const inside = new Set<string>();
let mostInside = 0;
let site: Server;
let url: string;
let stack: WholeStack;

beforeAll(async () => {
  site = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
    const who = searchParams.get('who') ?? '';
    if (pathname === '/in' && !inside.has(who)) visits.push(who);
    if (pathname === '/in') inside.add(who);
    if (pathname === '/out') inside.delete(who);
    mostInside = Math.max(mostInside, inside.size);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><title>Site</title><label>Password <input type="password"></label>`);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  stack = await startWholeStack({}, ONE_OF_EACH);
}, 120_000);
afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await stack.stop();
}, 60_000);

async function start(who: string): Promise<string> {
  const { sessionId } = await stack.client.start({
    steps: [
      `Open ${url}/in?who=${who}`,
      'Type "${password}" into Password',
      'Wait 3 seconds',
      `Open ${url}/out?who=${who}`,
    ],
    secrets: { password: { env: 'SHOP_PASSWORD', origins: [url], exclusive: true } },
    config: { executorConfig: { screenshotsEnabled: false } },
  });
  return sessionId;
}

const isWaiting = ({ data }: LogRecord): boolean => data.details?.['waitingFor'] === 'credential';

async function killAllOf(names: readonly string[], sessionId: string): Promise<void> {
  await killAndAwait(stack, names);
  await eventually('the database answers', () => stack.client.get(sessionId).catch(() => undefined), 60_000);
}

it('one session at a time has an exclusive secret, whatever is killed or terminated', async () => {
  const first = await start('first');
  await eventually('the first is there', () => inside.has('first'));
  const others = new Map<string, string>();
  for (const who of ['second', 'third', 'fourth']) others.set(who, await start(who));
  await Promise.all([...others.values()].map((id) => recordOf(stack, id, 'its wait', isWaiting)));
  await killAllOf(everything(stack), first);
  expect(await endOf(stack, first)).toBe('COMPLETED');

  const next = async (): Promise<{ who: string; id: string }> => {
    const [who] = await eventually('the next is there', () => (inside.size === 0 ? undefined : [...inside]), 90_000);
    return { who: who!, id: others.get(who!)! };
  };
  const second = await next();
  await killAllOf(['engine-1', 'keeper'], second.id);
  expect(await endOf(stack, second.id)).toBe('COMPLETED');

  const third = await next();
  await stack.engineTemporal.workflow.getHandle(third.id).terminate('by a test');
  inside.delete(third.who);
  await killAllOf(['postgres', 'browser-1'], third.id);
  expect(await endOf(stack, third.id)).toBe('FAILED');

  const fourth = await next();
  expect(await endOf(stack, fourth.id)).toBe('COMPLETED');
  expect(mostInside).toBe(1);
  expect(new Set(visits)).toEqual(new Set(['first', 'second', 'third', 'fourth']));
}, 300_000);
