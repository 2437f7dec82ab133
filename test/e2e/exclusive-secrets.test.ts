/** Sessions that share an exclusive secret sign in one after the other, whichever process is killed while one of them has it. */
import type { LogRecord } from '../../contracts/events/log';
import { eventually } from '../support/eventually';
import { everything, killAndAwait } from '../support/kill';
import { startSite, type TestSite } from '../support/sites';
import { endOf, ONE_OF_EACH, recordOf, startWholeStack, type WholeStack } from '../support/whole-stack';

const PAGE = '<title>Site</title><label>Password <input type="password"></label>';

let site: TestSite;
let stack: WholeStack;
beforeAll(async () => {
  site = await startSite({ '/in': PAGE, '/out': PAGE });
  stack = await startWholeStack({}, ONE_OF_EACH);
}, 120_000);
afterAll(async () => {
  site.close();
  await stack.stop();
}, 60_000);

/** Who is signed in at the site after each of its requests. */
function insideOverTime(): string[][] {
  const inside = new Set<string>();
  return site.asked.map((each) => {
    const [, way, who] = /^GET \/(in|out)\?who=(\w+)/.exec(each) ?? [];
    if (way === 'in') inside.add(who!);
    if (way === 'out') inside.delete(who!);
    return [...inside];
  });
}

const inside = (): string[] => insideOverTime().at(-1) ?? [];

async function start(who: string): Promise<string> {
  const { sessionId } = await stack.client.start({
    steps: [
      `Open ${site.url}/in?who=${who}`,
      'Type "${password}" into Password',
      'Wait 3 seconds',
      `Open ${site.url}/out?who=${who}`,
    ],
    secrets: { password: { env: 'SHOP_PASSWORD', origins: [site.url], exclusive: true } },
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
  await eventually('the first is there', () => inside().includes('first'));
  const others = new Map<string, string>();
  for (const who of ['second', 'third', 'fourth']) others.set(who, await start(who));
  await Promise.all([...others.values()].map((id) => recordOf(stack, id, 'its wait', isWaiting)));
  await killAllOf(everything(stack), first);
  expect(await endOf(stack, first)).toBe('COMPLETED');

  const next = async (): Promise<{ who: string; id: string }> => {
    const [who] = await eventually('the next is there', () => (inside().length === 0 ? undefined : inside()), 90_000);
    return { who: who!, id: others.get(who!)! };
  };
  const second = await next();
  await killAllOf(['engine-1', 'keeper'], second.id);
  expect(await endOf(stack, second.id)).toBe('COMPLETED');

  const third = await next();
  await stack.engineTemporal.workflow.getHandle(third.id).terminate('by a test');
  site.asked.push(`GET /out?who=${third.who}`);
  await killAllOf(['postgres', 'browser-1'], third.id);
  expect(await endOf(stack, third.id)).toBe('FAILED');

  const fourth = await next();
  expect(await endOf(stack, fourth.id)).toBe('COMPLETED');
  expect(Math.max(...insideOverTime().map(({ length }) => length))).toBe(1);
  expect(new Set(insideOverTime().flat())).toEqual(new Set(['first', 'second', 'third', 'fourth']));
}, 300_000);
